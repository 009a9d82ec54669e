import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { findScenarioIssues } from '../../../../src/scenarios/format/check-scenario.ts'
import { scenarioJsonSchema } from '../../../../src/scenarios/format/json-schema.ts'

const root = new URL('../../../../', import.meta.url)
const read = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))
const stories = readdirSync(new URL('scenarios/', root)).filter(
  (name) => name.endsWith('.json') && name !== 'scenario.schema.json',
)

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(read('fixtures/world.schema.json'), 'https://example.com/fixtures/world.schema.json')
const validate = ajv.compile({
  ...scenarioJsonSchema(),
  $id: 'https://example.com/scenarios/scenario.schema.json',
})

test('the schema is that of the code: run npm run fixtures', () => {
  expect(read('scenarios/scenario.schema.json')).toEqual(scenarioJsonSchema())
})

test('there are twenty stories and more, each as the schema says', () => {
  const invalid = stories.filter((name) => !validate(read(`scenarios/${name}`)))

  expect(stories.length).toBeGreaterThanOrEqual(20)
  expect(invalid).toEqual([])
})

test('each story names its schema', () => {
  const nameless = stories.filter(
    (name) => read(`scenarios/${name}`).$schema !== './scenario.schema.json',
  )

  expect(nameless).toEqual([])
})

test.each([
  ['a step of no kind', { title: 'A', steps: [{ title: 'nothing' }] }],
  ['no step', { title: 'A', steps: [] }],
  ['a field of no name', { title: 'A', steps: [{ reset: true, rest: 1 }] }],
  ['a method that is none', { title: 'A', steps: [{ method: 'FETCH', path: '/' }] }],
  ['a clock that is none', { title: 'A', steps: [{ clock: 5 }] }],
  [
    'a row with a field of no name',
    { title: 'A', steps: [{ rows: { annotations: [{ text: '' }] } }] },
  ],
])('%s is refused by the schema as by the code', (_what, scenario) => {
  expect(validate(scenario)).toBe(false)
  expect(findScenarioIssues(scenario)).not.toEqual([])
})

test('a saved value may stand in rows and in what a second actor does', () => {
  const scenario = {
    title: 'Saved values',
    steps: [
      { rows: { projects: [{ name: 'New' }] }, save: { project: '/projects/0' } },
      {
        rows: { annotations: [{ project: { $saved: 'project' } }] },
        save: { id: '/annotations/0' },
      },
      {
        actor: {
          after: { operation: 'listAnnotations' },
          steps: [{ update: 'annotations', id: { $saved: 'id' }, changes: { content: 'New' } }],
        },
      },
    ],
  }

  expect([validate(scenario), findScenarioIssues(scenario)]).toEqual([true, []])
})
