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
