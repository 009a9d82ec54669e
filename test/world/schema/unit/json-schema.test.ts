import { expect, test } from 'vitest'
import { generate } from '../../../../src/factories.ts'
import { createSimulator } from '../../../../src/simulator/simulator.ts'
import { formatIssue } from '../../../../src/utils/errors.ts'
import { findWorldIssues } from '../../../../src/world/load/load-world.ts'
import type { WorldJson } from '../../../../src/world/world-json.ts'
import {
  compileSchema,
  documentedJson,
  jsonFiles,
  mutate,
  readJson,
} from '../../../support/json-schemas.ts'
import { createRandom } from '../../../support/random.ts'

const matchesSchema = compileSchema(readJson('fixtures/world.schema.json'))

/** What `validate` says of a world. */
function issuesOf(world: unknown): readonly string[] {
  try {
    const { generate: counts } = (world ?? {}) as WorldJson
    const issues = findWorldIssues(counts ? generate(world as WorldJson) : (world as WorldJson))
    return issues.map(formatIssue)
  } catch (error) {
    return (error as { issues: readonly string[] }).issues
  }
}

const [annotation] = (readJson('fixtures/default.json') as WorldJson).annotations as object[]

// The check of 5,000 rows says no more than that of 50.
const fewRows = (world: unknown) => JSON.parse(JSON.stringify(world).replace(':5000,', ':50,'))
const written: readonly [name: string, world: unknown][] = [
  ...jsonFiles('fixtures').map((name): [string, unknown] => [name, fewRows(readJson(name))]),
  ...documentedJson('world'),
  ['only generated rows', { generate: { annotations: 5 } }],
  ['partial rows of every list', partialRows()],
  ['a time of day in another zone', { now: '2024-06-15T12:00:00+02:00' }],
  ['a date as time', { now: '2024-06-15', annotations: [] }],
  ['a compact time', { now: '20240615T1200+02' }],
]

function partialRows(): object {
  const lists = ['organizations', 'projects', 'users', 'keys', 'plugins', 'annotations', 'activity']
  return { ...Object.fromEntries(lists.map((list) => [list, [{}]])), generate: {} }
}

test.each(written)('the schema and validate accept %s', (_name, world) => {
  expect(issuesOf(world)).toEqual([])
  expect(matchesSchema(world), JSON.stringify(matchesSchema.errors)).toBe(true)
})

test('the documents have examples of worlds', () => {
  expect(documentedJson('world').length).toBeGreaterThanOrEqual(2)
})

test.each([
  ['an incomplete row without generate', { annotations: [{ id: 1, content: 'Launch' }] }],
  ['an unknown field of a partial row', { annotations: [{ contnt: 'Launch' }], generate: {} }],
  ['an unknown list', { anotations: [] }],
  ['an unknown list to generate', { generate: { keys: 1 } }],
  ['a text as time', { now: 'today' }],
  ['an unknown scope', { annotations: [{ scope: 'team' }], generate: {} }],
  ['no e-mail address', { users: [{ email: 'Ada' }], generate: {} }],
  ['a row as text', { annotations: ['Launch'], generate: {} }],
  ['a list', []],
])('the schema and validate refuse %s', (_name, world) => {
  expect(matchesSchema(world)).toBe(false)
  expect(issuesOf(world)).not.toEqual([])
})

test('the OpenAPI document describes the responses for every row of the world odd', async () => {
  const { components } = readJson('src/api/openapi.json') as { components: { schemas: Schemas } }
  const { Annotation } = components.schemas
  const world = readJson('fixtures/odd.json') as WorldJson
  const simulator = createSimulator({ world })
  for (const { id } of world.users ?? []) {
    simulator.world.annotations.add({ created_by: id, scope: 'project' })
  }

  const response = await simulator.fetch('/api/projects/1/annotations/?limit=100', {
    headers: { authorization: `Bearer ${simulator.defaults.key}` },
  })
  const { results } = (await response.json()) as { results: object[] }

  const matches = compileSchema(Annotation)
  expect(results.length).toBeGreaterThan(20)
  const undescribed = results.filter((row) => !matches(row))
  expect(undescribed, 'npm run docs writes the document').toEqual([])
})

interface Schemas {
  readonly Annotation: object
}

/** What JSON Schema cannot say: references, unique ids, and rules of several values. */
const beyondSchema =
  /expected (an id in|a unique value|more than|an ISO 8601 time|a known scope|well-formed|at least two characters)|generated rows in total/

const small: readonly [name: string, world: unknown][] = [
  ['default', readJson('fixtures/default.json')],
  ['odd', readJson('fixtures/odd.json')],
  ['a partial world', { ...(readJson('fixtures/empty.json') as object), ...partialRows() }],
  ['a json-server file', { annotations: [{ ...annotation }, { id: 2 }], generate: { users: 2 } }],
]

test.each(small)('the schema and validate agree on changes of %s', (_name, world) => {
  const random = createRandom(7)
  for (let run = 0; run < 20; run++) {
    const changed = mutate(world, random)
    const issues = issuesOf(changed)
    const matches = matchesSchema(changed)
    if (issues.length === 0) expect(matches, JSON.stringify(matchesSchema.errors)).toBe(true)
    else if (matches) {
      expect(issues.filter((issue) => !beyondSchema.test(issue))).toEqual([])
    }
  }
})
