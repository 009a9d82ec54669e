import { expect, test } from 'vitest'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { annotationsPath, pluginsPath as plugins } from '../support/api/paths.ts'
import { twoOrganizations } from '../support/api/two-organizations.ts'
import { start } from '../support/transports/start.ts'
import { suggest } from './suggest.ts'

const json = { 'content-type': 'application/json' }
const body = { content: 'x' }

test('a key that may do it replaces another one, and the rest of the request stays', async () => {
  const suggestions = [
    await suggest(['GET', `${annotationsPath}?limit=1&limit=2&a=%20b`, { key: 'phx_none' }]),
    await suggest(['DELETE', `${plugins}23/`, { key: 'phx_plugin_read' }]),
    await suggest(['POST', annotationsPath, { key: 'phx_gone', body }]),
  ]

  expect(suggestions).toEqual([
    {
      method: 'GET',
      path: `${annotationsPath}?limit=1&limit=2&a=+b`,
      key: { label: 'annotation:read', value: 'phx_…read' },
      headers: {},
      body: null,
    },
    {
      method: 'DELETE',
      path: `${plugins}23/`,
      key: { label: 'plugin:write', value: 'phx_…rite' },
      headers: {},
      body: null,
    },
    {
      method: 'POST',
      path: annotationsPath,
      key: { label: 'annotation:write', value: 'phx_…rite' },
      headers: json,
      body,
    },
  ])
})

const keys = [
  { value: 'phx_noor', label: 'noor', user: 2, scopes: ['annotation:read'] },
  { value: 'phx_full', label: 'full', user: 1, scopes: ['*'] },
  { value: 'phx_old', label: 'old', user: 1, scopes: null },
  { value: 'phx_two', label: 'two', user: 1, scopes: ['annotation:read', 'annotation:write'] },
  { value: 'phx_one', label: 'one', user: 1, scopes: ['plugin:read'] },
]

test.each([
  ['of the same user, with few scopes', 'phx_one', [], 'two'],
  ['of the same user, with all scopes', 'phx_one', ['phx_two'], 'full'],
  ['from before scopes existed', 'phx_one', ['phx_two', 'phx_full'], 'old'],
  ['of another user', 'phx_one', ['phx_two', 'phx_full', 'phx_old'], 'noor'],
  ['of any user, for an unknown key', 'phx_gone', [], 'noor'],
])('the suggested key is one %s', async (_title, key, revoked, label) => {
  const world = { ...twoOrganizations, keys } as typeof twoOrganizations
  const before = (simulator: Simulator) => revoked.map((value) => simulator.keys.revoke(value))

  const suggestion = await suggest(['GET', annotationsPath, { key }], { world, before })

  expect(suggestion?.key?.label).toBe(label)
})

test('a key that selects another world is suggested only with the URL of a sandbox', async () => {
  const world = { ...twoOrganizations, keys } as typeof twoOrganizations
  const { ask, simulator } = await start({ world })
  const { id } = simulator.sandboxes.create()
  const inner = simulator.sandboxes.get(id) as Simulator
  inner.restore(world)
  const ownOf = (label: string) => inner.keys.list().find((key) => key.label === label)?.value
  inner.keys.revoke(ownOf('two') as string)
  await ask('GET', annotationsPath, { key: ownOf('one') as string })
  await ask('GET', `/__sandbox/${id}${annotationsPath}`, { key: ownOf('one') as string })

  const reasons = [await inner.explain(1), await inner.explain(2)]

  expect(reasons.map(({ would_succeed }) => would_succeed?.key?.label)).toEqual(['full', 'two'])
})

test('of many keys, only the first ones are tried', async () => {
  const world = { ...twoOrganizations, keys: [] }
  const labelOf = async (count: number) => {
    const before = (simulator: Simulator) => {
      for (let number = 0; number < count; number++) {
        simulator.keys.issue({ value: `phx_ada_${number}`, user: 1, scopes: ['plugin:read'] })
      }
      simulator.keys.issue({ value: 'phx_noor', label: 'noor', user: 2, scopes: ['*'] })
    }
    return (await suggest(['GET', annotationsPath, { key: 'phx_ada_7' }], { world, before }))?.key
  }

  expect([(await labelOf(49))?.label, await labelOf(50)]).toEqual(['noor', undefined])
})

test('a key in the query or in a body moves into the header', async () => {
  const options = { settings: { 'keys.places': 'header_body_query' } } as const
  const sent = { personal_api_key: 'phx_all', ...body, scope: 'projct' }
  const path = `${annotationsPath}?limit=1`
  const inQuery = `${annotationsPath}999/?personal_api_key=phx_all&limit=1`

  const read = await suggest(['GET', inQuery, { key: null }], options)
  const write = await suggest(['POST', path, { key: null, body: sent }], options)

  const key = { label: 'all', value: 'phx_…' }
  const fixed = { content: 'x', scope: 'project' }
  expect(read).toEqual({ method: 'GET', path, key, headers: {}, body: null })
  expect(write).toEqual({ method: 'POST', path, key, headers: json, body: fixed })
})

test('a key without a label has no label, and in a world without keys nothing is suggested', async () => {
  const suggestIn = (...keys: NonNullable<typeof twoOrganizations.keys>) =>
    suggest(['GET', annotationsPath, { key: null }], { world: { ...twoOrganizations, keys } })

  const suggestion = await suggestIn({ value: 'phx_0123456789abcdef', user: 1, scopes: null })

  expect(suggestion?.key).toEqual({ label: null, value: 'phx_…cdef' })
  expect(await suggestIn()).toBe(null)
})
