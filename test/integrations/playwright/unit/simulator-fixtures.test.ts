import { expect, test } from 'vitest'
import { simulatorFixtures } from '../../../../src/playwright.ts'

// In a runner and a browser they are tried by test/consumers/playwright.
const [begin] = simulatorFixtures.simulator
const context = { route: async () => {}, unroute: async () => {} }

/** Runs a test that ends so. @returns what is attached to it */
async function attachedTo(outcome: { status?: string; expectedStatus: string }): Promise<string[]> {
  const attached: string[] = []
  await begin(
    { context, simulatorOptions: {} },
    async (simulator) => {
      await simulator.fetch('/api/projects/', { headers: { authorization: 'Bearer phx_all' } })
    },
    { ...outcome, attach: async (name, { body }) => void attached.push(name, body) },
  )
  return attached
}

test('a test that fails has its journal attached', async () => {
  const [name, body = '{}'] = await attachedTo({ status: 'failed', expectedStatus: 'passed' })

  expect(name).toBe('understudy.har')
  expect(JSON.parse(body).log.entries).toMatchObject([
    { request: { url: expect.stringContaining('/api/projects/') } },
  ])
})

test('one that ends as expected has nothing', async () => {
  expect(await attachedTo({ status: 'passed', expectedStatus: 'passed' })).toEqual([])
  expect(await attachedTo({ status: 'failed', expectedStatus: 'failed' })).toEqual([])
})
