import { expect, test } from 'vitest'
import type { PolicyOverrides } from '../../../../src/policies/settings.ts'
import { parseScenario } from '../../../../src/scenarios/format/check-scenario.ts'
import { type ReplayOptions, runScenario } from '../../../../src/scenarios/run/run-scenario.ts'
import { createLocalTarget } from '../../../../src/scenarios/run/simulator-target.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { annotationsPath, createStory } from '../../../support/scenarios/story.ts'

const baseUrl = 'http://localhost'

/** Replays a DELETE in a service that does not show its policies, and explains it by a simulation. */
async function explain(
  service: PolicyOverrides,
  expected: object,
  simulated: PolicyOverrides = {},
) {
  const scenario = parseScenario(
    createStory([{ as: 'all', method: 'DELETE', path: `${annotationsPath}1/`, expect: expected }]),
  )
  const open = async () => ({
    ...(await createLocalTarget(createSimulator({ policies: service }), baseUrl)),
    latest: async () => undefined,
    settings: async () => ({}),
  })
  const simulate = (options: ReplayOptions) => {
    const policies = { ...simulated, ...options.policies }
    const target = () => createLocalTarget(createSimulator({ policies }), baseUrl)
    return runScenario(scenario, target, options)
  }
  const { steps } = await runScenario(scenario, open, {}, simulate)
  const [{ decided_by, undecided, unexplained, policies }] = steps as [(typeof steps)[number]]
  return {
    decided: decided_by.map(
      ({ id, setting, would_be, alone, simulated, partial }) =>
        [id, setting, would_be, { alone, simulated, partial }] as const,
    ),
    undecided,
    unexplained,
    policies,
  }
}

test('a service responds as a simulation does with another value of one policy', async () => {
  const service = { 'annotations.delete.status': '404' } as const

  expect(await explain(service, { status: 405 })).toEqual({
    decided: [
      [
        'annotations.delete.status',
        '404',
        '405',
        { alone: true, simulated: true, partial: undefined },
      ],
    ],
    undecided: undefined,
    unexplained: undefined,
    policies: [],
  })
})

test('a service responds with no setting as it does', async () => {
  const result = await explain({ 'keys.missing.status': '403' }, { status: 405, text: 'x' }, {})

  expect(result.decided).toEqual([])
  expect(result.undecided).toBe(
    'a simulation does not respond as expected either. It has other rows',
  )
})
