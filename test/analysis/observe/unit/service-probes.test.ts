import { expect, test } from 'vitest'
import type { PolicyId } from '../../../../src/policies/policies.ts'
import { observeProbe } from '../../../support/observe/observe-probe.ts'

type Setup = Parameters<typeof observeProbe>[1]
type Change = NonNullable<Setup['change']>

const error = (status: number): Response =>
  Response.json({ type: 'a', code: 'b', detail: 'No.', attr: null }, { status })
const to =
  (wanted: string, path: RegExp, other: () => Response): Change =>
  (response, method, actual) =>
    method === wanted && path.test(actual) ? other() : response
const reads = { allowWrites: false } as const
const list = /annotations\/$/

const noMethods = 'OPTIONS does not return the methods of an annotation.'
const noTypes = 'OPTIONS returns no media types.'
const form = 'application/x-www-form-urlencoded'

test.each([
  ['GET, PUT, PATCH', ['application/json', form], 'on', 'accepted'],
  ['GET,PATCH,PUT', [form, 'application/json'], 'on', 'accepted'],
  ['GET,  PATCH, DELETE', ['application/json'], 'off', 'refused'],
  ['GET, PUT', [form], noMethods, noTypes],
  ['GET, XPATCH', ['application/jsonp'], noMethods, noTypes],
  ['', 'application/json', noMethods, noTypes],
])(
  'OPTIONS with Allow %j and the media types %j says if PUT is %s, and a form %s',
  async (allow, parses, put, accepted) => {
    const change = to('OPTIONS', /annotations/, () =>
      Response.json({ parses }, { headers: { allow } }),
    )

    expect(await observeProbe('methods.put', { ...reads, change })).toBe(put)
    expect(await observeProbe('bodies.form', { ...reads, change })).toBe(accepted)
  },
)

test('OPTIONS that returns a list describes no media types', async () => {
  const change = to('OPTIONS', /annotations/, () => Response.json([]))

  expect(await observeProbe('bodies.form', { ...reads, change })).toBe(noTypes)
})

const author = { id: 1, hedgehog_config: null }
const may = { id: 1, created_by: { id: 1 } }
const fields = { dashboard_id: 1, dashboard_name: 'a', insight_derived_name: null }
const noVersion = 'An annotation has the fields of no known version.'
const needsWrites = 'The first annotations do not show it. It needs --allow-writes.'
const ownNotSuitable = 'An annotation of its own does not show it.'

test.each([
  [[{ id: 1, created_by: author }], 'none'],
  [[may], 'may_2024'],
  [[{ id: 1, created_by: author, ...fields }], 'july_2024'],
  [[{ ...may, ...fields }], noVersion],
  [[{ id: 1, created_by: author, dashboard_id: 1, dashboard_name: 'a' }], noVersion],
  [[{ id: 1, created_by: author }, may], 'may_2024'],
  [[may, { id: 2, created_by: null }, { id: '3', created_by: author }], 'may_2024'],
  [[{ id: 2, created_by: null }], needsWrites],
  [[], needsWrites],
])('of the annotations %j, the last one with an author shows: %s', async (results, version) => {
  const change = to('GET', list, () => Response.json({ results }))

  expect(await observeProbe('versioning', { ...reads, change })).toBe(version)
})

test.each([
  [{ id: 9, created_by: author }, 'none'],
  [{ id: 9, created_by: null }, ownNotSuitable],
  [[], ownNotSuitable],
])('without others, an annotation of its own that is %j shows: %s', async (body, version) => {
  const change: Change = (response, method, path) => {
    if (method !== 'GET') return response
    return list.test(path) ? Response.json({ results: [] }) : Response.json(body)
  }

  expect(await observeProbe('versioning', { change })).toBe(version)
})

const cases: readonly (readonly [PolicyId, string, Setup, string])[] = [
  [
    'annotations.search.reach',
    'without annotations, and without writes',
    { ...reads, change: to('GET', list, () => Response.json({ results: [] })) },
    needsWrites,
  ],
  [
    'annotations.search.reach',
    'without annotations',
    { change: to('GET', list, () => Response.json({ results: [] })) },
    'list',
  ],
  [
    'paths.unknown',
    'that describes a view',
    { change: to('OPTIONS', /unknown/, () => Response.json({ parses: [] })) },
    'view',
  ],
  [
    'paths.unknown',
    'that describes a list',
    { change: to('OPTIONS', /unknown/, () => Response.json([])) },
    'OPTIONS of an unknown path returned another description.',
  ],
  [
    'paths.unknown',
    'that refuses it',
    { change: to('OPTIONS', /unknown/, () => error(403)) },
    'The status was 403, and the values would show as 200.',
  ],
  [
    'methods.put',
    'that refuses keys with scopes',
    { change: to('PUT', /annotations/, () => error(403)) },
    'off',
  ],
  [
    'methods.put',
    'that refuses by another status',
    {
      change: to('PUT', /annotations/, () => error(403)),
      found: { 'keys.insufficient.status': '404' },
    },
    'The status was 403, and the values would show as 200, 404 or 405.',
  ],
  [
    'methods.undocumented',
    'that refuses keys with scopes',
    { change: to('POST', /annotations\/\d/, () => error(403)) },
    'refused_to_scoped_keys',
  ],
  [
    'annotations.delete.status',
    'with an empty 405',
    { change: to('DELETE', /annotations/, () => new Response('', { status: 405 })) },
    '405_empty',
  ],
  [
    'annotations.delete.status',
    'with an empty 403',
    { change: to('DELETE', /annotations/, () => new Response('', { status: 403 })) },
    'A response with 403 had another form than the errors of this server.',
  ],
  [
    'annotations.delete.status',
    'with a 404',
    { change: to('DELETE', /annotations/, () => error(404)) },
    '404',
  ],
  [
    'annotations.delete.status',
    'with a 200',
    { change: to('DELETE', /annotations/, () => Response.json({})) },
    'The status was 200, and the values would show as 403, 404 or 405.',
  ],
  [
    'annotations.deleted.visibility',
    'that shows deleted rows',
    { policies: { 'annotations.deleted.visibility': 'retrievable' } },
    'retrievable',
  ],
  [
    'annotations.deleted.visibility',
    'that shows null',
    { change: to('GET', /annotations\/\d+\/$/, () => Response.json([])) },
    'A deleted annotation was returned as if it were not deleted.',
  ],
  [
    'annotations.deleted.visibility',
    'whose list is refused',
    { change: to('GET', list, () => error(400)) },
    'The status was 400, and the values would show as 200.',
  ],
  [
    'plugins.create.without_url',
    'of which it is not known whether a url is required',
    { found: { 'plugins.create.install': 'from_url' } },
    'It matters only if plugins are installed from a url that is not required.',
  ],
  [
    'plugins.create.without_url',
    'that stores it',
    {
      found: { 'plugins.create.install': 'from_url', 'plugins.create.required': 'none' },
      policies: { 'plugins.create.install': 'from_url', 'plugins.create.without_url': 'stored' },
    },
    'stored',
  ],
  [
    'plugins.create.install',
    'with an empty url',
    { change: to('POST', /plugins\/$/, () => Response.json({ id: 1, url: '' }, { status: 201 })) },
    'stored_as_given',
  ],
  [
    'plugins.create.install',
    'that requires a name',
    { policies: { 'plugins.create.required': 'name', 'plugins.create.install': 'from_url' } },
    'from_url',
  ],
  [
    'plugins.create.install',
    'that creates a list',
    { change: to('POST', /plugins\/$/, () => Response.json([], { status: 201 })) },
    'The created plugin has no field url.',
  ],
  [
    'plugins.create.install',
    'that creates nothing',
    { change: to('POST', /plugins\/$/, () => error(400)) },
    'The status was 400, and the values would show as 201.',
  ],
  [
    'plugins.global.visibility',
    'of one organization, without writes',
    { ...reads, change: to('GET', /projects\/$/, () => Response.json({ results: [] })) },
    'It needs a user of two organizations.',
  ],
]

test.each(cases)('%s of a server %s', async (id, _title, setup, expected) => {
  expect(await observeProbe(id, setup)).toBe(expected)
})
