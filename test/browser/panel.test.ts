import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { annotationsPath as list } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { axeRules, lookAt, looks } from './dashboard-views.ts'
import { serveOffline } from './offline.ts'

/** A page whose styles and shortcuts are for everything in it. */
const loudPage = `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:,">
  <style>
    html { font-size: 62.5% } * { color: crimson !important; letter-spacing: 3px; box-sizing: content-box }
    button { transform: rotate(9deg); background: gold !important } :root { --ink: lime; --height: 9px }
  </style></head>
  <body><main><h1>Shop</h1><button>Buy</button></main><script type="module" src="/stdin.js"></script></body></html>`

const openPanel = (page: Page) => page.getByRole('button', { name: 'Open Understudy' }).click()

withChromium(
  'a button opens the dashboard of the page, which loads then and sends nothing',
  async () => {
    const { open, url, requested } = await serveOffline()
    const { page, ask, errors } = await open(url, { panel: true })
    await ask('GET', list)
    await ask('PATCH', `${list}1/`, { content: 'Launched' })
    await ask('PATCH', `${list}2/`, { deleted: 'maybe' }).catch(() => {})
    const before = requested.length

    await openPanel(page)
    await page.getByText('3 shown').waitFor()
    const loaded = requested.slice(before)
    const focused = await page.evaluate(
      () => document.querySelector('understudy-panel')?.shadowRoot?.activeElement?.textContent,
    )
    await page.getByRole('link', { name: `${list}2/` }).click()
    await page.getByText('400: body.deleted: Must be a valid boolean.', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Faults' }).click()
    await page.getByRole('checkbox', { name: 'outage' }).click()
    await page.getByText('The preset outage is on.').waitFor()
    const status = await page.evaluate(async () => (await fetch('/api/projects/')).status)
    await page.getByRole('link', { name: 'State' }).click()
    page.on('dialog', (dialog) => dialog.accept())
    await page.getByRole('combobox', { name: 'World' }).selectOption('crowded')
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await page.getByText('The world crowded is loaded.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()

    expect(loaded.length).toBeGreaterThan(0)
    expect(loaded.filter((path) => !path.endsWith('.js'))).toEqual([])
    expect(requested.filter((path) => path.includes('__admin'))).toEqual([])
    expect([focused, status]).toEqual(['Requests', 503])
    expect(await page.getByRole('button', { name: 'Open Understudy' }).isVisible()).toBe(true)
    expect(await page.title()).toBe('')
    expect(new URL(page.url()).hash).toBe('')
    expect(errors.filter((text) => !/status of (400|503)/.test(text))).toEqual([])
  },
)

withChromium('the next page of the tab shows the same', async () => {
  const { open, url } = await serveOffline()
  const { page } = await open(url, { panel: true })
  await openPanel(page)
  await page.getByRole('slider', { name: 'Height' }).press('ArrowUp')
  await page.getByRole('link', { name: 'Rows' }).click()
  await page.getByLabel('Search').fill('pricing')
  await page.getByText('1–1 of 1').waitFor()

  await page.goto(`${url}?${encodeURIComponent('{"panel":true}')}`)
  await page.getByText('1–1 of 1').waitFor()

  expect(await page.getByLabel('Search').inputValue()).toBe('pricing')
  expect(await page.getByRole('slider').inputValue()).toBe('55')
})

withChromium(
  'styles and shortcuts of the page do not reach the panel, nor the other way round',
  async () => {
    const { open, url, files } = await serveOffline()
    files.set('/', loudPage)
    const { page } = await open(url, { panel: true })
    const styleOf = (name: string) =>
      page
        .getByRole('button', { name })
        .evaluate((button) => JSON.stringify(Object.entries(getComputedStyle(button))))
    await page.evaluate(() => {
      Reflect.set(globalThis, 'keys', 0)
      document.addEventListener('keydown', () => Reflect.set(globalThis, 'keys', 1))
    })
    const before = await styleOf('Buy')

    await openPanel(page)
    await page.getByLabel('Filter').press('s')
    const heading = page.getByRole('heading', { name: 'Requests' })
    const style = await heading.evaluate((element) => {
      const { color, fontSize, letterSpacing, fontFamily } = getComputedStyle(element)
      return [color, fontSize, letterSpacing, fontFamily.split(',')[0]]
    })

    expect(style).toEqual(['rgb(27, 34, 32)', '20px', 'normal', 'system-ui'])
    expect(await styleOf('Buy')).toBe(before)
    expect(await page.evaluate(() => Reflect.get(globalThis, 'keys'))).toBe(0)
  },
)

withChromium('the closed panel counts the problems of the selected sandbox', async () => {
  const { open, url } = await serveOffline()
  const { page, ask } = await open(url, { panel: true })
  await ask('DELETE', `${list}2/`)
  await page.getByRole('button', { name: 'Open Understudy, 1 problem', exact: true }).click()
  await page.getByRole('link', { name: 'State' }).click()

  await page.getByRole('button', { name: 'New sandbox' }).click()
  await page.getByRole('link', { name: 'Open sandbox-1' }).click()
  await page.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Open Understudy, 0 problems' }).waitFor()
})

withChromium('the panel is accessible, and fits a phone', async () => {
  const { open, url, files } = await serveOffline()
  files.set('/', loudPage.replace(/<style>.*<\/style>/s, ''))
  const { page, ask } = await open(url, { panel: true })
  await ask('PATCH', `${list}2/`, { deleted: 'maybe' })
  await page.getByRole('button', { name: 'Open Understudy, 1 problem', exact: true }).waitFor()
  const closed = await lookAt(page, looks[0], (axe) => axe.withTags(axeRules))
  await openPanel(page)
  await page.getByRole('heading', { name: '1 problem' }).waitFor()
  const wide = await lookAt(page, looks[0], (axe) => axe.withTags(axeRules))
  const narrow = await lookAt(page, looks[2], (axe) => axe.withTags(axeRules))
  const content = page.locator('understudy-panel .content')
  const isShown = (selector: string) => content.locator(selector).isVisible()
  const tops = await content.evaluate((element) => [
    element.getBoundingClientRect().top,
    element.querySelector('.problems')?.getBoundingClientRect().top ?? 0,
  ])

  expect([closed, wide, narrow].map(({ violations }) => violations)).toEqual([[], [], []])
  expect(await content.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(
    0,
  )
  expect(await isShown('.brand')).toBe(false)
  // A line of tabs, and one of badges.
  expect(Number(tops[1]) - Number(tops[0])).toBeLessThan(80)
})

withChromium(
  'the console opens the panel of a page without its button, and stop() removes it',
  async () => {
    const { open, url } = await serveOffline()
    const { page, said } = await open(url)
    await said()
    const started = await page.evaluateHandle(() => Reflect.get(globalThis, 'started'))

    await started.evaluate(({ simulator }) => simulator.openPanel())
    await page.getByText('No requests here').waitFor()
    await started.evaluate(({ stop }) => stop())

    expect(await page.locator('understudy-panel').count()).toBe(0)
  },
)
