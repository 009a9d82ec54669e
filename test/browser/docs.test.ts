import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/server/listen.ts'
import { createSimulator } from '../../src/simulator.ts'
import { endBrowserAfterAll, inBrowser, openDashboard } from '../support/browser/dashboard.ts'
import { looks, overflowOf } from '../support/browser/dashboard-views.ts'
import { root } from '../support/cli/command.ts'

endBrowserAfterAll()
/** What a person cannot use. The order of its headings is the explorer's own. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const folder = join(root, 'dist', 'dashboard', 'docs')

test('the reference loads nothing from elsewhere: its files name no address that is fetched', () => {
  const texts = readdirSync(folder)
    .filter((name) => /\.(html|css|js)$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const loading = /(?:src|href)=["']?https?:|@import|url\(["']?https?:|importScripts|fonts\.google/i

  expect(texts.length).toBeGreaterThan(3)
  expect(texts.filter((text) => loading.test(text))).toEqual([])
  expect(statSync(join(folder, 'openapi-explorer.min.js')).size).toBeLessThan(800_000)
})

test('the reference is guarded as the control API is, and may load from its own server only', async () => {
  const server = await listen(createSimulator())
  onTestFinished(() => server.close())

  const page = await fetch(`${server.url}/__admin/docs/`)
  const elsewhere = await fetch(`${server.url}/__admin/docs/`, {
    headers: { origin: 'https://evil.example.com' },
  })

  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect([page.status, elsewhere.status]).toEqual([200, 403])
})

inBrowser('an operation of the API is tried out with a key of the world', async () => {
  const { page, simulator, complaints } = await openDashboard('docs')

  await page.getByText('/api/projects', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('Response Status: OK (200)').waitFor()

  expect(
    simulator.journal.find().map(({ operation, answer }) => [operation, answer.status]),
  ).toEqual([['listProjects', 200]])
  expect(complaints).toEqual([])
})

inBrowser('the control API is on the same page', async () => {
  const { page, complaints } = await openDashboard('docs/?of=control')

  await page.getByText('/__admin/sandboxes', { exact: true }).first().waitFor()

  expect(complaints).toEqual([])
})

inBrowser('it can be read and used in both themes, wide and narrow', async () => {
  const { page, complaints } = await openDashboard('docs')
  await page.getByText('/api/projects', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('Response Status: OK (200)').waitFor()

  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    // Colours change by and by, and half-way there they are of no theme.
    await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)))
    const { violations, passes } = await new AxeBuilder({ page }).withTags(rules).analyze()

    const look = `${colorScheme}, ${width} pixels`
    expect(violations.map(({ id, nodes }) => [look, id, nodes.map(({ html }) => html)])).toEqual([])
    expect(passes.length, look).toBeGreaterThan(15)
    expect(await overflowOf(page), look).toBe(0)
  }
  expect(complaints).toEqual([])
})

inBrowser('it is lit as the system is, or as was chosen in the dashboard', async () => {
  const { page } = await openDashboard('docs', { theme: 'dark' })
  await page.getByText('/api/projects', { exact: true }).first().waitFor()
  const papers = () =>
    page.evaluate(() =>
      ['body', 'openapi-explorer'].map(
        (name) => getComputedStyle(document.querySelector(name) as Element).backgroundColor,
      ),
    )

  const system = await papers()
  await page.evaluate(() => localStorage.setItem('understudy-theme', 'light'))
  await page.reload()
  await page.getByText('/api/projects', { exact: true }).first().waitFor()

  expect([system, await papers()]).toEqual([
    ['rgb(22, 24, 26)', 'rgb(22, 24, 26)'],
    ['rgb(251, 251, 250)', 'rgb(251, 251, 250)'],
  ])
})
