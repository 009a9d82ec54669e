import { expect, test } from 'vitest'
import type { PolicyId } from '../../../src/policies/policies.ts'
import { allKeys } from '../../support/observe/hidden-server.ts'
import { observeProbe } from '../../support/observe/observe-probe.ts'

type Setup = Parameters<typeof observeProbe>[1]
type Change = NonNullable<Setup['change']>

const error = (detail: string, status: number): Response =>
  Response.json({ type: 'a', code: 'b', detail, attr: null }, { status })

/** Replaces the responses with a status. */
const replace =
  (status: number, other: (path: string) => Response): Change =>
  (response, _method, path) =>
    response.status === status ? other(path) : response

/** Replaces the responses to a method and a path. */
const answerTo =
  (method: string, path: RegExp, other: () => Response): Change =>
  (response, actual, url) =>
    actual === method && path.test(url) ? other() : response

const sameDetail = replace(401, () => error('No.', 401))
const { all = '', old = '', 'plugin:read': pluginRead = '' } = allKeys
const row = /annotations\/\d+\/$/

const cases: readonly (readonly [PolicyId, string, Setup, string])[] = [
  [
    'errors.body',
    'whose 404 has another form',
    { change: replace(404, () => Response.json({ detail: 'Not found.' }, { status: 404 })) },
    'The errors of this server have several forms.',
  ],
  [
    'keys.www_authenticate',
    'that returns 403 in place of 401',
    { policies: { 'keys.missing.status': '403' } },
    'The status was 403, and the values would show as 401.',
  ],
  [
    'keys.insufficient.status',
    'whose key has more scopes than its label says',
    { keys: { all, 'plugin:read': all } },
    'The key "plugin:read" has more permissions than its label says.',
  ],
  [
    'keys.insufficient.status',
    'that does not know the key',
    { keys: { all, 'plugin:read': 'phx_1' }, change: replace(401, () => error('No.', 403)) },
    'The server refuses the key "plugin:read" like an unknown one, so the key may be wrong.',
  ],
  [
    'keys.insufficient.status',
    'with one message for all keys',
    {
      keys: { all, 'plugin:read': pluginRead },
      change: (response) =>
        response.status === 401 || response.status === 403 ? error('No.', 403) : response,
    },
    '403',
  ],
  [
    'keys.insufficient.status',
    'with empty errors, and a key that does not work',
    {
      keys: { all, 'plugin:read': 'phx_1' },
      policies: { 'errors.body': 'empty', 'keys.missing.status': '403' },
    },
    'The server refuses the key "plugin:read" like an unknown one, so the key may be wrong.',
  ],
  [
    'keys.empty_scopes',
    'that returns 403 with another message for an unknown key',
    { policies: { 'keys.missing.status': '403', 'keys.empty_scopes': 'nothing' } },
    'nothing',
  ],
  [
    'keys.empty_scopes',
    'of which no such key is known',
    { keys: { all } },
    'It needs a key with an empty list of scopes: --key none=KEY.',
  ],
  [
    'keys.places',
    'with one message for all keys, without writes',
    { change: sameDetail, allowWrites: false },
    'The errors for a missing and an unknown key are the same. It needs --allow-writes.',
  ],
  [
    'keys.places',
    'with one message for all keys',
    { change: sameDetail, policies: { 'keys.places': 'header' } },
    'header',
  ],
  [
    'keys.places',
    'with one message for all keys',
    { change: sameDetail, policies: { 'keys.places': 'header_body_query' } },
    'header_body_query',
  ],
  [
    'keys.places',
    'with messages, without writes',
    { allowWrites: false, policies: { 'keys.places': 'header' } },
    'header',
  ],
  [
    'keys.places',
    'with messages, without writes',
    { allowWrites: false, policies: { 'keys.places': 'header_body_query' } },
    'header_body_query',
  ],
  [
    'projects.list.scope',
    'of which no key with full access is known',
    { keys: { old } },
    'It needs a key with full access: --key all=KEY.',
  ],
  [
    'projects.list.scope',
    'that refuses by 404, and of which no old key is known',
    {
      keys: { all },
      policies: { 'projects.list.scope': 'refused', 'keys.insufficient.status': '404' },
      found: { 'keys.insufficient.status': '404' },
    },
    'It needs a key from before scopes existed: --key old=KEY.',
  ],
  [
    'projects.id.not_a_number',
    'with empty errors',
    { policies: { 'errors.body': 'empty' } },
    'Errors have no message.',
  ],
  [
    'projects.id.not_a_number',
    'with another message',
    {
      change: replace(404, (path) =>
        error(path.includes('understudy') ? 'Gone.' : 'Not found.', 404),
      ),
    },
    'The message is neither the usual one nor about a project.',
  ],
  [
    'annotations.scope.values',
    '',
    { policies: { 'annotations.scope.values': 'july_2024' } },
    'july_2024',
  ],
  [
    'annotations.scope.values',
    'that answers a POST with 200',
    {
      change: answerTo('POST', /annotations\/$/, () =>
        Response.json({ id: 1, content: 'understudy observe k2j4 1', deleted: false }),
      ),
    },
    'Creating an annotation returned 200.',
  ],
  [
    'annotations.scope.values',
    'that creates other rows',
    {
      change: answerTo('POST', /annotations\/$/, () =>
        Response.json({ id: 1, content: 'other', deleted: false }, { status: 201 }),
      ),
    },
    'Creating an annotation returned 201.',
  ],
  [
    'annotations.scope.values',
    'that creates null',
    { change: answerTo('POST', /annotations\/$/, () => Response.json([], { status: 201 })) },
    'Creating an annotation returned 201.',
  ],
  [
    'annotations.scope.values',
    'that creates deleted rows',
    {
      change: answerTo('POST', /annotations\/$/, () =>
        Response.json(
          { id: 1, content: 'understudy observe k2j4 1', deleted: true },
          { status: 201 },
        ),
      ),
    },
    'An annotation was not created as sent.',
  ],
  [
    'annotations.delete.status',
    'with empty errors',
    { policies: { 'errors.body': 'empty' } },
    'All errors of this server are empty.',
  ],
  [
    'annotations.deleted.visibility',
    'that returns deleted rows as if they were not',
    {
      change: answerTo('GET', row, () => Response.json({ id: 1, content: 'k2j4', deleted: false })),
    },
    'A deleted annotation was returned as if it were not deleted.',
  ],
  [
    'annotations.deleted.visibility',
    'that lists what it does not return',
    {
      policies: { 'annotations.deleted.visibility': 'listed' },
      change: answerTo('GET', /annotations\/10\/$/, () => error('Not found.', 404)),
    },
    'A deleted annotation is listed, but not returned.',
  ],
  [
    'annotations.deleted.visibility',
    'without a search',
    { change: answerTo('GET', /annotations\/$/, () => Response.json({ results: {} })) },
    'The search does not find an own annotation.',
  ],
  [
    'plugins.create.required',
    'that refuses both bodies',
    { change: answerTo('POST', /plugins\/$/, () => error('No.', 400)) },
    'POST is refused without name, and without url.',
  ],
  [
    'plugins.create.install',
    'whose plugins have no url',
    { change: answerTo('POST', /plugins\/$/, () => Response.json({ id: 1 }, { status: 201 })) },
    'The created plugin has no field url.',
  ],
  [
    'plugins.create.without_url',
    'that requires a url',
    { found: { 'plugins.create.install': 'from_url', 'plugins.create.required': 'url' } },
    'It matters only if plugins are installed from a url that is not required.',
  ],
  [
    'plugins.create.without_url',
    'that stores plugins as they are',
    { found: { 'plugins.create.install': 'stored_as_given', 'plugins.create.required': 'none' } },
    'It matters only if plugins are installed from a url that is not required.',
  ],
  [
    'plugins.delete.global',
    'that answers PATCH with 202',
    {
      change: answerTo('PATCH', /plugins\/\d+\/$/, () =>
        Response.json({ is_global: true }, { status: 202 }),
      ),
    },
    'Making a plugin global returned 202.',
  ],
  [
    'plugins.delete.global',
    'that does not make plugins global',
    { change: answerTo('PATCH', /plugins\/\d+\/$/, () => Response.json({ is_global: false })) },
    'Making a plugin global returned 200.',
  ],
  [
    'plugins.global.visibility',
    'with one organization',
    {
      change: answerTo('GET', /projects\/$/, () =>
        Response.json({ results: [{ id: 1, organization: 'acme' }] }),
      ),
    },
    'It needs a user of two organizations.',
  ],
  [
    'plugins.extras.body',
    'with another shape',
    {
      change: (response, _, path) =>
        path.includes('unused') ? Response.json({ results: [], id: 1 }) : response,
    },
    'The response has an unknown shape.',
  ],
  [
    'plugins.extras.none',
    'whose lists have other shapes',
    {},
    'No list that returns a plugin was found without a match.',
  ],
  [
    'limits.retry_after',
    'that never throttles',
    {},
    'The server throttled too few requests to show it.',
  ],
  [
    'methods.put',
    'whose OPTIONS has no Allow',
    {
      allowWrites: false,
      change: (response, method) => (method === 'OPTIONS' ? Response.json({}) : response),
    },
    'OPTIONS does not return the methods of an annotation.',
  ],
  [
    'bodies.form',
    'whose OPTIONS has no media types',
    {
      allowWrites: false,
      change: (response, method) =>
        method === 'OPTIONS' ? Response.json({ parses: ['text/csv'] }) : response,
    },
    'OPTIONS returns no media types.',
  ],
  [
    'paths.unknown',
    'with another description',
    { change: answerTo('OPTIONS', /unknown/, () => Response.json({ parses: null })) },
    'OPTIONS of an unknown path returned another description.',
  ],
  [
    'versioning',
    'with some of the fields',
    {
      change: answerTo('GET', /annotations\/$/, () =>
        Response.json({ results: [{ id: 1, created_by: {}, dashboard_id: 1 }] }),
      ),
    },
    'An annotation has the fields of no known version.',
  ],
  [
    'methods.undocumented',
    'of which only an old key is known',
    { keys: { old } },
    'It needs a key with scopes: --key all=KEY.',
  ],
]

test.each(cases)('%s of a server %s', async (id, _title, setup, expected) => {
  expect(await observeProbe(id, setup)).toBe(expected)
})

test('a missing and an unknown key with two statuses show no value', async () => {
  let count = 0
  const change = replace(401, () => error('No.', ++count === 1 ? 401 : 403))

  expect(await observeProbe('keys.missing.status', { change })).toBe(
    'A missing key and an unknown one get different statuses.',
  )
})
