import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { closeBrowserAfterAll, withChromium } from '../support/browser/chromium.ts'
import { openDashboard } from '../support/browser/dashboard.ts'
import { sendRequests } from '../support/browser/dashboard-views.ts'
import { temporaryFolder } from '../support/files.ts'

closeBrowserAfterAll()

const list = '/api/projects/1/annotations/'

withChromium('the first page begins with what went wrong, errors first', async () => {
  const { page } = await openDashboard('', { arrange: sendRequests })
  const problems = page.getByRole('region', { name: 'Problems' })
  await problems.getByRole('heading', { name: '7 problems' }).waitFor()

  const badge = await page.getByRole('link', { name: 'Requests 7 problems' }).isVisible()
  await problems.getByRole('button', { name: 'Show 1 more' }).click()
  const lines = await problems.getByRole('listitem').allInnerTexts()
  const link = problems.getByRole('link', { name: 'Request 6' }).first()
  const { width = 0, height = 0 } = (await link.boundingBox()) ?? {}
  await link.click()
  await page.getByRole('heading', { name: 'Request 6' }).waitFor()

  const kinds = lines.map((line) => /^\S+/.exec(line)?.[0])
  const refusals = ['403', '404', '405', '400']
  expect(kinds).toEqual(['swallowed-delete', 'dropped', ...refusals, 'ignored-input'])
  expect(lines[1]).not.toContain('`')
  expect(badge).toBe(true)
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
  expect(await page.locator('.why .sentence').innerText()).toBe(
    '405: annotations cannot be deleted; send PATCH with {"deleted": true}.',
  )
})

withChromium.each([{ hold: true }, { delay_ms: 600_000 }] as const)(
  'a request that waits for %j is named until its fault is removed',
  async (effect) => {
    const { page, ask } = await openDashboard('', {
      arrange: ({ faults }) => faults.add({ operation: 'listAnnotations', effect }),
    })
    await page.getByText('No requests yet').waitFor()

    const response = ask('GET', list)
    await page.getByText(new RegExp(`${list} for \\d+ s\\. The fault fault-1 applies`)).waitFor()
    await page.getByRole('link', { name: 'fault-1' }).click()
    await page.getByRole('button', { name: 'Remove fault-1' }).click()
    await response
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByText('1 shown').waitFor()

    expect(await page.getByText('waiting').count()).toBe(0)
  },
)

withChromium('requests appear as they arrive, are filtered, and are downloaded', async () => {
  const { page, ask, simulator } = await openDashboard()
  await page.getByText('No requests yet').waitFor()
  const curl = await page.locator('.code-line code').innerText()

  await ask('GET', list)
  await ask('PATCH', `${list}1/`, { body: { content: 'Launched' } })
  await page.getByLabel('Filter').fill('patch 2xx changed')
  await page.getByText('1 shown').waitFor()
  await page.getByText('More').click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as scenario' }).click()
  const { steps } = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
  await page.getByRole('button', { name: 'Clear requests' }).click()
  await page.getByText('No requests yet').waitFor()

  expect(curl).toMatch(/^curl -H 'Authorization: Bearer phx_all' http.*\/annotations\/$/)
  expect(steps).toMatchObject([
    { method: 'PATCH', expect: { exact_body: { content: 'Launched' } } },
  ])
  expect(simulator.journal.find()).toEqual([])
})

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

withChromium('a request has a curl command that sends it again', async () => {
  const { page, ask } = await openDashboard('#/requests/1')
  await ask('POST', list, { body: { content: "It's live" } })

  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied the curl command').waitFor()

  const command = await page.evaluate(() => navigator.clipboard.readText())
  expect(command).toMatch(/^curl -X POST -H 'authorization: Bearer phx_all' /)
  expect(command).toContain(`--data-raw '{"content":"It'\\''s live"}'`)
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

withChromium(
  'scenarios of the folder, and those of the package, run with the first difference',
  async () => {
    const steps = [
      { title: 'read it', as: 'all', method: 'GET', path: `${list}1/`, expect: { status: 404 } },
    ]
    const scenarios = temporaryFolder({ 'mine.json': { title: 'It is gone', steps } })
    const { page, simulator } = await openDashboard('#/scenarios', { listenOptions: { scenarios } })

    await page.getByText('package', { exact: true }).first().waitFor()
    await page.getByRole('searchbox').fill('mine')
    await page.getByRole('link', { name: 'It is gone' }).click()
    await page.getByRole('button', { name: 'Run all' }).click()
    await page.getByRole('heading', { name: 'First difference: step 1, status' }).waitFor()

    expect(await page.getByLabel('Expected').innerText()).toBe('404')
    expect(await page.getByLabel('Actual').innerText()).toBe('200')
    expect(simulator.journal.find()).toEqual([])
  },
)
