import { expect, test } from 'vitest'
import type { PolicyId } from '../../../../src/policies/policies.ts'
import { allKeys } from '../../../support/observe/hidden-server.ts'
import { observeProbe } from '../../../support/observe/observe-probe.ts'

type Setup = Parameters<typeof observeProbe>[1]
type Change = NonNullable<Setup['change']>

const { all = '', old = '', 'plugin:read': pluginRead = '' } = allKeys
const error = (detail: string, status: number): Response =>
  Response.json({ type: 'a', code: 'b', detail, attr: null }, { status })
const json = (body: unknown) => Response.json(body)
/** Replaces the responses to an operation. */
const answer =
  (name: string, other: () => Response): Change =>
  (response, _method, path) =>
    path.includes(`/${name}/`) ? other() : response

const plugin = { id: 5, organization_id: 'a' }
const unknown = 'The response has an unknown shape.'

test.each([
  ['activity', plugin, 'plugin'],
  ['activity', { ...plugin, id: '5' }, unknown],
  ['activity', { id: 5 }, unknown],
  ['activity', [], unknown],
  ['activity', { count: 1, results: [] }, 'envelope'],
  ['activity', { total_count: 1, results: [] }, 'page'],
  ['activity', { total_count: 1, results: {} }, unknown],
  ['activity', { count: 1 }, unknown],
  ['activity', { results: [] }, unknown],
  ['exports_unsubscribe_configs', [], 'configurations'],
  ['exports_unsubscribe_configs', { count: 1, results: [] }, 'envelope'],
  ['repository', [], 'catalogue'],
  ['repository', { total_count: 1, results: [] }, unknown],
  ['unused', [], 'ids'],
  ['unused', { total_count: 1, results: [] }, unknown],
  ['unused', plugin, 'plugin'],
  ['source', plugin, 'plugin'],
  ['source', { ...plugin, id: null }, 'files'],
  ['source', [], 'files'],
  ['check_for_updates', plugin, 'plugin'],
  ['check_for_updates', { plugin }, 'wrapped'],
  ['check_for_updates', { plugin: {} }, unknown],
  ['check_for_updates', [], unknown],
  ['update_source', plugin, 'plugin'],
  ['update_source', { 'understudy.txt': 'understudy' }, 'files'],
  ['update_source', {}, unknown],
  ['update_source', [], unknown],
] as const)('%s with the body %j has the shape: %s', async (name, body, shape) => {
  const change = answer(name, () => json(body))

  expect(await observeProbe(`plugins.${name}.body`, { change })).toBe(shape)
})

const onlyOk = 'The status was 403, and the values would show as 200.'
const needsOld = 'It needs a key from before scopes existed: --key old=KEY.'
const refuse = (status: number) => () => error('No.', status)

test.each([
  ['plugins.activity.scope', 'all keys, of whom all are refused', {}, 403, onlyOk],
  ['plugins.activity.scope', 'an old key only', { keys: { old } }, 403, onlyOk],
  ['plugins.activity.scope', 'a key of all scopes only', { keys: { all } }, 403, 'refused'],
  [
    'plugins.activity.scope',
    'a narrow key only',
    { keys: { 'plugin:read': pluginRead } },
    403,
    needsOld,
  ],
  ['plugins.activity.body', 'a key of all scopes only', { keys: { all } }, 403, onlyOk],
  [
    'plugins.activity.scope',
    'a refusal by 404',
    { keys: { all }, found: { 'keys.insufficient.status': '404' } },
    404,
    needsOld,
  ],
  [
    'plugins.activity.scope',
    'another refusal',
    { keys: { all }, found: { 'keys.insufficient.status': '404' } },
    403,
    onlyOk,
  ],
  [
    'plugins.source.scope',
    'a key of all scopes, and a plugin of its own',
    { keys: { all } },
    403,
    'refused',
  ],
  [
    'plugins.source.scope',
    'a key of all scopes, and a plugin of another',
    { keys: { all }, allowWrites: false },
    403,
    needsOld,
  ],
  [
    'plugins.activity.scope',
    'a key of all scopes, and no writes',
    { keys: { all }, allowWrites: false },
    403,
    'refused',
  ],
  [
    'plugins.activity.scope',
    'an invalid body',
    {},
    400,
    'The status was 400, and the values would show as 200.',
  ],
  ['plugins.upgrade.scope', 'an invalid body', {}, 400, 'any_key'],
  [
    'plugins.upgrade.scope',
    'a missing row',
    {},
    404,
    'The status was 404, and the values would show as 200 or 400.',
  ],
  ['plugins.upgrade.body', 'an invalid body', {}, 400, 'validated'],
] as const satisfies readonly (readonly [PolicyId, string, Setup, number, string])[])(
  '%s with %s, answered with %i, shows: %s',
  async (id, _title, setup, status, value) => {
    const change = answer(id.split('.')[1] as string, refuse(status))

    expect(await observeProbe(id, { ...setup, change })).toBe(value)
  },
)

test('a scope is required if a key without it is refused, and known to the server', async () => {
  const policies = { 'plugins.activity.scope': 'plugin:read' } as const
  const keys = { all, 'annotation:read': 'phx_annotation_read' }
  const sameRefusal: Change = (response) =>
    [401, 403].includes(response.status) ? error('No.', 403) : response

  expect(await observeProbe('plugins.activity.scope', { policies, keys })).toBe('plugin:read')
  expect(await observeProbe('plugins.activity.scope', { policies, keys: { all } })).toBe(
    'It needs a key without scopes of plugins: --key annotation:read=KEY.',
  )
  const unknownKeys = { all, 'annotation:read': 'phx_nobody' }
  expect(
    await observeProbe('plugins.activity.scope', {
      policies,
      keys: unknownKeys,
      change: sameRefusal,
    }),
  ).toBe(
    'The server refuses the key "annotation:read" like an unknown one, so the key may be wrong.',
  )
})

test('a list that is not readable shows nothing of its operations', async () => {
  const change: Change = (response, method, path) =>
    method === 'POST' || path.endsWith('/plugins/') ? error('No.', 403) : response

  for (const allowWrites of [true, false]) {
    expect(await observeProbe('plugins.unused.scope', { change, allowWrites })).toBe(
      'The list /api/organizations/:organization_id/plugins/ is not readable (403).',
    )
  }
  expect(await observeProbe('plugins.source.scope', { change, allowWrites: true })).toBe(
    'The list /api/organizations/:organization_id/plugins/ is not readable (403).',
  )
})

const none = 'No list that returns a plugin was found without a match.'
const acme = '00a/plugins/repository/'
const initech = '00b/plugins/repository/'
const gone = () => error('Not found.', 404)

test.each([
  [
    'a plugin without an id in the other organization',
    { [initech]: () => json({ ...plugin, id: 0 }), [acme]: gone },
    'empty_plugin',
  ],
  [
    'a plugin without an id in its own organization',
    { [initech]: () => json(plugin), [acme]: () => json({ ...plugin, id: 0 }) },
    'empty_plugin',
  ],
  ['plugins in both', { [initech]: () => json(plugin), [acme]: () => json(plugin) }, none],
  ['the error of a missing row', { [initech]: gone, [acme]: () => json(plugin) }, 'not_found'],
  [
    'another message',
    { [initech]: () => error('No plugin.', 404), [acme]: () => json(plugin) },
    none,
  ],
  ['another shape', { [initech]: () => json([]), [acme]: () => json({ ...plugin, id: 0 }) }, none],
  [
    'another message, and then a match',
    { [initech]: () => error('No plugin.', 404), [acme]: gone },
    'not_found',
  ],
  ['the error of a missing path', { [initech]: gone, [acme]: gone, unknown: gone }, none],
] as const)(
  'a list that returns a plugin, and if none matches %s, shows a value or none',
  async (_title, answers, value) => {
    const change: Change = (response, _method, path) => {
      const [, other] = Object.entries(answers).find(([part]) => path.includes(part)) ?? []
      if (other) return other()
      if (path.includes('/0/')) return gone()
      return path.includes('unknown') ? error('No such path.', 404) : response
    }
    const found = { 'plugins.repository.body': 'plugin' }

    expect(await observeProbe('plugins.extras.none', { change, found })).toBe(value)
  },
)

test.each([
  [['repository', 'unused'], 'not_found'],
  [['unused', 'exports_unsubscribe_configs'], 'empty_plugin'],
  [['unused', 'activity'], 'not_found'],
  [['exports_unsubscribe_configs', 'activity'], 'empty_plugin'],
  [['activity'], none],
])(
  'of the lists %j that return a plugin, the first one without a match decides: %s',
  async (names, value) => {
    const answers: Readonly<Record<string, () => Response>> = {
      '/repository/': () => json(plugin),
      '/exports_unsubscribe_configs/': () => json({ ...plugin, id: 0 }),
      '/unused/': gone,
      '/activity/': () => json(plugin),
      '/0/': gone,
      unknown: () => error('No such path.', 404),
    }
    const change: Change = (response, _method, path) =>
      Object.entries(answers).find(([part]) => path.includes(part))?.[1]() ?? response
    const found = Object.fromEntries(names.map((name) => [`plugins.${name}.body`, 'plugin']))

    expect(await observeProbe('plugins.extras.none', { change, found })).toBe(value)
  },
)

test('errors without messages do not show what a list without a match returns', async () => {
  const empty = () => new Response('', { status: 404 })
  const setup = {
    policies: { 'errors.body': 'empty' },
    change: answer('repository', empty),
  } as const
  const found = { 'plugins.repository.body': 'plugin' }

  expect(await observeProbe('plugins.extras.none', { ...setup, found })).toBe(none)
})
