import { expect } from 'vitest'
import { withChromium } from '../support/browser/chromium.ts'
import { closeBrowserAfterAll, openDashboard } from '../support/browser/dashboard.ts'
import {
  clippedOf,
  dashboardViews,
  overflowOf,
  widths,
} from '../support/browser/dashboard-views.ts'

closeBrowserAfterAll()

withChromium.each(dashboardViews)(
  '$hash cuts off no text, from a phone to a large screen, in both themes',
  async ({ hash, until, arrange }) => {
    const { page } = await openDashboard(hash, { arrange })
    await page.getByText(until).first().waitFor()

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        // What depends on the width, such as the filters of a phone, is drawn with the next frame.
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))

        expect(await clippedOf(page), `${colorScheme}, ${width} pixels`).toEqual([])
        expect(await overflowOf(page), `${colorScheme}, ${width} pixels`).toBe(0)
      }
    }
  },
)

withChromium(
  'on a phone, a key says what it is limited to, and its name is in one piece',
  async () => {
    const { page } = await openDashboard('#/world/keys', { width: 390 })

    const row = page.locator('.rows tbody tr', { hasText: 'phx_project_1' })
    const heightOf = (text: string) =>
      page.getByText(text, { exact: true }).evaluate((code) => code.getBoundingClientRect().height)

    await row.getByText('full access only in project 1').waitFor()
    expect(await heightOf('phx_annotation_write')).toBe(await heightOf('phx_all'))
  },
)

withChromium('on a phone, the buttons to turn pages are in one line', async () => {
  const { page } = await openDashboard('#/world/plugins', { width: 390 })
  await page.getByRole('button', { name: 'Last' }).waitFor()

  const tops = await page
    .locator('.pagination button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top))

  expect([tops.length, new Set(tops).size]).toEqual([4, 1])
})

withChromium('the buttons of a list are on the color of its card', async () => {
  const { page } = await openDashboard('#/overview')
  await page.getByText('phx_all', { exact: true }).waitFor()

  const [button, card] = await page.evaluate(() =>
    ['.pinned .actions', '.card:has(.pinned)'].map(
      (name) => getComputedStyle(document.querySelector(name) as Element).backgroundColor,
    ),
  )

  expect(button).toBe(card)
})
