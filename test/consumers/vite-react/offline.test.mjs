import assert from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createServer, preview } from 'vite'
import { end, launch } from './chromium.mjs'

const port = Number(process.env.PORT ?? 4173)
const url = `http://127.0.0.1:${port}/`
const at = { host: '127.0.0.1', port, strictPort: true }
const serveBuilt = () => preview({ preview: at, build: { outDir: 'dist-offline' } })

/** Its list, once it has as many rows. */
async function rowsOf(page, count) {
  await page
    .locator('li')
    .nth(count - 1)
    .waitFor()
  return page.locator('li span').allTextContents()
}

async function add(page, content) {
  const count = await page.locator('li').count()
  await page.getByLabel('Content').fill(content)
  await page.getByRole('button', { name: 'Add' }).click()
  return rowsOf(page, count + 1)
}

test('what is added stays, and what is deleted stays away, after a reload', async () => {
  const server = await serveBuilt()
  const browser = await launch()
  const page = await browser.newPage()

  await page.goto(url)
  const before = await rowsOf(page, 6)
  await add(page, 'Made offline')
  const first = page.locator('li', { hasText: before[0] })
  await first.getByRole('button', { name: 'Delete' }).click()
  await first.waitFor({ state: 'detached' })
  await page.reload()
  const after = await rowsOf(page, 6)
  const requested = await end(browser)
  await server.close()

  assert.deepEqual(after.toSorted(), [...before.slice(1), 'Made offline'].toSorted())
  assert.deepEqual(
    requested.filter((address) => address.includes('/api/')),
    [],
  )
})

test('with its server stopped the page goes on, and no request leaves it', async () => {
  const server = await serveBuilt()
  const browser = await launch()
  const page = await browser.newPage()
  await page.goto(url)
  await rowsOf(page, 6)

  await server.close()
  const rows = await add(page, 'Nobody serves')
  await page.evaluate(() => fetch('/after-that').catch(() => {}))
  const requested = await end(browser)

  assert.ok(rows.includes('Nobody serves'))
  // The log has the page, and what the test sent at the end to see that the log would show it.
  assert.ok(requested.includes(`${url}mockServiceWorker.js`))
  assert.ok(requested.includes(`${url}after-that`))
  assert.deepEqual(
    requested.filter((address) => address.includes('/api/') || !address.startsWith(url)),
    [],
  )
})

test('the server of development serves it, too, and the console and the panel reach the simulator', async () => {
  const server = await (await createServer({ server: at, mode: 'offline' })).listen()
  const browser = await launch()
  const page = await browser.newPage()

  await page.goto(url)
  await rowsOf(page, 6)
  await add(page, 'While developing')
  await page.evaluate(async () => {
    const { world } = window.simulator
    world.annotations.add({ content: 'From the console', scope: 'project' })
  })
  await page.reload()
  const rows = await rowsOf(page, 8)
  await page.getByRole('button', { name: 'Open Understudy' }).click()
  await page.getByText('1 shown').waitFor()
  await end(browser)
  await server.close()

  assert.ok(rows.includes('From the console'))
})

test('what is built for production has nothing of it', () => {
  const hasWorker = (folder) =>
    readdirSync(`${folder}/assets`).some((name) =>
      readFileSync(`${folder}/assets/${name}`, 'utf8').includes('mockServiceWorker'),
    )

  assert.ok(hasWorker('dist-offline'))
  assert.ok(!hasWorker('dist'))
})
