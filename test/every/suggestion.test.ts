import { expect, test } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import { profiles } from '../../src/settings/profiles.ts'
import type { SettingOverrides } from '../../src/settings/resolve.ts'
import { type SettingId, settingIds, settingsById } from '../../src/settings/setting.ts'
import type { ResponseReasons } from '../../src/simulator/response-reasons.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { maskKey } from '../../src/utils/redaction/redactor.ts'
import { pathOf } from '../support/api/document.ts'
import { twoOrganizations } from '../support/api/two-organizations.ts'
import { initOf, type RequestOptions } from '../support/transports/client.ts'
import { explained } from './reasons.table.ts'
import { probes } from './setting-probes.ts'

type Step = readonly [method: string, path: string, options?: RequestOptions]

/** Sends the suggested request, with the key that it names. */
async function sendSuggestion(
  simulator: Simulator,
  { keys }: Simulator,
  { would_succeed }: ResponseReasons,
) {
  if (would_succeed === null) return null
  const { method, path, key, headers, body } = would_succeed
  const row = keys.list().find(({ label, value }) => {
    return label === value ? maskKey(value) === key?.value : label === key?.label
  })
  const response = await simulator.fetch(path, {
    method,
    headers: { ...headers, ...(row && { authorization: `Bearer ${row.value}` }) },
    ...(body !== null && { body: JSON.stringify(body) }),
  })
  return response.status
}

/** Sends requests, and explains each response in every way. */
async function explainAll(simulator: Simulator, steps: readonly Step[]) {
  const results: { readonly title: string; readonly status: number | null }[] = []
  for (const [method, path, options] of steps) {
    const response = await simulator.fetch(path, initOf(method, options ?? {}))
    const title = `${method} ${path} ${response.status}`
    // Probes of limits repeat a request hundreds of times.
    if (results.some((result) => result.title === title)) continue
    const sandbox = (simulator.sandboxes.get('sandbox-1') ?? simulator) as Simulator
    const reasons = await sandbox.explain(response)
    const status = await sendSuggestion(simulator, sandbox, reasons)
    results.push({ title, status })
  }
  return results
}

const base = createSimulator({ world: twoOrganizations, onError() {} })

const rows = Object.entries(explained).flatMap(([title, row]) =>
  profiles.map((profile) => ({ title, profile, ...row })),
)

test('every suggested request of the requests of the journal succeeds', async () => {
  const open = new Set<string>()
  for (const { title, profile, request, before, settings = {} } of rows) {
    const simulator = base.fork({ profile, settings })
    before?.(simulator)
    const [result] = await explainAll(simulator, [request])

    if (result?.status != null) {
      expect.soft(`${title}: ${result.status}`).toMatch(/: 20\d$/)
    } else if (!/ 20\d$/.test(result?.title ?? '')) open.add(title)
  }
  // The others have a request that succeeds.
  expect([...open]).toEqual([
    'a low access level',
    'an access level too low to write',
    'an access level too low for is_global',
    'an access level too low for the source',
    'an access level too low for updates',
    'a global plugin of another organization',
    'DELETE of an annotation that is not there',
    'DELETE of an id that is no whole number',
    'DELETE of an annotation of another project',
    'DELETE of an annotation that is deleted',
    'an unknown annotation',
    '@current of a user without an organization',
    'a path that resembles no operation',
    'malformed JSON',
    'a form of a list that is sent as JSON',
    'an object that was not converted to JSON',
    'a compressed body',
    'a body that says it is not compressed',
    'another content type',
    'a large body',
    'a choice without a similar one',
    'another type',
    'a missing row',
    'a global plugin of an organization that may not make it local',
    'a plugin that is installed already',
    'a fault',
    'an HTML page of a fault',
    'a fault after the write',
  ])
})

test('a method that a path lacks, and a body that is no object, have a request that succeeds', async () => {
  const silent: string[] = []
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
    const own = endpoints.filter((endpoint) => endpoint.path === path)
    const withoutBody = ['GET', 'POST', 'PUT', 'DELETE']
      .filter((method) => own.every((endpoint) => endpoint.method !== method))
      .map((method): Step => [method, pathOf({ path })])
    const withList = own
      .filter(({ body }) => body)
      .map(({ method }): Step => [method, pathOf({ path }), { raw: '[{}]' }])
    for (const { title, status } of await explainAll(base.fork(), [...withoutBody, ...withList])) {
      if (status === null) silent.push(title)
    }
  }
  expect(silent).toEqual([])
})

const values = settingIds.flatMap((id: SettingId) =>
  [
    ...Object.keys(settingsById[id].values).filter((value) => value !== 'integer'),
    ...(probes[id].integers ?? []),
  ].map((value) => ({ id, value })),
)

test('every suggested request succeeds under any value of any setting', async () => {
  for (const { id, value } of values) {
    const { steps, requires } = probes[id]
    const settings = { ...requires, [id]: value } as SettingOverrides
    const simulator = base.fork({ settings })

    for (const { title, status } of await explainAll(simulator, steps)) {
      if (status !== null) expect.soft(`${id}=${value}: ${title}: ${status}`).toMatch(/: 20\d$/)
    }
  }
})
