import { expect, test } from 'vitest'
import { matchers } from '../../../../src/scenarios/format/values.ts'
import { resolveSettings } from '../../../../src/settings/resolve.ts'
import {
  compileSchema,
  documentedJson,
  jsonFiles,
  mutate,
  readJson,
} from '../../../support/json-schemas.ts'
import { createRandom } from '../../../support/random.ts'
import { scenarioIssues } from '../../../support/scenarios/story.ts'

// The schema compiles alone: it refers to no other file.
const validate = compileSchema(readJson('scenarios/scenario.schema.json'))
const stories = jsonFiles('scenarios')

test('each story refers to its schema', () => {
  const nameless = stories.filter(
    (name) => (readJson(name) as { $schema?: string }).$schema !== './scenario.schema.json',
  )

  expect(nameless).toEqual([])
})

const post = { method: 'POST', path: '/api/projects/1/annotations/' }
const scenarioOf = (...steps: readonly object[]) => ({ title: 'A', steps })
const having = (fields: object) => ({ ...scenarioOf(post), ...fields })
const drop = { drop: true }
const saving = { ...post, save: { key: '/content' } }
const faultOfKey = { operation: 'listAnnotations', key: { $saved: 'key' }, effect: drop }
const defaultSettings = () => resolveSettings('documented')
const worldWithScope = () => {
  const world = readJson('fixtures/default.json') as { annotations: object[] }
  const annotations = world.annotations.map((row) => ({ ...row, scope: 'team' }))
  const settings = { 'annotations.scope.values': 'any' }
  return having({ world: { ...world, annotations }, settings })
}
const expecting = (expect: object) => scenarioOf({ ...post, expect })

test.each([
  ['a step of an unknown kind', scenarioOf({ title: 'nothing' })],
  ['no step', scenarioOf()],
  ['a field of no name', scenarioOf({ reset: true, rest: 1 })],
  ['an unknown method', scenarioOf({ method: 'FETCH', path: '/' })],
  ['an invalid clock', scenarioOf({ clock: 5 })],
  ['a row with a field of no name', scenarioOf({ rows: { annotations: [{ text: '' }] } })],
  ['an unknown setting', having({ settings: { 'annotations.delet': '404' } })],
  ['an unknown value of a setting', having({ settings: { 'annotations.delete.status': 99 } })],
  ['a setting beyond its bounds', having({ settings: { 'limits.rate': -1 } })],
  ['an unknown matcher', expecting({ body: { id: { $match: 'uid' } } })],
  ['an unknown keyword', expecting({ body: { id: { $matches: 'id' } } })],
  ['a matcher beside a field', expecting({ exact_body: [{ $match: 'id', id: 1 }] })],
  ['an unknown matcher in a header', expecting({ headers: { location: { $match: 'url' } } })],
  ['a matcher that is sent', scenarioOf({ ...post, body: { id: { $match: 'id' } } })],
  ['an impossible status', expecting({ status: 99 })],
  ['an impossible class of statuses', expecting({ status: '6xx' })],
  ['a world to generate', having({ world: { generate: { annotations: 1 } } })],
  ['a later version', having({ format_version: 2 })],
  ['a text as clock', having({ clock: 'noon' })],
  ['a saved value with a hyphen', scenarioOf({ ...post, save: { 'a-b': '/id' } })],
  ['a saved value of no pointer', scenarioOf({ ...post, save: { key: 'id' } })],
])('the schema and the code refuse %s', (_what, scenario) => {
  expect(validate(scenario)).toBe(false)
  expect(scenarioIssues(scenario)).not.toEqual([])
})

test('the schema knows the operations', () => {
  const isKnown = (operation: string) =>
    validate(scenarioOf({ fault: { operation, effect: drop } }))

  expect([isKnown('listAnnotations'), isKnown('list')]).toEqual([true, false])
})

test.each([
  ['every matcher', expecting({ body: Object.keys(matchers).map((name) => ({ $match: name })) })],
  [
    'other special values',
    expecting({ body: { a: { $match: 'text' }, b: { $literal: { $x: 1 } } } }),
  ],
  ['a header that is absent', expecting({ headers: { location: null } })],
  ['a class of statuses', expecting({ status: '4xx' })],
  ['every setting', having({ settings: defaultSettings() })],
  ['a number as setting', having({ settings: { 'annotations.delete.status': 404 } })],
  ['a setting as step', scenarioOf({ settings: { 'annotations.delete.status': '404' } })],
  ['a time of another format as clock', having({ clock: '2024-06-15' })],
  ['a ticking clock', having({ clock: { mode: 'ticking', now: '20240615T1200' } })],
  ['any scope where a setting allows it', worldWithScope()],
  ['a saved value in a fault', scenarioOf(saving, { fault: faultOfKey })],
])('the schema and the code accept %s', (_what, scenario) => {
  expect(scenarioIssues(scenario)).toEqual([])
  expect(validate(scenario), JSON.stringify(validate.errors)).toBe(true)
})

test.each(documentedJson('scenario'))('the schema and the code accept %s', (_name, scenario) => {
  expect([scenarioIssues(scenario), validate(scenario)]).toEqual([[], true])
})

/** What JSON Schema cannot say: references between steps, worlds without their rows, and fields that exclude others. */
const beyondSchema =
  /expected (a value that an earlier step|an id in|a unique value|more than|an ISO 8601 time|a known scope|base64|.* or .*, got both|a linear|at least two characters)|has no body|can only|only this|expected (an effect|no )/

test.each(stories)('the schema and the code agree on changes of %s', (name) => {
  const random = createRandom(7)
  const story = readJson(name)
  for (let run = 0; run < 20; run++) {
    const changed = mutate(story, random)
    const issues = scenarioIssues(changed)
    const matches = validate(changed)
    if (issues.length === 0) {
      expect(matches, JSON.stringify([changed, validate.errors])).toBe(true)
    } else if (matches) {
      expect(issues.filter((issue) => !beyondSchema.test(issue))).toEqual([])
    }
  }
})
