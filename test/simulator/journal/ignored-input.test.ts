import { expect, test } from 'vitest'
import { profiles } from '../../../src/settings/profiles.ts'
import type { SimulatorOptions } from '../../../src/simulator/options.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { annotationsPath as list, noon, pluginsPath as plugins } from '../../support/api/paths.ts'
import { initOf, type RequestOptions } from '../../support/transports/client.ts'

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const unread = 'the body, which this operation does not read'

type Sent = [method: string, path: string, options?: RequestOptions]

/** The status of a response, and the ignored input in the journal. */
async function ignoredBy([method, path, options = {}]: Sent, setup: SimulatorOptions = {}) {
  const simulator = createSimulator({ clock: noon, ...setup })
  const { status } = await simulator.fetch(path, initOf(method, options))
  return { status, ignored: simulator.journal.find()[0]?.ignored }
}

const anyKey = { 'plugins.other.scope': 'any_key', 'plugins.other.body': 'specific' } as const
const places = { settings: { 'keys.places': 'header_body_query' } } as const
const withKey = `${list}?personal_api_key=phx_all&x=1`
const body = { personal_api_key: 'phx_all', x: 1 }

interface More {
  readonly settings?: SimulatorOptions['settings']
  /** What the profile live ignores, if it is not the same */
  readonly live?: readonly string[]
}

test.each<[...request: Required<Sent>, ignored: readonly string[], more?: More]>([
  ['POST', list, { body: { contnt: 'x' } }, ['body.contnt, did you mean content?']],
  [
    'POST',
    list,
    { body: { contnt: 'x', content: 'y', format: 'json', insight_derived_name: 'z' } },
    ['body.contnt', 'body.format', 'body.insight_derived_name'],
  ],
  [
    'PATCH',
    `${list}1/`,
    { body: { id: 1, created_by: null, scope: 'project' } },
    ['body.id, which only responses have', 'body.created_by, which only responses have'],
  ],
  [
    'POST',
    plugins,
    { body: { plugin_type: 'source', url: null } },
    ['body.url, which the profile live reads'],
    { live: [] },
  ],
  // A refused body.
  [
    'POST',
    plugins,
    { body: { nmae: 'x' } },
    ['body.nmae, did you mean name?'],
    { settings: { 'plugins.create.required': 'name' } },
  ],
  // Source files, whose names are free.
  [
    'PATCH',
    `${plugins}23/update_source/`,
    { body: { 'index.ts': 'x' } },
    ['body["index.ts"], which the profile live reads'],
    { settings: { 'plugins.other.scope': 'any_key' }, live: [] },
  ],
  [
    'GET',
    `${list}1/?search=release&format=json`,
    {},
    ['?search, which the profile live reads'],
    { live: [] },
  ],
  [
    'GET',
    `${plugins}unused/?limit=1`,
    {},
    ['?limit'],
    { settings: { ...anyKey, 'plugins.other.body': 'plugin' } },
  ],
  [
    'POST',
    `${plugins}21/upgrade/`,
    { body: { name: 'x' } },
    ['the body, which the profile documented reads'],
    { settings: anyKey },
  ],
  [
    'POST',
    list,
    { raw: 'contnt=x&token=phc_web_shop', headers: form },
    ['body.contnt, did you mean content?', 'body.token'],
    { settings: { 'bodies.form': 'accepted' } },
  ],
  ['GET', '/api/nowhere/?x=1', {}, []],
  ['GET', `${list}99/?x=1`, {}, []],
  ['GET', `${list}?x=1`, { key: null }, []],
  [
    'POST',
    `${list}?x=1`,
    { key: 'phx_none', body: { y: 1 } },
    [],
    { settings: { 'keys.empty_scopes': 'nothing' } },
  ],
  ['POST', `${list}?x=1`, { body: { deleted: 'x', y: 1 } }, ['?x', 'body.y']],
  ['POST', `${list}?x=1`, { raw: '{', headers: json }, []],
  ['POST', `${list}?x=1`, { raw: '[{"y": 1}]', headers: json }, ['?x']],
  ['POST', `${list}?x=1`, { raw: '', headers: json }, ['?x']],
  ['DELETE', `${plugins}24/`, { raw: '', headers: json }, []],
  ['DELETE', `${plugins}24/`, { raw: '{}', headers: json }, []],
  ['DELETE', `${plugins}24/`, { raw: 'null', headers: json }, []],
  ['DELETE', `${plugins}24/`, { raw: '[]', headers: json }, [unread]],
  ['DELETE', `${plugins}24/`, { raw: '{"a": 1}', headers: json }, [unread]],
  // What is read before the operation is not ignored.
  ['GET', withKey, { key: null }, ['?x'], places],
  [
    'POST',
    withKey,
    { body },
    ['?personal_api_key', '?x', 'body.personal_api_key', 'body.x'],
    places,
  ],
  ['POST', withKey, { key: null, body }, ['?personal_api_key', '?x', 'body.x'], places],
  ['DELETE', `${plugins}24/`, { key: null, body: { personal_api_key: 'phx_all' } }, [], places],
  ['GET', `${list}?format=json&fromat=json`, {}, ['?fromat']],
  ['GET', `${list}?token=phc_web_shop`, {}, ['?token']],
])('%s %s with %j ignores %j', async (method, path, options, ignored, more = {}) => {
  const { settings = {}, live = ignored } = more
  for (const profile of profiles) {
    const result = await ignoredBy([method, path, options], { profile, settings })

    const names = profile === 'live' ? live : ignored
    expect.soft(result.ignored, profile).toEqual(names)
  }
})

test.each<[query: string, ignored: string[]]>([
  ['limit=5', []],
  ['limit=', ['?limit="", an invalid value']],
  ['limit=1&limit=2&limit=x', ['?limit, except for its last value', '?limit=x, an invalid value']],
  ['limit=x&limit=2', ['?limit, except for its last value']],
  ['limit=100', []],
  ['limit=101', ['?limit above 100']],
  ['limit=1&limit=101', ['?limit, except for its last value', '?limit above 100']],
  ['limit=a%20b', ['?limit="a b", an invalid value']],
  ['offset=-1', ['?offset=-1, an invalid value']],
  ['offset=5000', []],
  ['limti=1', ['?limti, did you mean limit?']],
  ['page_size=1', ['?page_size, did you mean limit?']],
  ['page=2', ['?page, did you mean offset, which counts rows?']],
  ['limti=1&limit=1', ['?limti']],
  ['x=1&x=2&y', ['?x', '?y']],
  ['', []],
])('the ignored parameters of ?%s', async (query, ignored) => {
  const settings = { 'lists.limit.maximum': '100' } as const

  const result = await ignoredBy(['GET', `${list}?${query}`], { settings })

  expect(result).toMatchObject({ status: 200, ignored })
})

test.each([
  [299, (line: string) => line],
  [300, (line: string) => `${line.slice(0, 299)}…`],
])('a parameter of %i characters is shown, or its start', async (length, show) => {
  const name = 'a'.repeat(length)

  const { ignored } = await ignoredBy(['GET', `${list}?${name}`])

  expect(ignored).toEqual([show(`?${name}`)])
})

test.each([
  [10, []],
  [11, ['… and 1 more']],
  [1_234, ['… and 1,224 more']],
])('of %i ignored names, the first ten are listed', async (count, rest) => {
  const names = Array.from({ length: count - 1 }, (_, index) => `unknown_${index}`)
  const body = Object.fromEntries(names.map((name) => [name, 1]))

  const { ignored } = await ignoredBy(['POST', `${list}?x=1`, { body }])

  expect(ignored).toEqual(['?x', ...names.slice(0, 9).map((name) => `body.${name}`), ...rest])
})

test('the ignored fields of a body that is too large to store are known', async () => {
  const body = { content: 'x', other: 'y'.repeat(2_001) }
  const setup = { journal: { body: 2_000 } }

  const created = await ignoredBy(['POST', `${list}?x=1`, { body }], setup)
  const deleted = await ignoredBy(['DELETE', `${plugins}24/`, { body }], setup)

  expect([created.ignored, deleted.ignored]).toEqual([['?x', 'body.other'], [unread]])
})

test('hostile names are escaped and shortened, in a header of at most 1,000 characters', async () => {
  const names: readonly (readonly [name: string, shown: string])[] = [
    ['x\r\nset-cookie: a=b', String.raw`["x\r\nset-cookie: a=b"]`],
    ['\u001b[31mred', String.raw`["\u001b[31mred"]`],
    ['\u202efdp.exe', String.raw`["\u202efdp.exe"]`],
    ['ü🦔', '["ü🦔"]'],
    ['"quoted", `ticked`', String.raw`["\"quoted\", ${'`ticked`'}"]`],
    ['', '[""]'],
    ['x'.repeat(10_000), `.${'x'.repeat(294)}…`],
    ['__proto__', '.__proto__'],
  ]
  const raw = `{${names.map(([name]) => `${JSON.stringify(name)}:1`).join(',')}}`

  const body = await ignoredBy(['POST', list, { raw, headers: json }])

  expect(body.ignored).toEqual(names.map(([, shown]) => `body${shown}`))
})
