import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { findScenarioIssues } from '../../../../src/scenarios/format/check-scenario.ts'
import * as schemas from '../../../../src/scenarios/format/schema.ts'

const root = new URL('../../../../', import.meta.url)
const script = new URL('.tools/fixtures/scenario-json-schema.mjs', root).href
const jsonSchema = (await import(script)).scenarioJsonSchema(schemas)
const read = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))
const stories = readdirSync(new URL('scenarios/', root)).filter(
  (name) => name.endsWith('.json') && name !== 'scenario.schema.json',
)

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(read('fixtures/world.schema.json'), 'https://example.com/fixtures/world.schema.json')
const validate = ajv.compile({
  ...jsonSchema,
  $id: 'https://example.com/scenarios/scenario.schema.json',
})

test('the schema file is up to date: run npm run fixtures', () => {
  expect(read('scenarios/scenario.schema.json')).toEqual(jsonSchema)
})

test('there are at least twenty stories, and each matches the schema', () => {
  const invalid = stories.filter((name) => !validate(read(`scenarios/${name}`)))

  expect(stories.length).toBeGreaterThanOrEqual(20)
  expect(invalid).toEqual([])
})

test('each story refers to its schema', () => {
  const nameless = stories.filter(
    (name) => read(`scenarios/${name}`).$schema !== './scenario.schema.json',
  )

  expect(nameless).toEqual([])
})

test.each([
  ['a step of an unknown kind', { title: 'A', steps: [{ title: 'nothing' }] }],
  ['no step', { title: 'A', steps: [] }],
  ['a field of no name', { title: 'A', steps: [{ reset: true, rest: 1 }] }],
  ['an unknown method', { title: 'A', steps: [{ method: 'FETCH', path: '/' }] }],
  ['an invalid clock', { title: 'A', steps: [{ clock: 5 }] }],
  [
    'a row with a field of no name',
    { title: 'A', steps: [{ rows: { annotations: [{ text: '' }] } }] },
  ],
])('the schema and the code refuse %s', (_what, scenario) => {
  expect(validate(scenario)).toBe(false)
  expect(findScenarioIssues(scenario)).not.toEqual([])
})

test('rows and steps of second actors can contain saved values', () => {
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
