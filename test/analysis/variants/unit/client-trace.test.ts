import { expect, test } from 'vitest'
import { apiScopes, traceClient } from '../../../../src/analysis/variants/client-trace.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { acme, annotationsPath, noon } from '../../../support/api/paths.ts'

const get = (simulator: Simulator, path: string, key = 'phx_all') =>
  simulator.fetch(path, { headers: { authorization: `Bearer ${key}` } })

test('a trace has the requests, the policies, the operations and the scopes of the keys', async () => {
  const simulator = createSimulator({ clock: noon })
  const trace = traceClient(simulator)
  expect(trace()).toMatchObject({
    requests: 0,
    consulted: [],
    unscopedOperations: [],
    heldScopes: [],
  })

  await get(simulator, annotationsPath, 'phx_annotation_read')
  await get(simulator, `/api/organizations/${acme}/plugins/unused/`, 'phx_plugin_read')
  await get(simulator, annotationsPath, 'phx_unknown')

  const { requests, consulted, unscopedOperations, heldScopes } = trace()
  expect([requests, unscopedOperations, heldScopes]).toEqual([
    3,
    ['listUnusedPlugins'],
    ['annotation:read', 'plugin:read'],
  ])
  expect(consulted).toContain('plugins.unused.scope')
  expect(consulted).toEqual(consulted.toSorted())
  expect(consulted).not.toContain('methods.put')
})

test('a key with full access holds all scopes', async () => {
  const keys = ['phx_all', 'phx_old']
  const held = []
  for (const key of keys) {
    const simulator = createSimulator({ clock: noon })
    const trace = traceClient(simulator)
    await get(simulator, annotationsPath, key)
    held.push(trace().heldScopes)
  }

  expect(held).toEqual([apiScopes, apiScopes])
  expect(apiScopes).toContain('annotation:write')
})

test('the requests to later sandboxes are in the trace, and mutants if they are wanted', async () => {
  const simulator = createSimulator({ clock: noon })
  const traces = [traceClient(simulator), traceClient(simulator, true)]
  const { id, keys } = simulator.sandboxes.create()
  const key = keys.find(({ scopes }) => scopes?.join() === 'plugin:read')?.value

  await get(simulator, `/__sandbox/${id}/api/organizations/${acme}/plugins/`, key)

  const [plain, full] = traces.map((trace) => trace())
  expect(plain).toMatchObject({ requests: 1, heldScopes: ['plugin:read'] })
  expect(plain).not.toHaveProperty('mutants')
  expect(Object.keys(full?.mutants ?? {})).toEqual(['listPlugins'])
})

test.each([
  ['Bearer  phx_plugin_read', ['plugin:read']],
  ['Bearer phx_none', []],
  ['phx_plugin_read', []],
  ['Token Bearer phx_plugin_read', []],
  [null, []],
])('the scopes of the key in the header %s are %j', async (authorization, held) => {
  const errors: unknown[] = []
  const simulator = createSimulator({ clock: noon, onError: (error) => errors.push(error) })
  const trace = traceClient(simulator)

  for (let count = 0; count < 2; count++) {
    await simulator.fetch(
      annotationsPath,
      authorization === null ? {} : { headers: { authorization } },
    )
  }

  expect(trace()).toMatchObject({ requests: 2, heldScopes: held })
  expect(errors).toEqual([])
})

test('a key without a list of scopes, or with scopes that the API lacks, holds those of the API', async () => {
  const simulator = createSimulator({ clock: noon })
  simulator.keys.issue({
    value: 'phx_odd',
    scopes: ['feature:read', 'plugin:write', 'plugin:read'],
  })
  const trace = traceClient(simulator)

  await get(simulator, '/api/unknown/', 'phx_odd')
  const odd = trace()
  await get(simulator, annotationsPath, 'phx_old')

  expect(odd).toMatchObject({
    requests: 1,
    consulted: ['errors.body', 'paths.unknown'],
    unscopedOperations: [],
    heldScopes: ['plugin:read', 'plugin:write'],
  })
  expect(trace().heldScopes).toEqual(apiScopes)
})
