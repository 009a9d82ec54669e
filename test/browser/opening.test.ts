import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/server/listen.ts'
import { createSimulator } from '../../src/simulator.ts'
import {
  endBrowserAfterAll,
  inBrowser,
  openDashboard,
  openPage,
} from '../support/browser/dashboard.ts'
import { root } from '../support/cli/command.ts'

endBrowserAfterAll()
const assets = join(root, 'dist', 'dashboard', 'assets')

test('all its JavaScript is under 150 kB gzipped', () => {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const sizes = scripts.map((name) => gzipSync(readFileSync(join(assets, name))).length)

  expect(scripts).toContain('main.js')
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000)
})

inBrowser('something is painted within a second', async () => {
  const { page } = await openDashboard()
  await page.getByText('Nothing was asked yet').waitFor()

  const paints = await page.evaluate(() =>
    performance.getEntriesByType('paint').map(({ name, startTime }) => [name, startTime] as const),
  )

  expect(paints.map(([name]) => name)).toContain('first-contentful-paint')
  for (const [, milliseconds] of paints) expect(milliseconds).toBeLessThan(1_000)
})

inBrowser('a server with a token is entered with it, and it stays in the tab', async () => {
  const { page, complaints } = await openDashboard('', { serving: { token: 'secret' } })

  await page.getByLabel('Token').fill('guess')
  await page.keyboard.press('Enter')
  await page.getByText('The server does not take this token.').waitFor()
  await page.getByLabel('Token').fill('secret')
  await page.keyboard.press('Enter')
  await page.getByText('Live').waitFor()
  await page.reload()
  await page.getByText('Live').waitFor()

  // Chromium notes each 401 in its console.
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([])
})

inBrowser('a link may carry the token, which then leaves the address', async () => {
  const { page } = await openDashboard('#token=secret%2F1', { serving: { token: 'secret/1' } })

  await page.getByText('Live').waitFor()

  expect(page.url()).toMatch(/\/__admin\/#\/$/)
})

inBrowser('a lost server is told, and found again when it is back', async () => {
  const simulator = createSimulator()
  const first = await listen(simulator)
  const page = await openPage()
  await page.goto(`${first.url}/__admin/`)
  await page.getByText('Live').waitFor()

  await first.close()
  await page.getByText('Connection lost').waitFor()
  await simulator.fetch('/api/nowhere/')
  const second = await listen(simulator, { port: first.port })
  onTestFinished(() => second.close())
  await page.getByText('Live').waitFor()

  await page.getByRole('link', { name: '/api/nowhere/' }).waitFor()
})

inBrowser('light and dark follow the system until one is chosen, also after a reload', async () => {
  const { page } = await openDashboard('', { theme: 'dark' })
  const paper = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await page.getByText('Live').waitFor()

  const system = await paper()
  await page.getByLabel('Theme').selectOption('light')
  const chosen = await paper()
  await page.reload()
  await page.getByText('Live').waitFor()

  expect([system, chosen, await paper()]).toEqual([
    'rgb(22, 24, 26)',
    'rgb(251, 251, 250)',
    'rgb(251, 251, 250)',
  ])
})

inBrowser('a link of another site does not open it, and says how to', async () => {
  const { page, origin } = await openDashboard()
  const other = await listen(createSimulator())
  onTestFinished(() => other.close())

  await page.goto(`${other.url}/__admin/`)
  await page.evaluate(
    (address) => {
      const link = document.createElement('a')
      link.href = address
      link.textContent = 'To the other one'
      document.body.append(link)
    },
    `${origin.replace('127.0.0.1', 'localhost')}/__admin/`,
  )
  await page.getByText('To the other one').click()
  await page.getByText('The dashboard cannot be accessed from another site').waitFor()

  expect(await page.locator('body').innerText()).toContain('Type http://localhost:')
})

inBrowser('it cannot be put into a frame', async () => {
  const { page, origin } = await openDashboard()
  const other = await openPage()
  await other.goto('about:blank')

  await other.setContent(`<iframe src="${origin}/__admin/"></iframe>`)
  await page.waitForTimeout(300)

  expect(await other.frames()[1]?.locator('#app').count()).toBe(0)
})

inBrowser(
  'the first key leads past the navigation, and a page that is gone to has the focus',
  async () => {
    const { page } = await openDashboard()
    await page.getByText('Nothing was asked yet').waitFor()
    const focused = () =>
      page.evaluate(() => [
        document.activeElement?.tagName,
        document.activeElement?.textContent,
        document.title,
      ])

    await page.keyboard.press('Tab')
    const first = await focused()
    await page.keyboard.press('Enter')
    const skipped = await focused()
    await page.keyboard.press('Tab')
    const next = await page.evaluate(() => document.activeElement?.getAttribute('type'))
    await page.getByRole('link', { name: 'Controls' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Let it run').waitFor()

    expect([first, skipped, await focused(), next]).toEqual([
      ['BUTTON', 'Skip to the content', 'Requests – Understudy'],
      ['H1', 'Requests', 'Requests – Understudy'],
      ['H1', 'Controls', 'Controls – Understudy'],
      'search',
    ])
  },
)
