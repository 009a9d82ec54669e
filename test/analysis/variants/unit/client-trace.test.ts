import { expect, test } from 'vitest'
import { traceClient } from '../../../../src/analysis/variants/client-trace.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { acme, annotationsPath, noon } from '../../../support/api/paths.ts'

const get = (simulator: Simulator, path: string, key = 'phx_all') =>
  simulator.fetch(path, { headers: { authorization: `Bearer ${key}` } })

test('a trace has the requests, the policies, the operations and the uses of the keys', async () => {
  const simulator = createSimulator({ clock: noon })
  const trace = traceClient(simulator)
  expect(trace()).toMatchObject({
    requests: 0,
    consulted: [],
    unscopedOperations: [],
    keys: [],
  })

  await get(simulator, annotationsPath, 'phx_annotation_read')
  await get(simulator, `/api/organizations/${acme}/plugins/unused/`, 'phx_plugin_read')
  await get(simulator, annotationsPath, 'phx_unknown')

  const { requests, consulted, unscopedOperations, keys } = trace()
  expect([requests, unscopedOperations]).toEqual([3, ['listUnusedPlugins']])
  expect(keys).toEqual([
    {
      ...{ key: 'annotation:read', scopes: ['annotation:read'], refused: [] },
      required: { listAnnotations: { rule: 'annotation:read', enough: ['annotation:read'] } },
    },
    {
      ...{ key: 'plugin:read', scopes: ['plugin:read'], refused: [] },
      required: { listUnusedPlugins: { rule: 'plugin:read', enough: ['plugin:read'] } },
    },
  ])
  expect(consulted).toContain('plugins.unused.scope')
  expect(consulted).toEqual(consulted.toSorted())
  expect(consulted).not.toContain('methods.put')
})

test('a write scope is enough to read by the policy, and a key without scopes is refused nothing', async () => {
  const simulator = createSimulator({ clock: noon, profile: 'live' })
  const trace = traceClient(simulator)

  await get(simulator, annotationsPath, 'phx_annotation_write')
  await get(simulator, annotationsPath, 'phx_plugin_read')
  await get(simulator, `/api/organizations/${acme}/plugins/unused/`, 'phx_old')

  const both = ['annotation:read', 'annotation:write']
  expect(trace().keys).toEqual([
    {
      ...{ key: 'annotation:write', scopes: ['annotation:write'], refused: [] },
      required: { listAnnotations: { rule: 'annotation:read', enough: both } },
    },
    {
      ...{ key: 'plugin:read', scopes: ['plugin:read'], required: {} },
      refused: ['listAnnotations'],
    },
    {
      ...{ key: 'old', scopes: null, refused: [] },
      required: { listUnusedPlugins: { rule: 'refused', enough: [] } },
    },
  ])
})

test('a key that the client issues is no key of the world', async () => {
  const simulator = createSimulator({ clock: noon })
  const trace = traceClient(simulator)
  const key = simulator.keys.issue({ scopes: ['annotation:read'] })

  const { status } = await get(simulator, annotationsPath, key)

  expect([status, trace().keys]).toEqual([200, []])
})

test('the requests to later sandboxes are in the trace, and mutants if they are wanted', async () => {
  const simulator = createSimulator({ clock: noon })
  const traces = [traceClient(simulator), traceClient(simulator, true)]
  const { id, keys } = simulator.sandboxes.create()
  const key = keys.find(({ scopes }) => scopes?.join() === 'plugin:read')?.value

  await get(simulator, `/__sandbox/${id}/api/organizations/${acme}/plugins/`, key)

  const [plain, full] = traces.map((trace) => trace())
  expect(plain).toMatchObject({ requests: 1, keys: [{ scopes: ['plugin:read'] }] })
  expect(plain).not.toHaveProperty('mutants')
  expect(Object.keys(full?.mutants ?? {})).toEqual(['listPlugins'])
})

test.each([
  ['Bearer  phx_plugin_read', ['plugin:read']],
  ['Bearer phx_none', ['none']],
  ['phx_plugin_read', []],
  ['Token Bearer phx_plugin_read', []],
  [null, []],
])('the keys in the header %s are %j', async (authorization, held) => {
  const errors: unknown[] = []
  const simulator = createSimulator({ clock: noon, onError: (error) => errors.push(error) })
  const trace = traceClient(simulator)

  for (let count = 0; count < 2; count++) {
    await simulator.fetch(
      annotationsPath,
      authorization === null ? {} : { headers: { authorization } },
    )
  }

  expect(trace()).toMatchObject({ requests: 2, keys: held.map((label) => ({ key: label })) })
  expect(errors).toEqual([])
})
