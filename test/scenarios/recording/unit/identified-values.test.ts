import { expect, test } from 'vitest'
import {
  generalizePath,
  generalizeText,
  identifyValue,
  type Leaf,
  mapLeaves,
  timesIn,
  toPointer,
} from '../../../../src/scenarios/recording/identify-values.ts'

const baseUrl = 'https://api.example.com'
const uuid = '018f2b6e-0000-7000-8000-00000000000a'

test.each<readonly [Leaf, string, readonly string[], string | null, string | null]>([
  [12, 'id', [], 'annotation 12', 'annotation_id'],
  [12, 'id', ['results'], 'annotation 12', 'annotation_id'],
  [12, 'id', ['data', 'items'], 'annotation 12', 'annotation_id'],
  [12, 'id', ['created_by'], 'created_by 12', 'created_by_id'],
  [12, 'id', ['projects', 'results'], 'project 12', 'project_id'],
  [12, 'short_id', [], 'annotation 12', 'annotation_id'],
  [7, 'id', [], 'plugin 7', 'plugin_id'],
  [7, 'id', ['owners'], 'owner 7', 'owner_id'],
  [12, 'plugin_id', [], 'plugin 12', 'plugin_id'],
  ['abc', 'plugin_uuid', [], 'plugin abc', 'plugin_id'],
  [12, 'plugin-id', [], null, null],
  [12, 'paid', [], null, null],
  [12, '_id', [], null, null],
  [12, 'count', [], null, null],
  [12, '', [], null, null],
  [0, 'id', [], null, null],
  [1, 'id', [], 'annotation 1', 'annotation_id'],
  [-1, 'id', [], null, null],
  [1.5, 'id', [], null, null],
  ['12', 'id', [], 'annotation 12', 'annotation_id'],
  ['', 'id', [], null, null],
  ['abc', 'short_id', [], 'annotation abc', 'annotation_id'],
  ['abc', 'name', [], null, null],
  [uuid, 'id', [], `text ${uuid}`, 'annotation_id'],
  [uuid.toUpperCase(), 'organizations', [], `text ${uuid}`, 'organization_id'],
  [uuid, 'plugin_uuid', [], `text ${uuid}`, 'plugin_id'],
  [uuid, '', [], `text ${uuid}`, 'annotation_id'],
  [uuid, 'uuid', ['created_by'], `text ${uuid}`, 'created_by_id'],
  [`${baseUrl}/a/?b`, 'next', [], 'link /a/?b', 'next'],
  [`${baseUrl}/a/`, '', [], 'link /a/', 'link'],
  [`${baseUrl}.test/a/`, 'next', [], null, null],
  ['replaced-key-1', 'token', [], 'text replaced-key-1', 'token'],
  ['replaced-key-1', '', [], 'text replaced-key-1', 'text'],
])(
  'the value %j of the field %j within %j is identified as %j',
  (leaf, field, within, key, name) => {
    const kinds = { kind: 'annotation', subject: { kind: 'plugin', id: '7' } }

    expect(identifyValue(leaf, { field, within }, { kinds, baseUrl })).toEqual(key && { key, name })
  },
)

test.each([
  ['/api/projects/1/annotations/12/', '/api/projects/{project 1}/annotations/{annotation 12}/'],
  ['/api/projects//1/', '/api/projects//{project 1}/'],
  ['/1/2/', '/1/2/'],
  ['/projects/007/', '/projects/007/'],
  ['/projects/0/', '/projects/0/'],
  ['/projects/123456789012345/', '/projects/{project 123456789012345}/'],
  ['/projects/1234567890123456/', '/projects/1234567890123456/'],
  ['/projects/1a/', '/projects/1a/'],
  ['/a_projects-x/1', '/a_projects-x/{a_projects_x 1}'],
  ['/a.b/1', '/a.b/1'],
  [`/projects/${uuid}/1/`, `/projects/{text ${uuid}}/1/`],
  ['/projects/replaced-key-1/', '/projects/{text replaced-key-1}/'],
  ['/projects/{id}/', '/projects/{project {id}}/'],
  ['/projects/1?id=1&of=replaced-key-1?a', '/projects/{project 1}?id=1&of={text replaced-key-1}?a'],
  ['', ''],
])('the path %s is generalized to %s', (path, generalized) => {
  expect(generalizePath(path, (key) => key)).toBe(generalized)
  expect(generalizePath(path, () => null)).toBe(path)
})

test.each([
  [`of ${uuid.toUpperCase()}, ${uuid}`, `of {text ${uuid}}, {text ${uuid}}`],
  [`x${uuid}`, `x${uuid}`],
  [`${uuid}0`, `${uuid}0`],
  ['by replaced-email-1%40example.com', 'by {text replaced-email-1%40example.com}'],
  ['12', '12'],
])('the text %j is generalized to %j', (text, generalized) => {
  expect(generalizeText(text, (key) => key)).toBe(generalized)
  expect(generalizeText(text, () => null)).toBe(text)
})

test('texts and numbers are mapped with their place, and other values and literals stay', () => {
  const places: unknown[] = []
  const body = {
    id: 1,
    'a/~b': [{ name: 'x' }, ['y'], true],
    none: [null, undefined, false],
    literal: { $literal: { id: 2 } },
    results: { rows: [{ inner: { id: 3 } }] },
  }

  const mapped = mapLeaves(body, (leaf, location) => {
    places.push([leaf, toPointer(location), location.field, location.within])
    return `<${leaf}>`
  })

  expect(mapped).toEqual({
    id: '<1>',
    'a/~b': [{ name: '<x>' }, ['<y>'], true],
    none: [null, undefined, false],
    literal: { $literal: { id: 2 } },
    results: { rows: [{ inner: { id: '<3>' } }] },
  })
  expect(places).toEqual([
    [1, '/id', 'id', []],
    ['x', '/a~1~0b/0/name', 'name', ['a/~b']],
    ['y', '/a~1~0b/1/0', 'a/~b', []],
    [3, '/results/rows/0/inner/id', 'id', ['results', 'rows', 'inner']],
  ])
  expect(mapLeaves('x', (leaf, location) => [leaf, toPointer(location), location.field])).toEqual([
    'x',
    '',
    '',
  ])
  expect(mapLeaves(null, () => 'x')).toBe(null)
})

test('the times of a request are those of its query and its body', () => {
  const noon = Date.parse('2024-06-15T12:00:00Z')
  const step = { method: 'POST', path: '/2024-06-15T09:00:00Z' }
  const query = { after: '2024-06-15T14:00:00+02:00', limit: 1, day: '2024-06-15' }
  const body = { at: '2024-06-15T12:00:01Z', rows: ['2024-06-15T12:00:02.5Z', 12, null] }

  expect(timesIn(step)).toEqual([])
  expect(timesIn({ ...step, query, body })).toEqual([noon, noon + 1000, noon + 2500])
})
