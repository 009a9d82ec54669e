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

withChromium('a curl command has no key that only looks like that of the request', async () => {
  const { page, ask, simulator } = await openDashboard('#/requests/1')
  // The journal shows no more of it than `phx_…`.
  await ask('GET', list, { key: simulator.keys.issue({ value: 'phx_mine' }) })

  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText('Copied the curl command').waitFor()

  const command = await page.evaluate(() => navigator.clipboard.readText())
  expect(command).toMatch(/^curl -H 'authorization: Bearer YOUR_KEY' /)
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

withChromium('rows are searched page by page, edited as JSON, added and removed', async () => {
  const { page, ask, simulator } = await openDashboard('#/rows', {
    arrange: ({ world }) => {
      for (let index = 0; index < 92; index++) world.annotations.add({ content: `Batch ${index}` })
    },
  })
  await page.getByText('1–50 of 100').waitFor()
  await page.getByRole('button', { name: 'Last' }).click()
  // The last page of exactly two pages has rows.
  await page.getByText('51–100 of 100').waitFor()
  await page.getByRole('button', { name: 'First' }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('51–100 of 100').waitFor()
  await page.getByLabel('Search').fill('batch 59')
  await page.getByText('1–1 of 1').waitFor()
  await page.getByRole('link', { name: '68' }).click()

  const text = await page.getByLabel('JSON').inputValue()
  await ask('PATCH', `${list}68/`, { body: { date_marker: '2024-06-01T00:00:00Z' } })
  await page.getByLabel('JSON').fill(text.replace('Batch 59', 'Batch 59, edited'))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Row saved.').waitFor()

  // What a client changed meanwhile is kept.
  expect(simulator.world.annotations.get(68)).toMatchObject({
    content: 'Batch 59, edited',
    date_marker: '2024-06-01T00:00:00Z',
  })

  page.on('dialog', (dialog) => dialog.accept())
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No annotations match the search.').waitFor()
  await page.getByLabel('List').selectOption('users')
  await page.getByRole('link', { name: 'Add' }).click()
  await page.getByLabel('JSON').fill('{ "email": "nope" }')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('an e-mail address, got "nope"').waitFor()

  expect(simulator.world.annotations.get(68)).toBeUndefined()
})

withChromium('an empty list says so, and a row of a client appears in it', async () => {
  const { page, simulator } = await openDashboard('#/rows', { world: 'empty' })
  await page.getByText('This world has no annotations.').waitFor()

  await simulator.fetch(list, {
    method: 'POST',
    headers: { authorization: 'Bearer phx_all', 'content-type': 'application/json' },
    body: '{"content":"From a client"}',
  })

  await page.getByText('From a client').waitFor()
})

withChromium('on a phone, the buttons of a key are in the window', async () => {
  const { page } = await openDashboard('#/keys', { width: 390 })
  const table = page.getByRole('region', { name: 'Keys' })

  await table.getByRole('button', { name: 'Revoke key all', exact: true }).waitFor()

  expect(
    await table.last().evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBe(0)
})

withChromium('keys are issued and revoked', async () => {
  const { page, simulator } = await openDashboard('#/keys')
  page.on('dialog', (dialog) => dialog.accept())
  await page.getByText('no scopes', { exact: true }).waitFor()

  await page.getByLabel('Value').fill('phx_mine')
  await page.getByLabel('Scopes').fill('annotation:read, plugin:read')
  await page.getByLabel('Only in').fill('1')
  await page.getByRole('button', { name: 'Issue' }).click()
  await page.getByText('annotation:read, plugin:read, only in project 1').waitFor()
  await page.getByRole('button', { name: 'Revoke key all', exact: true }).click()
  await page.getByText('Key all revoked.').waitFor()

  const keys = simulator.keys.list()
  expect(keys.find(({ label }) => label === 'all')).toBeUndefined()
  expect(keys.find(({ value }) => value === 'phx_mine')).toMatchObject({
    scopes: ['annotation:read', 'plugin:read'],
    projects: [1],
  })
})

withChromium(
  'presets are switched on and off, and a sentence says what a new fault will do',
  async () => {
    const { page, simulator } = await openDashboard('#/faults')

    await page.getByRole('checkbox', { name: 'outage' }).click()
    await page.getByRole('checkbox', { name: 'outage', checked: true }).waitFor()
    await page.getByText('The preset outage is on.').waitFor()
    await page.getByLabel('Operation').selectOption('listAnnotations')
    await page
      .getByLabel('Effect')
      .selectOption({ label: 'The connection drops before the request is carried out' })
    const sentence = await page.locator('.sentence').innerText()
    await page.getByLabel('JSON').fill('{ "effect": {} }')
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByRole('alert').getByText('effect').waitFor()
    await page.getByLabel('JSON').fill('{ "operation": "listPlugins", "effect": { "drop": true } }')
    await page.getByRole('button', { name: 'Add fault' }).click()
    await page.getByText('The fault is added.').waitFor()
    await page.getByRole('checkbox', { name: 'outage' }).click()
    await page.getByRole('checkbox', { name: 'outage', checked: false }).waitFor()
    await page.getByText('The preset outage is off.').waitFor()

    expect(sentence).toBe(
      'The first listAnnotations request: the connection drops before the request is carried out.',
    )
    expect(simulator.faults.list()).toMatchObject([
      { operation: 'listPlugins', effect: { drop: true }, preset: null },
    ])
  },
)

withChromium('a preset that is used up in part is neither on nor off', async () => {
  const { page, ask } = await openDashboard('#/faults', {
    arrange: ({ faults }) => faults.add({ preset: 'lost-create' }),
  })
  const box = page.getByRole('checkbox', { name: 'lost-create' })
  await box.and(page.getByRole('checkbox', { checked: true })).waitFor()

  await ask('POST', list, { body: { content: 'Launch' } }).catch(() => {})
  await page.getByText('Used up: 1 of 2 faults.').waitFor()
  const isPartial = await box.evaluate((input: HTMLInputElement) => input.indeterminate)
  await box.click()
  await page.getByText('The preset lost-create is on.').waitFor()

  expect(isPartial).toBe(true)
  expect(await page.getByText('Used up').count()).toBe(0)
})

withChromium('settings begin with those in which the profiles differ', async () => {
  const { page, simulator } = await openDashboard('#/settings')
  await page.getByRole('heading', { name: 'Different in the profiles' }).waitFor()
  const first = await page.getByRole('heading', { level: 2 }).first().innerText()

  await page.getByLabel('Search settings').fill('annotations.delete.status')
  await page.getByText('annotations.delete.status').click()
  const before = await page.getByRole('radio', { name: '405', exact: false }).first().isChecked()
  await page.getByRole('radio', { name: '404' }).click()
  await page.getByText('1 setting changed').waitFor()
  await page.getByRole('button', { name: 'Back to 405 annotations.delete.status' }).waitFor()
  const checked = await page
    .locator('details[open] label:has(input:checked) > code')
    .allInnerTexts()
  await page.getByRole('combobox', { name: 'Profile' }).selectOption('live')
  await page.getByText('profile live', { exact: true }).waitFor()

  expect([first, before, checked]).toEqual(['Different in the profiles', true, ['404']])
  expect(simulator.settings.list().every(({ value, live }) => value === live)).toBe(true)
})

withChromium('clock, snapshots, sandboxes and the world are set', async () => {
  const { page, simulator } = await openDashboard('#/state')
  page.on('dialog', (dialog) => dialog.accept())
  await page.getByText('2024-06-15 12:00:00 UTC').waitFor()
  const hasSelect = await page.getByRole('combobox', { name: 'Sandbox' }).isVisible()

  await page.getByRole('button', { name: '+1 day' }).click()
  await page.getByText('2024-06-16 12:00:00 UTC').waitFor()
  await page.getByLabel('Name').fill('before')
  await page.getByRole('button', { name: 'Save snapshot' }).click()
  await page.getByRole('button', { name: 'Restore before' }).waitFor()
  simulator.world.annotations.delete(1)
  await page.getByRole('button', { name: 'Restore before' }).click()
  await page.getByText('Restored before.').waitFor()
  await page.getByRole('button', { name: 'New sandbox' }).click()
  await page.getByRole('link', { name: 'Open sandbox-1' }).click()
  await page.getByRole('link', { name: 'State' }).click()
  await page.getByRole('combobox', { name: 'World' }).selectOption('empty')
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await page.getByRole('link', { name: 'Rows' }).click()
  await page.getByText('This world has no annotations.').waitFor()
  await page.getByLabel('Sandbox').selectOption('')
  await page.getByText('1–8 of 8').waitFor()

  expect(hasSelect).toBe(false)
  expect(simulator.world.annotations.get(1)).toBeDefined()
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
