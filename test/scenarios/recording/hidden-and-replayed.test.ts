import { expect, test } from 'vitest'
import { createSimulator, type Scenario } from '../../../src/index.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'
import { stepDifferences } from '../../support/scenarios/recordings.ts'

test('a key in a query or a body is hidden there, and a replay sends it in the header', async () => {
  const simulator = createSimulator({ clock: noon, profile: 'live' })
  await simulator.fetch(`${annotationsPath}?limit=1&personal_api_key=phx_all`)
  await simulator.fetch(annotationsPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"content":"Launch","personal_api_key":"phx_all"}',
  })

  const { scenario } = simulator.record()
  const { passed } = await createSimulator().run(scenario)

  expect(scenario.steps).toMatchObject([
    { as: 'all', path: `${annotationsPath}?limit=1&personal_api_key=replaced-key-1` },
    { as: 'all', body: { content: 'Launch', personal_api_key: 'replaced-key-1' } },
  ])
  expect(passed).toBe(true)
})

test('what was hidden in a response matches any value of a replay', async () => {
  const scenario: Scenario = {
    title: 'Recorded elsewhere',
    steps: [
      {
        as: 'all',
        method: 'GET',
        path: annotationsPath,
        query: { search: 'replaced-secret-1', limit: 1 },
        expect: {
          headers: { 'content-type': 'replaced-secret-2/json' },
          exact_body: { count: 0, next: null, previous: null, results: [] },
        },
      },
    ],
  }

  const result = await createSimulator().run(scenario)

  expect(stepDifferences(result)).toEqual([])
})
