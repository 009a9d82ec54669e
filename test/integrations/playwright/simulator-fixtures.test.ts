import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { simulatorFixtures } from '../../../src/playwright.ts'
import { authorization } from '../../support/api/headers.ts'

// test/consumers/playwright tests them in a runner and a browser.
const [simulatorFixture] = simulatorFixtures.simulator
const printed = vi.spyOn(console, 'error')
beforeEach(() => void printed.mockReset().mockImplementation(() => {}))
afterAll(() => printed.mockRestore())
const context = { route: async () => {}, unroute: async () => {} }

/** Runs a test with an outcome. Returns its attachments: names and bodies. */
async function attachedTo(outcome: { status?: string; expectedStatus: string }): Promise<string[]> {
  const attached: string[] = []
  await simulatorFixture(
    { context, simulatorOptions: {} },
    async (simulator) => {
      await simulator.fetch('/api/projects/', { headers: authorization() })
    },
    {
      ...outcome,
      titlePath: [],
      file: 'a.spec.ts',
      line: 1,
      attach: async (name, { body }) => void attached.push(name, body),
    },
  )
  return attached
}

test('a failed test prints its requests, and has them and its journal attached', async () => {
  const attached = await attachedTo({ status: 'failed', expectedStatus: 'passed' })
  const [name, text, har, body = '{}'] = attached

  expect([name, har]).toEqual(['understudy.txt', 'understudy.har'])
  expect(text).toBe(
    'Requests to the simulator, the latest last:\n  200 GET /api/projects/, key "all"',
  )
  expect(printed.mock.calls).toEqual([[text]])
  expect(JSON.parse(body).log.entries).toMatchObject([
    { request: { url: expect.stringContaining('/api/projects/') } },
  ])
})

test('a test with the expected outcome prints nothing, and has no attachment', async () => {
  expect(await attachedTo({ status: 'passed', expectedStatus: 'passed' })).toEqual([])
  expect(await attachedTo({ status: 'failed', expectedStatus: 'failed' })).toEqual([])
  expect(printed).not.toHaveBeenCalled()
})
