import { expect, test } from 'vitest'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { initech, annotationsPath as list, pluginsPath as plugins } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'
import { type Sent, type Setting, suggest, suggestLine } from './suggest.ts'

const json = { 'content-type': 'application/json' }
const body = { content: 'x' }

test.each<[title: string, sent: Sent, expected: string | null]>([
  [
    'a path in another case',
    ['GET', '/API/Projects/1/annotations/?limit=1'],
    `GET ${list}?limit=1 (all)`,
  ],
  [
    'a date with the name of its month',
    ['POST', list, { body: { date_marker: 'June 1, 2024 09:00' } }],
    `POST ${list} (all) {"date_marker":"2024-06-01T09:00:00.000Z"}`,
  ],
  ['a method', ['PATCH', list, { body }], `POST ${list} (all) {"content":"x"}`],
  [
    'a replacement',
    ['PUT', `${plugins}21/`, { body: { name: 'New' } }],
    `PATCH ${plugins}21/ (all) {"name":"New"}`,
  ],
  ['a write', ['POST', `${list}1/`, { body }], `PATCH ${list}1/ (all) {"content":"x"}`],
  ['a deletion', ['DELETE', `${list}1/`], `PATCH ${list}1/ (all) {"deleted":true}`],
  ['an unknown list', ['GET', '/api/projects/9/annotations/?limit=1'], `GET ${list}?limit=1 (all)`],
  ['a row of another project', ['GET', '/api/projects/2/annotations/1'], `GET ${list}1/ (all)`],
  ['an unknown row', ['GET', `${list}999/?limit=1`], `GET ${list}?limit=1 (all)`],
  ['an unknown organization', ['GET', '/api/organizations/x/plugins/7/'], `GET ${plugins} (all)`],
  ['an unknown row to change', ['PATCH', `${list}999/`, { body }], null],
  [
    'a row of another project to change',
    ['PATCH', '/api/projects/2/annotations/1/', { body }],
    `PATCH ${list}1/ (all) {"content":"x"}`,
  ],
  ['an unknown project to write to', ['POST', '/api/projects/99/annotations/', { body }], null],
  [
    'an upgrade in an unknown organization',
    ['GET', '/api/organizations/x/plugins/21/upgrade/'],
    `POST ${plugins}21/upgrade/ (all)`,
  ],
  ['a suffix', ['GET', '/api/projects/1/annotations.xml/?limit=1'], `GET ${list}?limit=1 (all)`],
  [
    'an unknown word',
    ['POST', list, { body: { scope: 'projct', ...body } }],
    `POST ${list} (all) {"scope":"project","content":"x"}`,
  ],
  [
    'a word in another case',
    ['POST', list, { body: { creation_type: 'usr', ...body } }],
    `POST ${list} (all) {"creation_type":"USR","content":"x"}`,
  ],
  ['a word that is far from all', ['POST', list, { body: { scope: 'xyz' } }], null],
  ['a row that is not there', ['POST', list, { body: { dashboard_item: 99 } }], null],
  ['a date of no month', ['POST', list, { body: { date_marker: '01.13.2024' } }], null],
  [
    'a flag as a text',
    ['POST', list, { body: { content: true } }],
    `POST ${list} (all) {"content":"true"}`,
  ],
  [
    'a list as a text',
    ['POST', list, { body: { content: [], deleted: true } }],
    `POST ${list} (all) {"deleted":true}`,
  ],
  [
    'a long text',
    ['PATCH', `${list}1/`, { body: { content: 'é😀'.repeat(201) } }],
    `PATCH ${list}1/ (all) ${JSON.stringify({ content: 'é😀'.repeat(200) })}`,
  ],
])('%s is corrected', async (_title, sent, expected) => {
  expect(await suggestLine(sent)).toBe(expected)
})

test.each<[title: string, sent: Sent, value: Setting, expected: string | null]>([
  [
    'a missing field',
    ['POST', plugins, { body: { url: 'a' } }],
    { settings: { 'plugins.create.required': 'name' } },
    `POST ${plugins} (all) {"url":"a","name":"Example"}`,
  ],
  [
    'a wrong parameter',
    ['GET', `${list}?limit=-1&offset=2&limits=3`],
    { settings: { 'lists.limit.invalid': 'refused' } },
    `GET ${list}?offset=2&limits=3 (all)`,
  ],
  [
    'a parameter of a lookup',
    ['GET', `${list}1/?search=zzz&limit=1`],
    { settings: { 'annotations.search.reach': 'every_lookup' } },
    `GET ${list}1/?limit=1 (all)`,
  ],
  [
    'a list as a text',
    ['PATCH', `${plugins}21/`, { body: { config_schema: '[]' } }],
    { settings: { 'plugins.json_fields.structure': 'known_shape' } },
    `PATCH ${plugins}21/ (all) {"config_schema":[]}`,
  ],
  ['a format', ['GET', `${list}?format=xml`], {}, `GET ${list} (all)`],
  [
    'a plugin without a url',
    ['POST', plugins, { body: { name: 'x' } }],
    { settings: { 'plugins.create.install': 'from_url' } },
    `POST ${plugins} (all) {"name":"x","plugin_type":"source"}`,
  ],
  [
    'a method that only unscoped keys can use',
    ['POST', `${list}1/`, { body }],
    { profile: 'live' },
    `PATCH ${list}1/ (all) {"content":"x"}`,
  ],
  [
    'too many requests',
    ['GET', list],
    { before: ({ faults }) => faults.add({ effect: { error: 'throttled' } }) },
    null,
  ],
  ['a large body', ['POST', list, { body }], { settings: { 'limits.body': 5 } }, null],
  [
    'a delayed response',
    ['GET', `${list}999/`],
    { before: ({ faults }) => faults.add({ effect: { delay_ms: 1 } }) },
    `GET ${list} (all)`,
  ],
  [
    'a response that breaks off',
    ['GET', `${list}999/`],
    { before: ({ faults }) => faults.add({ effect: { cut_bytes: 1 } }) },
    null,
  ],
])('%s is corrected by the settings', async (_title, sent, value, expected) => {
  expect(await suggestLine(sent, value)).toBe(expected)
})

test.each([
  ['', null],
  ['[{"content": "x"}]', { content: 'x' }],
  [JSON.stringify('{"content": "x"}'), { content: 'x' }],
  ['[]', {}],
])('the body %j leads to %j', async (raw, expected) => {
  const suggestion = await suggest(['POST', list, { raw, headers: json, key: 'phx_no' }])

  expect(suggestion).toMatchObject({ headers: expected === null ? {} : json, body: expected })
})

test.each(['content', '[', "{'content': 'x'}", '{"content": "x"} {}', '"Launch"', '7'])(
  'the body %j, which is no JSON object, leads to nothing',
  async (raw) => {
    expect(await suggest(['POST', list, { raw, headers: json }])).toBe(null)
  },
)

test('a form is suggested as JSON', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const raw = 'content=a+b&scope=projct'

  const suggestion = await suggest(['POST', list, { raw, headers }], { profile: 'live' })

  expect(suggestion).toMatchObject({ headers: json, body: { content: 'a b', scope: 'project' } })
})

test('a body that the journal did not store leads to nothing', async () => {
  const long = { scope: 'projct', content: 'x'.repeat(2_000) }

  expect(await suggest(['POST', list, { body: long }], { journal: { body: 1_000 } })).toBe(null)
})

test('a suggestion would have succeeded in place of the request, and succeeds now', async () => {
  const { ask, simulator } = await start()
  await ask('GET', `${list}999/`)
  const before = (await simulator.explain(1)).would_succeed
  simulator.world.annotations.add({ id: 999 })
  simulator.keys.revoke('phx_all')

  const after = (await simulator.explain(1)).would_succeed

  expect([before?.path, after?.path]).toEqual([list, list])
  expect([before?.key?.label, after?.key?.label]).toEqual(['all', 'annotation:read'])
})

test('a request that was refused is not suggested because the settings have changed since', async () => {
  const { ask, simulator } = await start()
  await ask('GET', list, { key: 'phx_none' })
  simulator.settings.set({ 'keys.empty_scopes': 'everything' })

  const { sentence, would_succeed } = await simulator.explain(1)

  expect(sentence).toBe(
    '403: the key `none` lacks the scope annotation:read (it has an empty list of scopes)',
  )
  expect(would_succeed?.key?.label).toBe('annotation:read')
})

test.each(['/api/nothing/', '/api/projects/2/anotations/7'])(
  'the path %s, which no operation has, leads to nothing: the journal names the nearest',
  async (path) => {
    expect(await suggest(['GET', path])).toBe(null)
  },
)

test.each([
  ['POST', '/api/projects/'],
  ['PATCH', '/api/projects/1/annotations//'],
])('a write never becomes a read: %s %s', async (method, path) => {
  expect(await suggest([method, path, { body: { content: 'x' } }])).toBe(null)
})

test.each([
  ['text/plain', '{"content": "x"}', { content: 'x' }],
  ['text/plain', 'content=a+b&scope=project', { content: 'a b', scope: 'project' }],
  ['application/x-www-form-urlencoded', '{"content": "x"}', { content: 'x' }],
  ['text/plain', 'Launch', undefined],
])('a body of the type %s, %s, leads to %j as JSON', async (type, raw, expected) => {
  const headers = { 'content-type': type }

  const suggestion = await suggest(['POST', list, { raw, headers }])

  expect(suggestion?.body).toEqual(expected)
})

test('the list of another organization is suggested to a user of both', async () => {
  const path = `/api/organizations/${initech}/plugins/7/`

  const value = {
    before: ({ world }: Simulator) => void world.plugins.add({ id: 77, organization: initech }),
  }

  expect(await suggestLine(['GET', path, { key: 'phx_noor' }], value)).toBe(`GET ${plugins} (null)`)
})

test('a body that a DELETE need not have is left out', async () => {
  const deletion = { key: 'phx_all', raw: '{"a"', headers: json }

  expect(await suggest(['DELETE', `${plugins}23/`, deletion], { profile: 'live' })).toMatchObject({
    method: 'DELETE',
    path: `${plugins}23/`,
    body: null,
  })
})
