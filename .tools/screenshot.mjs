// Writes src/server/dashboard/screenshot.webp: the requests view of the built dashboard (npm run build), in Chromium.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { createSimulator } from '../dist/index.js'
import { listen } from '../dist/node.js'
import { toWebp } from './to-webp.mjs'

const file = fileURLToPath(new URL('../src/server/dashboard/screenshot.webp', import.meta.url))

const list = '/api/projects/1/annotations/'
const release = { content: 'Release 1.1', date_marker: '2024-06-15T09:30:00Z', scope: 'project' }
/** The requests of the picture, a few seconds apart. */
const requests = [
  { method: 'GET', path: '/api/projects/' },
  { method: 'GET', path: list },
  { method: 'GET', path: `${list}?search=release&limit=5` },
  { method: 'GET', path: '/api/projects/1/annotation/' },
  { method: 'POST', path: list, body: { ...release, date_marker: 'tomorrow' } },
  { method: 'POST', path: list, body: release },
  { method: 'POST', path: list, body: release, key: 'phx_annotation_read' },
  { method: 'GET', path: list, fault: 'throttled' },
  { method: 'GET', path: list },
  { method: 'GET', path: list, key: 'phx_unknown' },
  { method: 'PATCH', path: `${list}4/`, body: { date_marker: '2024-06-05T15:00:00Z' } },
  { method: 'DELETE', path: `${list}1/` },
  { method: 'PATCH', path: `${list}1/`, body: { content: 'Release 1.0 (undone)', deleted: true } },
  { method: 'GET', path: list },
  { method: 'GET', path: `${list}1/` },
]
const open = requests.findIndex(({ body }) => body?.deleted) + 1

const simulator = createSimulator({ clock: '2024-06-15T09:41:07Z' })
const server = await listen(simulator)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  for (const [index, request] of requests.entries()) await send(request, index)
  writeFileSync(file, await takePicture())
} finally {
  await browser.close()
  await server.close()
}

async function send({ method, path, body, key = 'phx_all', fault }, index) {
  simulator.clock.advance({ seconds: 2 + (index % 3) })
  if (fault) simulator.faults.add({ when: { times: 1 }, effect: { error: fault } })
  await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** @returns the picture */
async function takePicture() {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    timezoneId: 'UTC',
    locale: 'en-US',
  })
  // Durations vary from run to run. The picture shows constant ones, so that it only changes with the page.
  await page.route('**/__admin/journal?*', async (route) => {
    const response = await route.fetch()
    const entries = await response.json()
    const json = entries.map((entry) => ({ ...entry, ms: 0.2 + (entry.id % 4) / 10 }))
    await route.fulfill({ response, json })
  })
  await page.goto(`${server.url}/__admin/#/requests/${open}`)
  await page.getByText('Connected', { exact: true }).first().waitFor()
  await page.locator('.why .sentence').waitFor()
  await page.evaluate(() => document.activeElement?.blur())
  const png = await page.screenshot()
  await page.goto('about:blank')
  return toWebp(page, png)
}
