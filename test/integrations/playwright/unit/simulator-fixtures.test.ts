import { expect, test } from 'vitest'
import { simulatorFixtures } from '../../../../src/playwright.ts'
import { authorization } from '../../../support/api/headers.ts'

// test/consumers/playwright tests them in a runner and a browser.
const [simulatorFixture] = simulatorFixtures.simulator
const context = { route: async () => {}, unroute: async () => {} }

/** Runs a test with an outcome. Returns its attachments: names and bodies. */
async function attachedTo(outcome: { status?: string; expectedStatus: string }): Promise<string[]> {
  const attached: string[] = []
  await simulatorFixture(
    { context, simulatorOptions: {} },
    async (simulator) => {
      await simulator.fetch('/api/projects/', { headers: authorization() })
    },
    { ...outcome, attach: async (name, { body }) => void attached.push(name, body) },
  )
  return attached
}

test('a failed test has its journal attached', async () => {
  const [name, body = '{}'] = await attachedTo({ status: 'failed', expectedStatus: 'passed' })

  expect(name).toBe('understudy.har')
  expect(JSON.parse(body).log.entries).toMatchObject([
    { request: { url: expect.stringContaining('/api/projects/') } },
  ])
})

test('a test with the expected outcome has no attachment', async () => {
  expect(await attachedTo({ status: 'passed', expectedStatus: 'passed' })).toEqual([])
  expect(await attachedTo({ status: 'failed', expectedStatus: 'failed' })).toEqual([])
})
