import { expect } from 'vitest'
import { endBrowserAfterAll, inBrowser, openDashboard } from '../support/browser/dashboard.ts'

endBrowserAfterAll()

inBrowser('the clock is set, moved on and released', async () => {
  const { page, simulator } = await openDashboard('#/controls')
  const { clock } = simulator

  await page.getByLabel('Time', { exact: true }).fill('2024-06-01T00:00:00Z')
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByText('The clock stands at 2024-06-01T00:00:00Z.').waitFor()
  await page.getByLabel('How much').fill('36')
  await page.getByRole('button', { name: 'Move on' }).click()
  await page.getByText('2024-06-02 12:00:00').waitFor()
  const moved = clock.read()
  await page.getByRole('button', { name: 'Real time' }).click()
  await page.getByText('The clock shows the real time.').waitFor()

  expect(moved).toEqual({ mode: 'frozen', now: '2024-06-02T12:00:00Z' })
  expect(clock.mode).toBe('real')
})

inBrowser('a snapshot is saved and gone back to', async () => {
  const { page, simulator } = await openDashboard('#/controls')

  await page.getByLabel('Name of the snapshot').fill('clean')
  await page.getByRole('button', { name: 'Save the rows' }).click()
  await page.getByText('Saved the snapshot clean.').waitFor()
  simulator.world.annotations.update(1, { content: 'Changed' })
  await page.getByRole('button', { name: 'Restore clean' }).click()
  await page.getByText('The rows are as in clean.').waitFor()

  expect(simulator.world.annotations.get(1)?.content).toBe('Release 1.0')
})

inBrowser('a sandbox is begun, looked at and ended; a mistake is told', async () => {
  const { page, simulator } = await openDashboard('#/controls')

  await page.getByLabel('From a fixture').fill('nowhere')
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.getByText('Failed to create a sandbox: expected the name of a fixture').waitFor()
  await page.getByLabel('From a fixture').fill('odd')
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.getByRole('link', { name: 'Look at sandbox-1' }).click()
  await page.getByText('Nothing was asked yet').waitFor()
  const world = await page.getByLabel('World').inputValue()
  await page.goBack()
  await page.getByRole('button', { name: 'End sandbox-1' }).click()
  await page.getByText('Ended sandbox-1.').waitFor()

  expect([world, simulator.sandboxes.list()]).toEqual(['sandbox-1', []])
})

inBrowser('faults are added by a preset and by fields, and end', async () => {
  const { page, ask, simulator } = await openDashboard('#/controls/faults')

  await page.getByRole('button', { name: 'read-only' }).click()
  await page.getByText('Added the faults of read-only.').waitFor()
  await page.getByRole('button', { name: 'End all' }).click()
  await page.getByText('Ended all faults.').waitFor()
  await page.getByLabel('Operation').selectOption('listAnnotations')
  await page.getByLabel('What happens').selectOption('throttled')
  await page.getByLabel('How often').fill('1')
  await page.getByRole('button', { name: 'Add the rule' }).click()
  await page.getByText('Added a fault.').waitFor()
  const rules = simulator.faults
    .list()
    .map(({ operation, when, effect }) => ({ operation, when, effect }))
  const answer = await ask('GET', '/api/projects/1/annotations/')
  await page.getByText('1 matched, 1 disturbed').waitFor()

  expect(rules).toEqual([
    { operation: 'listAnnotations', when: { times: 1 }, effect: { error: 'throttled' } },
  ])
  expect(answer.status).toBe(429)
})

inBrowser('a policy tells its question, evidence and answers, and is set', async () => {
  const { page, ask } = await openDashboard('#/controls/policies/annotations.delete.status')
  const policy = page.locator('[id="annotations.delete.status"]')

  await policy.getByRole('radio', { name: /^404/ }).check()
  await page.getByText('annotations.delete.status is 404 now.').waitFor()

  expect(await policy.locator('summary').innerText()).toMatch(
    /\? annotations\.delete\.status = 404/,
  )
  expect(await policy.innerText()).toMatch(/The document: /)
  expect((await ask('DELETE', '/api/projects/1/annotations/1/')).status).toBe(404)
})

inBrowser('the profiles are compared, and one is chosen', async () => {
  const { page, simulator } = await openDashboard('#/controls/profiles')
  const different = simulator.policies.list().filter(({ documented, live }) => documented !== live)
  await page.getByText(`${different.length} policies differ`).waitFor()

  const ids = await page.locator('tbody a').allInnerTexts()
  await page.getByRole('button', { name: 'Set all to live' }).click()
  await page.getByText('Every policy is as in live.').waitFor()

  expect(ids).toEqual(different.map(({ id }) => id))
  expect(simulator.policies.list().filter(({ setting, live }) => setting !== live)).toEqual([])
})
