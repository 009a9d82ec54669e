import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/server/listen.ts'
import { createSimulator } from '../../src/simulator.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { closeBrowserAfterAll, openDashboard } from '../support/browser/dashboard.ts'
import { looks, overflowOf } from '../support/browser/dashboard-views.ts'
import { root } from '../support/cli/command.ts'

closeBrowserAfterAll()
// Without best-practice: the order of headings is that of openapi-explorer.
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const folder = join(root, 'dist', 'dashboard', 'docs')

test('the API reference loads nothing from other servers: its files contain no URL to fetch', () => {
  const texts = readdirSync(folder)
    .filter((name) => /\.(html|css|js)$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const loading = /(?:src|href)=["']?https?:|@import|url\(["']?https?:|importScripts|fonts\.google/i

  expect(texts.length).toBeGreaterThan(3)
  expect(texts.filter((text) => loading.test(text))).toEqual([])
  expect(statSync(join(folder, 'openapi-explorer.min.js')).size).toBeLessThan(800_000)
})

test('the API reference is guarded like the control API, and may load from its own server only', async () => {
  const server = await listen(createSimulator())
  onTestFinished(() => server.close())

  const page = await fetch(`${server.url}/__admin/docs/`)
  const crossSite = await fetch(`${server.url}/__admin/docs/`, {
    headers: { origin: 'https://evil.example.com' },
  })

  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect([page.status, crossSite.status]).toEqual([200, 403])
})

withChromium('an operation of the API runs with a key of the world', async () => {
  const { page, simulator, pageErrors } = await openDashboard('docs')

  await page.getByText('/api/projects', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('Response Status: OK (200)').waitFor()

  expect(
    simulator.journal.find().map(({ operation, response }) => [operation, response.status]),
  ).toEqual([['listProjects', 200]])
  expect(pageErrors).toEqual([])
})

withChromium('an operation of a project is tried out without typing', async () => {
  const { page, simulator } = await openDashboard('docs/')

  await page.getByText('/api/projects/{project_id}/annotations', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('Response Status: OK (200)').waitFor()

  expect(simulator.journal.find().map(({ path }) => path)).toEqual(['/api/projects/1/annotations'])
})

withChromium('the API reference works behind a reverse proxy with a path prefix', async () => {
  const { page, simulator } = await openDashboard()
  const prefixed = await listenBehindPrefix(new URL(page.url()).origin, '/understudy')

  await page.goto(`${prefixed}/__admin/docs/`)
  await page.getByText('/api/projects', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('Response Status: OK (200)').waitFor()
  await page.goto(`${prefixed}/__admin/docs/?of=control`)
  await page.getByText('/__admin/sandboxes', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('link', { name: 'Requests' }).first().click()
  await page.getByRole('link', { name: '/api/projects' }).waitFor()

  expect(simulator.journal.find()).toHaveLength(1)
})

/** Starts a reverse proxy that serves a server below a path prefix. @returns the URL of the prefix */
async function listenBehindPrefix(target: string, prefix: string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming
    if (!url.startsWith(prefix)) return outgoing.writeHead(404).end()
    const forwarded = request(
      target + url.slice(prefix.length),
      { method, headers },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      },
    )
    // The dashboard waits for events, and the server may end while it does.
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}`
}

withChromium('the page documents the control API, too', async () => {
  const { page, pageErrors } = await openDashboard('docs/?of=control')

  await page.getByText('/__admin/sandboxes', { exact: true }).first().waitFor()

  expect(pageErrors).toEqual([])
})

withChromium('the API reference is accessible in both themes, wide and narrow', async () => {
  const { page, pageErrors } = await openDashboard('docs')
  await page.getByText('/api/projects', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.getByText('Response Status: OK (200)').waitFor()

  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    // During a transition, colors belong to neither theme.
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
    const { violations, passes } = await new AxeBuilder({ page }).withTags(rules).analyze()

    const look = `${colorScheme}, ${width} pixels`
    expect(violations.map(({ id, nodes }) => [look, id, nodes.map(({ html }) => html)])).toEqual([])
    expect(passes.length, look).toBeGreaterThan(15)
    expect(await overflowOf(page), look).toBe(0)
  }
  expect(pageErrors).toEqual([])
})

withChromium('the theme follows the system, or the choice in the dashboard', async () => {
  const { page } = await openDashboard('docs', { theme: 'dark' })
  await page.getByText('/api/projects', { exact: true }).first().waitFor()
  const backgrounds = () =>
    page.evaluate(() =>
      ['body', 'openapi-explorer'].map(
        (name) => getComputedStyle(document.querySelector(name) as Element).backgroundColor,
      ),
    )

  const system = await backgrounds()
  await page.evaluate(() => localStorage.setItem('understudy-theme', 'light'))
  await page.reload()
  await page.getByText('/api/projects', { exact: true }).first().waitFor()

  expect([system, await backgrounds()]).toEqual([
    ['rgb(19, 22, 21)', 'rgb(19, 22, 21)'],
    ['rgb(247, 247, 244)', 'rgb(247, 247, 244)'],
  ])
})
