import { expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.ts'
import { sweepScenario } from '../../../../src/scenarios/run/sweep-scenario.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { annotationsPath, createStory } from '../../../support/scenarios/story.ts'

const remove = { as: 'all', method: 'DELETE', path: `${annotationsPath}1/` } as const

const sweep = (steps: Scenario['steps']) =>
  sweepScenario((each) => createSimulator().replay(createStory(steps), each))

test('a sweep finds the policies that a scenario depends on, and the steps that differ', async () => {
  const result = await sweep([
    { title: 'deletes it', ...remove, expect: { status: 405, body: { attr: null } } },
  ])

  const { title, consulted, tried, depends_on } = result
  expect(title).toBe('An annotation')
  expect(consulted).toContain('annotations.delete.status')
  expect(tried).toBeGreaterThan(consulted.length)
  const [first] = depends_on.filter(({ policy }) => policy === 'annotations.delete.status')
  expect(first).toEqual({
    policy: 'annotations.delete.status',
    setting: '405',
    evidence: 'documented',
    source: 'the documentation says: hard deletion is not allowed; the caller is told to use PATCH',
    breaks: [
      {
        value: '403',
        meaning: 'The same message, for any id.',
        evidence: 'assumed',
        source: 'never seen; a robust client tolerates it',
        steps: ['step 1, deletes it: status: expected 405, got 403'],
      },
      expect.objectContaining({ value: '404' }),
      expect.objectContaining({
        value: '405_empty',
        evidence: 'observed',
        steps: ['step 1, deletes it: body: expected {"attr":null}, got nothing'],
      }),
    ],
  })
})

test('a scenario that fails is not swept', async () => {
  const read = { as: 'all', method: 'GET', path: annotationsPath } as const

  await expect(sweep([read, { ...remove, expect: { status: 404 } }])).rejects.toThrow(
    'Failed to sweep the scenario: step 2 does not pass with the policies as they are. Replay it first.',
  )
})
