import { expect, test } from 'vitest'
import { traceClient } from '../../../src/analysis/variants/client-trace.ts'
import { tryScopes } from '../../../src/analysis/variants/scope-trials.ts'
import { type RunClient, runUnchanged } from '../../../src/analysis/variants/sweep.ts'
import { applyVariant } from '../../../src/analysis/variants/variant.ts'
import type { PolicyOverrides } from '../../../src/policies/settings.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { acme, annotationsPath } from '../../support/api/paths.ts'

const plugins = `/api/organizations/${acme}/plugins/`

/** Returns the status of a request. */
type Send = (path: string, key?: string, method?: string, body?: string) => Promise<number>

/** A client that passes if it returns true. */
type Client = (send: Send) => Promise<boolean>

/** Finds the least scopes of the keys of a client, and how many runs that took. */
async function tryKeys(
  client: Client,
  policies: PolicyOverrides = {},
  signal = new AbortController().signal,
) {
  const origin = createSimulator({ policies })
  let runs = 0
  const run: RunClient = async (variant) => {
    runs += 1
    const simulator = origin.fork()
    if (variant) applyVariant(simulator, variant)
    const trace = traceClient(simulator)
    const passed = await client(async (path, key = 'phx_all', method = 'GET', body) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      return (await simulator.fetch(path, { method, headers, body: body ?? null })).status
    })
    return { ...trace(), failure: passed ? null : 'it fails', failedTests: null, ms: 1 }
  }
  const { trace } = await runUnchanged({ run })
  runs = 0
  const { keys } = await tryScopes(trace, origin.policies.settings, { run, signal })
  return { keys: keys.map(({ key, found }) => [key, found?.least, found?.isNeeded]), runs }
}

const everything = { 'keys.empty_scopes': 'everything' } as const
const implied = { 'keys.write_implies_read': 'yes' } as const

const lists: Client = async (send) => (await send(annotationsPath)) === 200

const creates: Client = async (send) =>
  (await send(annotationsPath)) === 200 &&
  (await send(annotationsPath, 'phx_all', 'POST', '{"content": "a"}')) === 201

/** It needs one of two lists. */
const listsEither: Client = async (send) =>
  (await send(plugins)) === 200 || (await send(annotationsPath)) === 200

/** It accepts every refusal. */
const needsNothing: Client = async (send) => {
  await send(annotationsPath)
  return true
}

test.each([
  ['a client that lists', lists, {}, ['annotation:read'], true],
  ['a client that lists, with a full empty list', lists, everything, ['annotation:read'], true],
  ['a client that lists and creates', creates, {}, ['annotation:read', 'annotation:write'], true],
  ['the same if writing implies reading', creates, implied, ['annotation:write'], true],
  ['a client that needs either of two', listsEither, {}, ['plugin:read'], true],
  ['a client that needs nothing', needsNothing, {}, [], false],
  ['the same with a full empty list', needsNothing, everything, ['project:read'], false],
] as const)('the least scopes of %s', async (_, client, policies, least, isNeeded) => {
  const { keys } = await tryKeys(client, policies)

  expect(keys).toEqual([['all', least, isNeeded]])
})

test('where an empty list allows everything, it is larger than a list of all scopes', async () => {
  const { keys } = await tryKeys(
    async (send) =>
      (await send(annotationsPath, 'phx_all', 'POST', '{"content": "a"}')) === 201 &&
      (await send(annotationsPath)) === 200 &&
      (await send(plugins)) === 200 &&
      (await send(plugins, 'phx_all', 'POST', '{}')) === 201 &&
      (await send('/api/projects/')) === 200,
    { ...everything, 'projects.list.scope': 'project:read' },
  )

  expect(keys).toEqual([
    [
      'all',
      ['annotation:read', 'annotation:write', 'plugin:read', 'plugin:write', 'project:read'],
      true,
    ],
  ])
})

test('each key has its own least scopes, also beside the least ones of the others', async () => {
  const { keys } = await tryKeys(
    async (send) =>
      (await send(annotationsPath)) === 200 && (await send(plugins, 'phx_old')) === 200,
  )

  expect(keys).toEqual([
    ['all', ['annotation:read'], true],
    ['old', ['plugin:read'], true],
  ])
})

test('a second key replaces the first one, so that only one of them needs scopes', async () => {
  const { keys } = await tryKeys(async (send) => {
    const statuses = [await send(annotationsPath), await send(annotationsPath, 'phx_old')]
    return statuses.includes(200)
  })

  expect(keys).toEqual([
    ['all', [], false],
    ['old', ['annotation:read'], true],
  ])
})

test('a client that needs a key from before scopes existed has no list of scopes', async () => {
  const { keys } = await tryKeys(
    async (send) => (await send(`${plugins}unused/`, 'phx_old')) === 200,
    { 'plugins.extras.scope': 'refused' },
  )

  expect(keys).toEqual([['old', null, true]])
})

test('what the requests need is tried first, then what allows less', async () => {
  const { runs } = await tryKeys(lists)

  // The list, and twice one without scopes, because a failure is repeated.
  expect(runs).toBe(3)
})

test('after an interruption the least scopes are not known', async () => {
  const { keys } = await tryKeys(lists, {}, AbortSignal.abort())

  expect(keys).toEqual([['all', undefined, undefined]])
})

test.each([{}, { from: 'default' }])(
  'a client whose tests have a sandbox each: %o',
  async (request) => {
    const origin = createSimulator()
    const run: RunClient = async (variant) => {
      const simulator = origin.fork()
      if (variant) applyVariant(simulator, variant)
      const trace = traceClient(simulator)
      const { key, url } = simulator.sandboxes.create(request)
      const headers = { authorization: `Bearer ${key}` }
      const { status } = await simulator.fetch(`${new URL(url).pathname}${annotationsPath}`, {
        headers,
      })
      return { ...trace(), failure: status === 200 ? null : 'it fails', failedTests: null, ms: 1 }
    }
    const { trace } = await runUnchanged({ run })

    const { keys } = await tryScopes(trace, origin.policies.settings, { run })

    expect(keys.map(({ key, found }) => [key, found?.least])).toEqual([
      ['all', ['annotation:read']],
    ])
  },
)
