import { expect, test } from 'vitest'
import type { SettingOverrides } from '../../../src/settings/resolve.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { acme, annotationsPath, noon } from '../../support/api/paths.ts'
import { initOf, type RequestOptions } from '../../support/transports/client.ts'

const plugins = `/api/organizations/${acme}/plugins/`
const json = { 'content-type': 'application/json' }
const unread = 'the body, which this operation does not read'

const base = createSimulator({ clock: noon })

/** The input that the operation ignored, after a response with this status. */
async function ignoredBy(
  method: string,
  path: string,
  options: RequestOptions = {},
  settings: SettingOverrides = {},
) {
  const simulator = base.fork({ settings })
  await simulator.fetch(path, initOf(method, options))
  const [entry] = simulator.journal.find()
  return [entry?.response.status, entry?.ignored]
}

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
  ['page=2', ['?page, did you mean offset, which counts rows?']],
  ['limti=1&limit=1', ['?limti']],
  ['x=1&x=2&y', ['?x', '?y']],
  ['', []],
])('the ignored parameters of ?%s', async (query, ignored) => {
  const settings = { 'lists.limit.maximum': '100' } as const

  expect(await ignoredBy('GET', `${annotationsPath}?${query}`, {}, settings)).toEqual([
    200,
    ignored,
  ])
})

test.each([
  [299, (line: string) => line],
  [300, (line: string) => `${line.slice(0, 299)}…`],
])('a parameter of %i characters is shown, or its start', async (length, show) => {
  const name = 'a'.repeat(length)

  const [, ignored] = await ignoredBy('POST', `${annotationsPath}?${name}`, { body: {} })

  expect(ignored).toEqual([show(`?${name}`)])
})

test.each([
  [10, []],
  [11, ['… and 1 more']],
  [1_234, ['… and 1,224 more']],
])('of %i ignored names, the first ten are listed', async (count, rest) => {
  const names = Array.from({ length: count - 1 }, (_, index) => `unknown_${index}`)
  const body = Object.fromEntries(names.map((name) => [name, 1]))

  const [, ignored] = await ignoredBy('POST', `${annotationsPath}?x=1`, { body })

  expect(ignored).toEqual(['?x', ...names.slice(0, 9).map((name) => `body.${name}`), ...rest])
})

test.each<
  [method: string, path: string, options: RequestOptions, status: number, ignored: string[]]
>([
  ['GET', '/api/nowhere/?x=1', {}, 404, []],
  ['GET', `${annotationsPath}99/?x=1`, {}, 404, []],
  ['GET', `${annotationsPath}?x=1`, { key: null }, 401, []],
  ['POST', `${annotationsPath}?x=1`, { body: { deleted: 'x', y: 1 } }, 400, ['?x', 'body.y']],
  ['POST', `${annotationsPath}?x=1`, { raw: '{', headers: json }, 400, []],
  ['POST', `${annotationsPath}?x=1`, { raw: '[{"y": 1}]', headers: json }, 400, ['?x']],
  ['POST', `${annotationsPath}?x=1`, { raw: '', headers: json }, 201, ['?x']],
  ['DELETE', `${plugins}24/`, { raw: '', headers: json }, 204, []],
  ['DELETE', `${plugins}24/`, { raw: '{}', headers: json }, 204, []],
  ['DELETE', `${plugins}24/`, { raw: 'null', headers: json }, 204, []],
  ['DELETE', `${plugins}24/`, { raw: '[]', headers: json }, 204, [unread]],
  ['DELETE', `${plugins}24/`, { raw: '{"a": 1}', headers: json }, 204, [unread]],
])(
  '%s %s with %j: the ignored input of a response %i is %j',
  async (method, path, options, status, ignored) => {
    expect(await ignoredBy(method, path, options)).toEqual([status, ignored])
  },
)

test('the ignored fields of a body that is too large to store are known', async () => {
  const simulator = createSimulator({ journal: { body: 2_000 } })
  const body = { content: 'x', other: 'y'.repeat(2_001) }
  await simulator.fetch(`${annotationsPath}?x=1`, initOf('POST', { body }))
  await simulator.fetch(`${plugins}24/`, initOf('DELETE', { body }))

  const shown = simulator.journal.find().map(({ request, ignored }) => [request.omitted, ignored])
  expect(shown).toEqual([
    [true, ['?x', 'body.other']],
    [true, [unread]],
  ])
})

const places = { 'keys.places': 'header_body_query' } as const
const inQuery = `${annotationsPath}?personal_api_key=phx_all&x=1`
const inBody = { personal_api_key: 'phx_all', x: 1 }

test.each<[title: string, Parameters<typeof ignoredBy>, ignored: string[]]>([
  ['a key in the query', ['GET', inQuery, { key: null }, places], ['?x']],
  [
    'a key besides the one in the header',
    ['POST', inQuery, { body: inBody }, places],
    ['?personal_api_key', '?x', 'body.personal_api_key', 'body.x'],
  ],
  [
    'a key in the body, before the one in the query',
    ['POST', inQuery, { key: null, body: inBody }, places],
    ['?personal_api_key', '?x', 'body.x'],
  ],
  [
    'a key alone in a body that is not read',
    ['DELETE', `${plugins}24/`, { key: null, body: { personal_api_key: 'phx_all' } }, places],
    [],
  ],
  ['a format in the query', ['GET', `${annotationsPath}?format=json&fromat=json`], ['?fromat']],
  ['the token of a project', ['GET', `${annotationsPath}?token=phc_web_shop`], ['?token']],
])('what is read before the operation is not ignored: %s', async (_title, request, ignored) => {
  const [, shown] = await ignoredBy(...request)

  expect(shown).toEqual(ignored)
})
