import { expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.ts'
import {
  type ParsedScenario,
  parseScenario,
} from '../../../../src/scenarios/format/check-scenario.ts'
import { measureScenario, shrink } from '../../../../src/scenarios/shrink/shrink.ts'

const step = { method: 'GET', path: '/' }

test.each([
  [
    { title: 'A', steps: [step] },
    { steps: 1, rows: 0, fields: 5 },
  ],
  [
    { title: 'A', world: 'default', steps: [step, step] },
    { steps: 2, rows: 0, fields: 9 },
  ],
  [
    { title: 'A', world: { now: 'x', users: [{}, { id: 1 }], keys: [{}] }, steps: [] },
    { steps: 0, rows: 3, fields: 10 },
  ],
])('the size of %j is %j', (scenario, size) => {
  expect(measureScenario(scenario as unknown as Scenario)).toEqual(size)
})

/** What is left of a scenario in each candidate of its shrinking. */
async function shrinkAll(scenario: ParsedScenario, hasProblem: (text: string) => boolean) {
  const tried: string[] = []
  const result = await shrink(scenario, async (candidate) => {
    const { title, ...rest } = candidate.scenario
    tried.push(`${JSON.stringify(rest)} ${candidate.origins}`)
    return hasProblem(tried.at(-1) as string)
  })
  return { ...result, scenario: result.scenario as Scenario, tried }
}

test('rows of a world are removed before its fields, from the first list to the last', async () => {
  const { tried, ...result } = await shrinkAll(
    parseScenario({
      title: 'A',
      world: {
        organizations: [{ id: '018f2b6e-0000-7000-8000-00000000000a', name: 'Acme' }],
        keys: [],
        users: [],
      },
      steps: [{ method: 'GET', path: '/' }],
    } as unknown as Scenario),
    (text) => text.includes('Acme'),
  )

  expect({ tried, ...result }).toMatchInlineSnapshot(`
    {
      "invalid": 9,
      "isMinimal": true,
      "runs": 7,
      "scenario": {
        "steps": [
          {
            "method": "GET",
            "path": "/",
          },
        ],
        "title": "A",
        "world": {
          "organizations": [
            {
              "id": "018f2b6e-0000-7000-8000-00000000000a",
              "name": "Acme",
            },
          ],
        },
      },
      "tried": [
        "{"world":{"organizations":[],"keys":[],"users":[]},"steps":[{"method":"GET","path":"/"}]} 0",
        "{"world":{},"steps":[{"method":"GET","path":"/"}]} 0",
        "{"world":{"users":[]},"steps":[{"method":"GET","path":"/"}]} 0",
        "{"world":{"organizations":[{"id":"018f2b6e-0000-7000-8000-00000000000a","name":"Acme"}],"keys":[]},"steps":[{"method":"GET","path":"/"}]} 0",
        "{"world":{"keys":[]},"steps":[{"method":"GET","path":"/"}]} 0",
        "{"world":{"organizations":[{"id":"018f2b6e-0000-7000-8000-00000000000a","name":"Acme"}]},"steps":[{"method":"GET","path":"/"}]} 0",
        "{"world":{"organizations":[]},"steps":[{"method":"GET","path":"/"}]} 0",
      ],
    }
  `)
})
