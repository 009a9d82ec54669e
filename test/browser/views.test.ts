import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { annotationsPath as list } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { openDashboard } from './dashboard.ts'
import { sendRequests } from './dashboard-views.ts'

withChromium('the link of a request is as large as a finger, and leads to it', async () => {
  const { page } = await openDashboard('', { arrange: sendRequests })
  const link = page.getByRole('link', { name: 'Request 6' }).first()

  const { width = 0, height = 0 } = (await link.boundingBox()) ?? {}
  await link.click()
  await page.getByRole('heading', { name: 'Request 6' }).waitFor()

  expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
})

withChromium('requests are downloaded as a scenario', async () => {
  const { page, ask } = await openDashboard()
  await ask('PATCH', `${list}1/`, { body: { content: 'Launched' } })
  await page.getByText('1 shown').waitFor()
  await page.getByText('More').click()
  const download = page.waitForEvent('download')

  await page.getByRole('button', { name: 'Save as scenario' }).click()

  const { steps } = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
  expect(steps).toMatchObject([
    { method: 'PATCH', expect: { exact_body: { content: 'Launched' } } },
  ])
})

withChromium(
  'of ten thousand requests the latest thousand are fetched, and fifty are rows of the page',
  async () => {
    const { page, simulator } = await openDashboard('', {
      journal: { entries: 20_000, bytes: 2 ** 28 },
      async arrange({ fetch }) {
        for (let sent = 0; sent < 10_000; sent += 1) await fetch('/api/projects/')
      },
    })
    const rows = page.locator('.requests tbody tr')
    await page.getByText('1000 shown').waitFor()
    await page.getByText('Connected').waitFor()
    const counts = [await rows.count()]
    for (let sent = 0; sent < 1_000; sent += 1) await simulator.fetch('/api/projects/')
    await rows.getByText('11000', { exact: true }).waitFor()
    counts.push(await rows.count())
    await page.getByRole('button', { name: 'Last' }).click()
    await page.getByText('951–1,000 of 1,000').waitFor()
    const last = await rows.last().innerText()
    const asked = await page.evaluate(() =>
      performance.getEntriesByType('resource').flatMap(({ name }) => /limit=\d+/.exec(name) ?? []),
    )

    expect([...counts, await rows.count()]).toEqual([50, 50, 50])
    expect(last).toMatch(/^10001\s/)
    expect(asked).toEqual(['limit=1000'])
  },
)

withChromium('a status has the colour of its kind', async () => {
  const { page, ask, simulator } = await openDashboard()
  await ask('GET', list)
  await ask('DELETE', `${list}1/`)
  simulator.faults.add({ effect: { status: 503 } })
  await ask('GET', list)
  await page.locator('.requests').getByText('503', { exact: true }).waitFor()

  const tags = await page
    .locator('.requests .status')
    .evaluateAll((all) => all.map((tag) => [tag.textContent, getComputedStyle(tag).color] as const))

  expect(tags.map(([text]) => text)).toEqual(['503', '405', '200'])
  expect(new Set(tags.map(([, colour]) => colour)).size).toBe(3)
})

withChromium('on a phone, the reason is whole, and the toolbar is one line', async () => {
  const { page } = await openDashboard('', { width: 390, arrange: sendRequests })
  const reasons = page.locator('.requests td p')
  await reasons.first().waitFor()

  const cut = await reasons.evaluateAll((all) =>
    all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
  )

  expect(cut).toEqual([])
  for (const view of ['Requests', 'Rows', 'Settings']) {
    await page.getByRole('link', { name: view }).first().click()
    await page.getByRole('heading', { name: view, exact: true }).waitFor()
    expect.soft((await page.locator('.toolbar').first().boundingBox())?.height).toBeLessThan(60)
  }
})

withChromium('on a phone, an id and the name of a list are whole', async () => {
  const { page } = await openDashboard('#/rows', {
    width: 390,
    arrange: ({ world }) => world.annotations.add({ id: 4965, content: 'Launch '.repeat(9) }),
  })

  const id = await page.getByRole('link', { name: '4965' }).boundingBox()
  const select = page.getByLabel('List')
  const shown = await select.boundingBox()
  await select.evaluate(({ style }) => Object.assign(style, { minWidth: 'max-content' }))

  expect(id?.height).toBeLessThan(30)
  expect((await select.boundingBox())?.width).toBe(shown?.width)
})

withChromium('on a phone, the buttons of a key are in the window', async () => {
  const { page } = await openDashboard('#/keys', { width: 390 })
  const table = page.getByRole('region', { name: 'Keys' })

  await table.getByRole('button', { name: 'Revoke key all', exact: true }).waitFor()

  expect(
    await table.last().evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBe(0)
})
