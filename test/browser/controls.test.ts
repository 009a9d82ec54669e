import { expect } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import { readWorld } from '../../src/node.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { closeBrowserAfterAll, openDashboard } from '../support/browser/dashboard.ts'

closeBrowserAfterAll()

withChromium('the world is replaced by a fixture', async () => {
  const { page, simulator } = await openDashboard('#/controls')
  const worlds = page.getByRole('region', { name: 'Load a world' }).getByRole('combobox')

  await expect.poll(() => worlds.locator('option').allInnerTexts()).toContain('odd')
  await worlds.selectOption('odd')
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await page.getByText('World odd loaded.').waitFor()

  expect(simulator.world.toJSON()).toEqual(
    createSimulator({ world: await readWorld('odd') }).world.toJSON(),
  )
})

withChromium('the clock is set, advanced and released', async () => {
  const { page, simulator } = await openDashboard('#/controls')
  const { clock } = simulator

  await page.getByRole('textbox', { name: 'Freeze at (UTC)' }).fill('2024-06-01 00:00')
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByText('Clock frozen at 2024-06-01 00:00:00.').waitFor()
  await page.getByLabel('Advance by').fill('36')
  await page.getByRole('button', { name: 'Advance' }).click()
  await page.getByText('Clock advanced by 36 hours.').waitFor()
  await page.getByText('2024-06-02 12:00:00').waitFor()
  const advanced = clock.read()
  await page.getByRole('button', { name: 'Real time' }).click()
  await page.getByText('Clock set to real time.').waitFor()

  expect(advanced).toEqual({ mode: 'frozen', now: '2024-06-02T12:00:00Z' })
  expect(clock.mode).toBe('real')
})

withChromium('a clock that is not frozen runs on, and its mode is the pressed button', async () => {
  const { page } = await openDashboard('#/controls', {
    clock: { mode: 'ticking', time: '2024-06-01T00:00:00Z' },
  })
  const time = page.locator('.clock time')
  const first = await time.innerText()

  await expect.poll(() => time.innerText()).not.toBe(first)

  expect(first).toMatch(/^2024-06-01 00:00:\d\d UTC$/)
  expect(await page.locator('.card button[aria-pressed=true]').allInnerTexts()).toEqual([
    'Run from here',
  ])
})

withChromium('a fault has a status, headers and a body of its own', async () => {
  const { page, ask, simulator } = await openDashboard('#/controls/faults')

  await page.getByLabel('Effect').selectOption('status')
  await page.getByLabel('Status', { exact: true }).fill('502')
  await page.getByLabel('Headers, as JSON').fill('{"x-proxy": "down"}')
  await page.getByLabel('Body: JSON, or any text').fill('{"error": "bad gateway"}')
  await page.getByText('Every request: the response is a 502.').waitFor()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByText('Fault rule added.').waitFor()
  const { status, body } = await ask('GET', '/api/projects/')
  const [entry] = simulator.journal.find()

  expect(simulator.faults.list().map(({ phase, effect }) => ({ phase, effect }))).toEqual([
    {
      phase: 'before',
      effect: { status: 502, headers: { 'x-proxy': 'down' }, body: { error: 'bad gateway' } },
    },
  ])
  expect([status, entry?.response.headers['x-proxy'], body]).toEqual([
    502,
    'down',
    { error: 'bad gateway' },
  ])
})

withChromium('the errors of the service are listed by their status', async () => {
  const { page } = await openDashboard('#/controls/faults')

  const errors = page.getByLabel('Effect').locator('optgroup').first().locator('option')

  await expect
    .poll(() => errors.allInnerTexts())
    .toEqual([
      '400 parse error',
      '400 validation error',
      '401 not authenticated',
      '401 authentication failed',
      '403 permission denied',
      '404 not found',
      '405 method not allowed',
      '406 not acceptable',
      '413 body too large',
      '415 unsupported media type',
      '429 throttled',
      '500 server error',
    ])
})

withChromium('a snapshot is saved and restored', async () => {
  const { page, simulator } = await openDashboard('#/controls')

  await page.getByLabel('Snapshot name').fill('clean')
  await page.getByRole('button', { name: 'Save snapshot' }).click()
  await page.getByText('Snapshot clean saved.').waitFor()
  simulator.world.annotations.update(1, { content: 'Changed' })
  await page.getByRole('button', { name: 'Restore clean' }).click()
  await page.getByText('Changes since the snapshot are lost.').waitFor()
  const beforeConfirmation = simulator.world.annotations.get(1)?.content
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('Snapshot clean restored.').waitFor()

  expect([beforeConfirmation, simulator.world.annotations.get(1)?.content]).toEqual([
    'Changed',
    'Release 1.0',
  ])
})

withChromium('a reset asks first', async () => {
  const { page, simulator } = await openDashboard('#/controls')
  const dialog = page.getByRole('dialog')
  simulator.world.annotations.update(1, { content: 'Changed' })

  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await dialog.getByText('All changes since the start are lost.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  const afterClose = simulator.world.annotations.get(1)?.content
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await page.getByText('Everything is reset.').waitFor()

  expect([afterClose, simulator.world.annotations.get(1)?.content]).toEqual([
    'Changed',
    'Release 1.0',
  ])
})

withChromium('a sandbox is created, opened and deleted; an unknown world is an error', async () => {
  const { page, simulator } = await openDashboard('#/controls')

  await page
    .locator('[name=from] option', { hasText: 'Fixture odd' })
    .waitFor({ state: 'attached' })
  // The snapshot was deleted after the menu was opened.
  await page.locator('[name=from]').evaluate((element) => {
    const select = element as HTMLSelectElement
    select.options[1]?.setAttribute('value', 'nowhere')
    select.value = 'nowhere'
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await page.getByRole('button', { name: 'New sandbox' }).click()
  await page.getByRole('alert').filter({ hasText: 'nowhere' }).waitFor()
  await page.locator('[name=from]').selectOption({ label: 'Fixture odd' })
  await page.getByRole('button', { name: 'New sandbox' }).click()
  await page.getByRole('link', { name: 'Open sandbox-1' }).click()
  await page.getByText('World of sandbox-1').waitFor()
  const world = await page.locator('.bar select').inputValue()
  await page.goBack()
  await page.getByRole('button', { name: 'Delete sandbox-1' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Its rows are lost, and requests with its keys are refused.').waitFor()
  const asked = simulator.sandboxes.list().length
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Sandbox sandbox-1 deleted.').waitFor()

  await page.getByText('No sandboxes yet.').waitFor()
  expect([world, asked, simulator.sandboxes.list()]).toEqual(['sandbox-1', 1, []])
})

withChromium('the key of a sandbox is copied', async () => {
  const { page } = await openDashboard('#/controls', {
    arrange: ({ sandboxes }) => sandboxes.create({ keys: { all: 'phx_mine' } }),
  })

  await page.getByText('10 keys').click()
  await page.getByRole('button', { name: 'Copy phx_mine' }).click()
  await page.getByText('Copied phx_mine.').waitFor()

  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('phx_mine')
})

withChromium(
  'presets are switches; a fault is added by a form, and faults are removed',
  async () => {
    const { page, ask, simulator } = await openDashboard('#/controls/faults')

    const flaky = page.getByRole('switch', { name: 'flaky' })
    await flaky.click()
    await page.getByText('1 in 18 requests: the connection drops before the request').waitFor()
    const switchedOn = [await flaky.isChecked(), simulator.faults.list().length]
    await flaky.click()
    await page.getByText('No faults.').waitFor()
    const switchedOff = [await flaky.isChecked(), simulator.faults.list().length]
    await page.getByRole('switch', { name: 'read-only' }).click()
    await page.getByText('Preset read-only turned on.').waitFor()
    await page.getByRole('button', { name: 'Remove all' }).click()
    await page.getByText('All faults removed.').waitFor()
    await page.getByLabel('Operation').selectOption('listAnnotations')
    await page.getByLabel('Effect').selectOption('error throttled')
    await page.getByLabel('Retry after (s)').fill('5')
    await page.getByLabel('Maximum times').fill('1')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByText('Fault rule added.').waitFor()
    const sentence = 'The first listAnnotations request: the response is a 429 (throttled)'
    await page.locator('.items').getByText(sentence).waitFor()
    await page.getByLabel('Operation').selectOption('listPlugins')
    await page.getByLabel('Effect').selectOption('variant extra_field')
    await page.getByLabel('Maximum times').fill('')
    await page.getByRole('button', { name: 'Add rule' }).click()
    const variant = 'Every listPlugins request: every row has one more field'
    await page.locator('.items').getByText(variant).waitFor()
    const rules = simulator.faults
      .list()
      .map(({ operation, when, effect }) => ({ operation, when, effect }))
    const response = await ask('GET', '/api/projects/1/annotations/')
    await page.getByText('matched 1, applied 1').waitFor()

    expect([switchedOn, switchedOff]).toEqual([
      [true, 3],
      [false, 0],
    ])
    expect(rules).toEqual([
      { operation: 'listPlugins', when: undefined, effect: { variant: 'extra_field' } },
      {
        operation: 'listAnnotations',
        when: { times: 1 },
        effect: { error: 'throttled', retry_after_s: 5 },
      },
    ])
    expect(response.status).toBe(429)
  },
)

withChromium('an invalid fault rule is an error in the form', async () => {
  const { page, simulator } = await openDashboard('#/controls/faults')
  const error = page.getByRole('alert')

  await page.getByRole('button', { name: 'Edit as JSON' }).click()
  await page.getByLabel('JSON', { exact: true }).fill('{')
  await page.getByRole('button', { name: 'Add rule' }).click()
  await error.filter({ hasText: 'Invalid JSON: ' }).waitFor()
  await page.getByLabel('JSON', { exact: true }).fill('{ "effect": { "error": "teapot" } }')
  await page.getByRole('button', { name: 'Add rule' }).click()
  await error.filter({ hasText: 'teapot' }).waitFor()

  expect(await page.locator('.notification').count()).toBe(0)
  expect(simulator.faults.list()).toEqual([])
})

withChromium('a policy shows its question, evidence and values, and is set and reset', async () => {
  const { page, ask, simulator } = await openDashboard(
    '#/controls/policies/annotations.delete.status',
  )
  const policy = page.locator('[id="annotations.delete.status"]')

  await policy.getByRole('radio', { name: /^404/ }).check()
  await page.getByText('Set annotations.delete.status to 404.').waitFor()
  await policy.getByText('changed').waitFor()
  const summary = await policy.locator('summary').innerText()
  const { status } = await ask('DELETE', '/api/projects/1/annotations/1/')
  const text = await policy.innerText()
  await policy.getByRole('button', { name: 'Reset annotations.delete.status' }).click()
  await policy.getByText('changed').waitFor({ state: 'detached' })

  expect(summary.split(/\s*\n\s*/)).toEqual([
    'What does DELETE …/annotations/:id return?',
    'annotations.delete.status',
    '404 changed',
    '405',
    '405_empty',
    'evidence: assumed',
  ])
  expect(text).toMatch(/API documentation: /)
  expect([status, simulator.policies.get('annotations.delete.status')]).toEqual([404, '405'])
})

withChromium('changed policies are filtered, also after a reload', async () => {
  const { page } = await openDashboard('#/controls/policies', {
    policies: { 'annotations.delete.status': 403, 'errors.body': 'detail' },
  })
  const ids = () =>
    page.locator('.policy-list > li').evaluateAll((items) => items.map(({ id }) => id))

  await page.getByLabel('Show').selectOption('changed')
  await page.getByText('2 policies', { exact: true }).waitFor()
  await page.getByLabel('Search').fill('delete')
  await page.getByText('1 policy', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('1 policy', { exact: true }).waitFor()

  expect(page.url()).toContain('#/controls/policies?search=delete&show=changed')
  expect(await ids()).toEqual(['annotations.delete.status'])
})

withChromium(
  'policies that differ in the profiles are shown, and a profile is applied',
  async () => {
    const { page, simulator } = await openDashboard('#/controls/policies')
    const different = simulator.policies
      .list()
      .filter(({ documented, live }) => documented !== live)

    await page.getByLabel('Show').selectOption('profiles')
    await page.getByText(`${different.length} policies`, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Apply profile live' }).click()
    await page.getByText('Profile live applied.').waitFor()
    await page.locator('button:disabled', { hasText: 'Apply profile live' }).waitFor()

    expect(simulator.policies.list().filter(({ setting, live }) => setting !== live)).toEqual([])
  },
)
