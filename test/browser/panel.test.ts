import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import type { BrowserOptions } from '../../src/browser.ts'
import { annotationsPath, noon } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { clippedOf, looks, overflowOf, widths } from '../support/browser/dashboard-views.ts'
import { serveOffline, type Tab } from '../support/browser/offline.ts'

const withPanel: BrowserOptions = { panel: true }

/** Opens a page with a panel, and the panel. */
async function openPanel(): Promise<
  Tab & { readonly follow: (...names: string[]) => Promise<void> }
> {
  const { open, url } = await serveOffline()
  const tab = await open(url, withPanel)
  await opener(tab.page).click()
  await tab.page.getByRole('heading', { name: 'Understudy' }).waitFor()
  return {
    ...tab,
    async follow(...names) {
      for (const name of names) await tab.page.getByRole('link', { name, exact: true }).click()
    },
  }
}

const opener = (page: Page) => page.getByRole('button', { name: 'Open the panel of Understudy' })

withChromium(
  'a page has a panel only if it asks for one, and loads it when it is opened',
  async () => {
    const { open, url, requested } = await serveOffline()
    const count = () => new Set(requested.filter((path) => path.endsWith('.js'))).size
    const plain = await open(url)
    const [hosts, withoutPanel] = [await plain.page.locator('understudy-panel').count(), count()]

    const { page } = await open(url, withPanel)
    await opener(page).waitFor()
    const closed = count()
    await opener(page).click()
    await page.getByText('No requests yet.').waitFor()

    expect([hosts, closed - withoutPanel]).toEqual([0, 1])
    expect(count()).toBeGreaterThan(closed + 1)
  },
)

withChromium('?understudy in the address opens the panel, unless the page has none', async () => {
  const { open, url } = await serveOffline()

  const { page } = await open(url)
  await page.goto(`${page.url()}&understudy`)
  await page.getByText('No requests yet.').waitFor()
  const refused = await open(url, { panel: false })
  await refused.page.goto(`${refused.page.url()}&understudy`)
  await refused.said()

  expect(await refused.page.locator('understudy-panel').count()).toBe(0)
})

withChromium('the panel lists the requests of its page, each with its reason', async () => {
  const { page, ask } = await openPanel()

  await ask('PATCH', `${annotationsPath}2/`, { deleted: 'maybe' })
  await page.getByRole('link', { name: `${annotationsPath}2/` }).click()
  await page.getByText('Why this response').waitFor()
  await page.getByText('Evidence and sources').click()

  await expect
    .poll(() => page.locator('.why').innerText())
    .toContain('400: body.deleted: Must be a valid boolean.')
  await expect.poll(() => page.locator('.why').innerText()).toContain('this request succeeds')
  expect(new URL(page.url()).hash).toBe('')
  expect(await page.getByRole('button', { name: 'Copy as curl' }).count()).toBe(0)
})

withChromium('the panel injects faults, sets the clock and changes a policy', async () => {
  const { page, ask, follow } = await openPanel()

  await follow('Controls', 'Faults')
  await page.getByRole('switch', { name: 'outage' }).check()
  await page.getByText('Preset outage turned on.').waitFor()
  const outage = await page.evaluate(async () => {
    const response = await fetch('https://app.example.com/api/projects/')
    return response.status
  })
  await page.getByRole('switch', { name: 'outage' }).uncheck()
  await page.getByText('Preset outage turned off.').waitFor()
  await follow('Clock and data')
  await page.getByLabel('Advance by').fill('2')
  await page.getByRole('button', { name: 'Advance' }).click()
  await page.getByText('Clock advanced by 2 hours.').waitFor()
  const [, created] = await ask('POST', annotationsPath, { content: 'Later' })
  await follow('Policies')
  await page.getByRole('searchbox').fill('annotations.delete.status')
  await page.getByText('What does DELETE').first().click()
  await page.locator('label.choice', { hasText: '404' }).getByRole('radio').check()
  await page.getByText('Set annotations.delete.status to 404.').waitFor()
  const [deleted] = await ask('DELETE', `${annotationsPath}1/`)

  expect(outage).toBe(503)
  expect(created.created_at).toBe('2024-06-15T14:00:00Z')
  expect(deleted).toBe(404)
})

withChromium('the panel edits rows, issues keys, and loads and resets a world', async () => {
  const { page, ask, contents, follow } = await openPanel()

  await follow('World', 'Keys')
  await page.getByRole('button', { name: 'Issue key' }).click()
  await page.getByRole('dialog').getByLabel('Value').fill('phx_made_here')
  await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click()
  await page.getByText('Key phx_made_here issued.').waitFor()
  await follow('Annotations')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('dialog').getByLabel('Content').fill('By hand')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const edited = await contents()
  await follow('Controls')
  const annotations = defaultWorld.annotations.filter(({ content }) => content === 'Release 1.0')
  const buffer = Buffer.from(JSON.stringify({ ...defaultWorld, annotations }))
  const file = { name: 'mine.json', mimeType: 'application/json', buffer }
  await page.getByLabel('Load a world file…').setInputFiles(file)
  await page.getByText('World mine.json loaded.').waitFor()
  const loaded = await contents()
  await ask('POST', annotationsPath, { content: 'Gone with the reset' })
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await page.getByText('Everything is reset.').waitFor()
  const reset = await contents()
  await page.getByRole('combobox', { name: 'World' }).selectOption('empty')
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await page.getByText('World empty loaded.').waitFor()

  expect(edited).toContain('By hand')
  expect([loaded, reset]).toEqual([['Release 1.0'], ['Release 1.0']])
  await follow('World')
  await page.getByText('No annotations match the filter.').waitFor()
})

withChromium('a world file with a mistake changes nothing, and its message says why', async () => {
  const { page, contents, follow } = await openPanel()

  await follow('Controls')
  const buffer = Buffer.from('{"annotations":[{"content":7}]}')
  const file = { name: 'bad.json', mimeType: 'application/json', buffer }
  await page.getByLabel('Load a world file…').setInputFiles(file)

  await page.getByText('annotations[0].content: expected string or null, got 7').waitFor()
  expect(await contents()).toHaveLength(6)
})

withChromium('the panel shows a sandbox, and returns to the world of the page', async () => {
  const { page, ask, follow } = await openPanel()

  await follow('Controls')
  await page.getByRole('button', { name: 'New sandbox' }).click()
  await page.getByText('Sandbox sandbox-1 created.').waitFor()
  await follow('Open sandbox-1')
  await page.getByText('No requests yet.').waitFor()
  await page.getByRole('banner').or(page.locator('.head')).getByLabel('World').selectOption('')
  const [status] = await ask('GET', `${annotationsPath}1/`)
  await page.getByText('/api/projects/1/annotations/1/').waitFor()

  expect(status).toBe(200)
})

withChromium('a sandbox that has ended is not shown as another world', async () => {
  const { page, follow } = await openPanel()

  await follow('Controls')
  await page.getByRole('button', { name: 'New sandbox' }).click()
  await follow('Open sandbox-1', 'Controls')
  await page.getByRole('button', { name: 'Delete sandbox-1' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Sandbox sandbox-1 deleted.').waitFor()
  await follow('World')
  await page.getByText('Sandbox sandbox-1 has ended. Select another world.').first().waitFor()
  const rows = await page.locator('.rows tbody tr').count()
  await page.locator('.head').getByLabel('World').selectOption('')
  await follow('World')
  await page.getByText('Release 1.0').first().waitFor()

  expect(rows).toBe(0)
})

withChromium(
  'the page notices nothing of the panel: address, styles, focus, keys and clicks',
  async () => {
    const { open, url } = await serveOffline()
    const { page } = await open(url, withPanel)
    await page.evaluate(() => {
      document.head.insertAdjacentHTML(
        'beforeend',
        '<style>html { font-size: 10px } html > * { color: red !important; display: none !important; letter-spacing: 1em }</style>',
      )
      const seen: string[] = []
      Object.assign(globalThis, { seen })
      for (const type of ['keydown', 'click', 'pointerdown', 'focusin', 'input']) {
        document.addEventListener(type, () => seen.push(type))
      }
    })

    await opener(page).click()
    await page.getByLabel('Filter').fill('patch')
    await page.getByLabel('Filter').press('Enter')
    await page.getByRole('link', { name: 'Controls' }).click()
    await page.getByRole('heading', { name: 'Understudy' }).press('a')
    const style = await page.getByRole('heading', { name: 'Clock' }).evaluate((heading) => {
      const { fontSize, letterSpacing, color } = getComputedStyle(heading)
      return { fontSize, letterSpacing, isRed: color === 'rgb(255, 0, 0)' }
    })
    await page.keyboard.press('Escape')
    const focused = await page.evaluate(
      () => document.activeElement?.shadowRoot?.activeElement?.className,
    )

    expect(style).toEqual({ fontSize: '16px', letterSpacing: 'normal', isRed: false })
    expect(await page.evaluate(() => Reflect.get(globalThis, 'seen'))).toEqual([])
    expect([focused, new URL(page.url()).hash]).toEqual(['opener', ''])
  },
)

withChromium(
  'Escape closes a dialog and a request before the panel, which keeps its view',
  async () => {
    const { page, ask, follow } = await openPanel()
    await ask('GET', annotationsPath)

    await page.getByRole('link', { name: annotationsPath }).click()
    await page.getByRole('heading', { name: 'Request 1' }).press('Escape')
    await page.getByRole('heading', { name: 'Request 1' }).waitFor({ state: 'detached' })
    await follow('World', 'Plugins')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('dialog').press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Plugins' }).press('Escape')
    await opener(page).click()

    await page.getByRole('link', { name: 'Plugins' }).waitFor()
    expect(await page.getByRole('link', { name: 'Plugins' }).getAttribute('aria-current')).toBe(
      'page',
    )
  },
)

withChromium('what stops the simulator removes the panel', async () => {
  const { page } = await openPanel()

  await page.evaluate(async () => (await Reflect.get(globalThis, 'started')).stop())

  expect(await page.locator('understudy-panel').count()).toBe(0)
})

const views = [
  ['Requests'],
  ['World', 'Annotations'],
  ['World', 'Plugins'],
  ['World', 'Keys'],
  ['World', 'Other data'],
  ['Controls', 'Clock and data'],
  ['Controls', 'Faults'],
  ['Controls', 'Policies'],
]

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

withChromium('each view works, is accessible and fits: light, dark, wide and narrow', async () => {
  const { page, ask, follow } = await openPanel()
  await page.evaluate(() => {
    document.documentElement.lang = 'en'
    document.title = 'A page'
    document.body.innerHTML = '<main><h1>A page</h1></main>'
  })
  await ask('PATCH', `${annotationsPath}2/`, { deleted: 'maybe' })

  for (const view of views) {
    await follow(...view)
    for (const { colorScheme, width } of looks) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze()

      const look = `${view.join(' ')}, ${colorScheme}, ${width} pixels`
      const found = violations.map(({ id, nodes }) => [look, id, nodes.map(({ html }) => html)])
      expect(found).toEqual([])
      expect((await page.getByRole('alert').allInnerTexts()).join(''), look).toBe('')
      expect(await overflowOf(page), look).toBe(0)
      const box = await page.locator('.panel').evaluate((panel) => {
        const view = panel.querySelector('.view') as Element
        return [view.scrollWidth - view.clientWidth, panel.scrollWidth - panel.clientWidth]
      })
      expect(box, look).toEqual([0, 0])
    }
  }
})

withChromium('no view of the panel cuts off text, from a phone to a large screen', async () => {
  const { page, follow } = await openPanel()

  for (const view of views) {
    await follow(...view)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
      expect(await clippedOf(page), `${view.join(' ')}, ${width} pixels`).toEqual([])
    }
  }
})

// The goals are 300 ms for the first paint and 500 ms for 5,000 rows, as for the dashboard. The limits are as wide.
withChromium('the panel opens fast, and shows 5,000 rows with their chart', async () => {
  const { open, url } = await serveOffline()
  const annotations = Array.from({ length: 5_000 }, (_, index) => ({
    content: `Release ${index}`,
    date_marker: new Date(Date.UTC(2024, 0, 1, 0, index * 50)).toISOString(),
  }))
  const { page } = await open(url, withPanel)
  await page.evaluate(async (annotations) => {
    const { simulator } = await Reflect.get(globalThis, 'started')
    ;(await simulator()).addRows({ annotations })
  }, annotations)

  const [opened, rows] = await page.evaluate(async () => {
    const root = document.querySelector('understudy-panel')?.shadowRoot as ShadowRoot
    const until = async (isDue: () => boolean): Promise<number> => {
      const start = performance.now()
      while (!isDue()) await new Promise((resolve) => requestAnimationFrame(resolve))
      return performance.now() - start
    }
    root.querySelector('button')?.click()
    const opened = await until(() => root.querySelector('.toolbar') !== null)
    root.querySelector<HTMLElement>('a[href="#/world"]')?.click()
    const isDrawn = () => root.querySelector('.rows tbody tr') && root.querySelector('.plot canvas')
    return [opened, await until(() => Boolean(isDrawn()))]
  })

  console.info(`panel: opened in ${opened} ms, 5,000 rows: ${rows} ms`)
  expect(opened).toBeLessThan(3_000)
  expect(rows).toBeLessThan(5_000)
})

withChromium('the clock of the panel is that of the page', async () => {
  const { page, follow } = await openPanel()

  await follow('Controls')

  await page.getByText(`${noon.slice(0, 10)} 12:00:00 UTC`).waitFor()
})
