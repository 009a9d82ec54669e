import { expect, test } from 'vitest'
import { formatTextLine, loggedRequestDefaults } from '../../../../src/cli/log.ts'
import type { PolicyOverrides, Profile } from '../../../../src/policies/settings.ts'
import type { RequestSummary } from '../../../../src/sandbox/journal/renderer.ts'
import { describeDecision } from '../../../../src/server/dashboard/kit/format.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { noon } from '../../../support/api/paths.ts'

interface Refusal {
  readonly title: string
  readonly method?: string
  readonly path: string
  readonly key?: string
  readonly type?: string
  readonly body?: string
  readonly profile?: Profile
  readonly policies?: PolicyOverrides
  readonly status: number
  /** Each policy with its setting, and another setting */
  readonly decided: readonly (readonly [
    id: string,
    setting: string | number,
    other: string | number,
  ])[]
}

const annotations = '/api/projects/1/annotations/'
const plugins = '/api/organizations/@current/plugins/'
const formType = 'application/x-www-form-urlencoded'
const get = { title: '', status: 0, decided: [] }
const live = 'live'
const currentOff = { 'paths.current': 'off' } as const
const keyStatus = ['keys.missing.status', '401', '403'] as const
const scopeStatus = ['keys.insufficient.status', '403', '404'] as const

const refusals: readonly Refusal[] = [
  {
    title: 'PUT',
    method: 'PUT',
    path: `${annotations}1/`,
    body: '{"content":"x"}',
    status: 405,
    decided: [['methods.put', 'off', 'on']],
  },
  {
    title: 'PUT on a list',
    method: 'PUT',
    path: annotations,
    body: '{}',
    status: 403,
    key: 'phx_annotation_read',
    profile: live,
    decided: [['methods.undocumented', 'refused_to_scoped_keys', '405']],
  },
  {
    title: '@current as a project',
    path: '/api/projects/@current/annotations/',
    policies: currentOff,
    status: 404,
    decided: [['paths.current', 'off', 'on']],
  },
  {
    title: '@current as a project in live',
    path: '/api/projects/@current/annotations/',
    profile: live,
    policies: currentOff,
    status: 404,
    decided: [['paths.current', 'off', 'on']],
  },
  {
    title: '@current as an organization',
    path: plugins,
    policies: currentOff,
    status: 404,
    decided: [['paths.current', 'off', 'on']],
  },
  {
    title: 'a form',
    method: 'POST',
    path: annotations,
    type: formType,
    body: 'content=x',
    status: 415,
    decided: [['bodies.form', 'refused', 'accepted']],
  },
  {
    title: 'a multipart form',
    method: 'POST',
    path: annotations,
    type: 'multipart/form-data; boundary=x',
    body: '--x--',
    status: 415,
    decided: [['bodies.form', 'refused', 'accepted']],
  },
  {
    title: 'XML',
    method: 'POST',
    path: annotations,
    type: 'text/xml',
    body: '<a/>',
    status: 415,
    decided: [],
  },
  {
    title: 'XML in live',
    method: 'POST',
    path: annotations,
    type: 'text/xml',
    body: '<a/>',
    profile: live,
    status: 415,
    decided: [],
  },
  {
    title: 'the suffix .json',
    path: '/api/projects/1/annotations.json',
    status: 404,
    decided: [['paths.format', 'off', 'on']],
  },
  {
    title: 'the suffix .xml in live',
    path: '/api/projects/1/annotations.xml',
    profile: live,
    status: 404,
    decided: [],
  },
  {
    title: 'the parameter format in live',
    path: `${annotations}?format=xml`,
    profile: live,
    status: 404,
    decided: [['paths.format', 'on', 'off']],
  },
  {
    title: 'DELETE',
    method: 'DELETE',
    path: `${annotations}1/`,
    status: 405,
    decided: [['annotations.delete.status', '405', '403']],
  },
  {
    title: 'DELETE in live',
    method: 'DELETE',
    path: `${annotations}1/`,
    profile: live,
    status: 405,
    decided: [['annotations.delete.status', '405_empty', '403']],
  },
  { title: 'no key', path: annotations, key: '', status: 401, decided: [keyStatus] },
  {
    title: 'no key in live',
    path: annotations,
    key: '',
    profile: live,
    status: 401,
    decided: [keyStatus],
  },
  { title: 'a wrong key', path: annotations, key: 'phx_wrong', status: 401, decided: [keyStatus] },
  {
    title: 'a wrong key in live',
    path: annotations,
    key: 'phx_wrong',
    profile: live,
    status: 401,
    decided: [keyStatus],
  },
  {
    title: 'a key in the query',
    path: `${annotations}?personal_api_key=phx_all`,
    key: '',
    status: 401,
    decided: [['keys.places', 'header', 'header_body_query']],
  },
  {
    title: 'a missing scope',
    method: 'POST',
    path: annotations,
    key: 'phx_annotation_read',
    body: '{}',
    status: 403,
    decided: [scopeStatus],
  },
  {
    title: 'a missing scope in live',
    method: 'POST',
    path: annotations,
    key: 'phx_annotation_read',
    body: '{}',
    profile: live,
    status: 403,
    decided: [scopeStatus],
  },
  {
    title: 'reading with a write scope',
    path: annotations,
    key: 'phx_annotation_write',
    status: 403,
    decided: [['keys.write_implies_read', 'no', 'yes']],
  },
  {
    title: 'a deleted row',
    path: `${annotations}6/`,
    status: 404,
    decided: [['annotations.deleted.visibility', 'hidden', 'retrievable']],
  },
  {
    title: 'a deleted row in live',
    path: `${annotations}6/`,
    profile: live,
    status: 404,
    decided: [['annotations.deleted.visibility', 'hidden', 'retrievable']],
  },
  { title: 'a missing row', path: `${annotations}99/`, status: 404, decided: [] },
  {
    title: 'a missing row in live',
    path: `${annotations}99/`,
    profile: live,
    status: 404,
    decided: [],
  },
  {
    title: 'malformed JSON',
    method: 'POST',
    path: annotations,
    body: '{',
    status: 400,
    decided: [],
  },
  {
    title: 'malformed JSON in live',
    method: 'POST',
    path: annotations,
    body: '{',
    profile: live,
    status: 400,
    decided: [],
  },
  {
    title: 'an unknown value',
    method: 'POST',
    path: annotations,
    body: '{"scope":"tag"}',
    status: 400,
    decided: [['annotations.scope.values', 'may_2024', 'ever_seen']],
  },
  {
    title: 'a large body',
    method: 'POST',
    path: annotations,
    body: '{"content":"1234567890"}',
    policies: { 'limits.body': 10 },
    status: 413,
    decided: [['limits.body', 10, 536_870_888]],
  },
  { title: 'an unknown path', path: '/api/projects/1/annotation/', status: 404, decided: [] },
  {
    title: 'an operation for unscoped keys in live',
    path: '/api/organizations/@current/plugins/unused/',
    key: 'phx_all',
    profile: live,
    status: 403,
    decided: [['plugins.unused.scope', 'refused', 'plugin:read']],
  },
]

function send(simulator: Simulator, refusal: Refusal): Promise<Response> {
  const { method = 'GET', path, key = 'phx_all', type = 'application/json', body } = refusal
  const headers = {
    ...(key !== '' && { authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'content-type': type }),
  }
  return simulator.fetch(path, { method, headers, ...(body !== undefined && { body }) })
}

test.each(refusals)('$title: log, journal and dashboard name what decided', async (refusal) => {
  const { profile = 'documented', policies = {}, status, decided } = refusal
  const simulator = createSimulator({ profile, policies })
  const summaries: RequestSummary[] = []
  simulator.journal.followSummaries((summary) => summaries.push(summary))

  expect((await send(simulator, refusal)).status).toBe(status)
  const [entry] = simulator.journal.find()
  const [{ target, id: _, ...summary }] = summaries as [RequestSummary]
  const logged = { ...loggedRequestDefaults, ...summary, time: '', path: target, nearest: null }
  const line = formatTextLine(logged, (_tone, text) => text)

  expect(entry?.decided_by ?? []).toEqual(
    decided.map(([id, setting, would_be]) => {
      const used = entry?.policies.find((policy) => policy.id === id)
      expect(used?.setting).toBe(setting)
      return { ...used, would_be }
    }),
  )
  const reasons = decided.map(([id, setting]) => `${id}=${setting}`)
  const sentence = entry?.reason?.slice(`${status}: `.length)
  expect(line.split(' – ').slice(1)).toEqual([[sentence, ...reasons].join('; ')])
  expect((entry?.decided_by ?? []).map(describeDecision)).toEqual(
    decided.map(([, , other]) => `With ${other}, the status would differ.`),
  )
})

test('what decided is found in the rows as they were when the request was refused', async () => {
  const simulator = createSimulator()
  const { annotations: rows } = simulator.world
  const decisions = () =>
    simulator.journal.find().map(({ decided_by = [] }) => decided_by.map(({ id }) => id))

  await send(simulator, { ...get, path: `${annotations}6/` })
  await send(simulator, { ...get, path: `${annotations}9/` })
  rows.update(6, { deleted: false })
  rows.update(2, { content: 'Written since' })
  const { id } = rows.create({ content: 'Added since', deleted: true, project: 1 })
  rows.delete(1)
  simulator.keys.revoke('phx_all')

  expect(id).toBe(9)
  expect(decisions()).toEqual([['annotations.deleted.visibility'], []])
})

test('nothing is named if the rows of that time are no longer known', async () => {
  const simulator = createSimulator()
  await send(simulator, { ...get, path: `${annotations}6/` })

  for (let count = 0; count <= 10_000; count++) {
    simulator.world.annotations.update(6, { content: `${count}` })
  }

  expect(simulator.journal.find()[0]).not.toHaveProperty('decided_by')
})

test('a request over the rate limit names the limit', async () => {
  const simulator = createSimulator({ policies: { 'limits.rate': 'observed' }, clock: noon })
  for (let count = 0; count <= 480; count++) await send(simulator, { ...get, path: annotations })

  const decided = simulator.journal.find().map(({ decided_by }) => decided_by?.map(({ id }) => id))
  expect(decided.slice(-2)).toEqual([undefined, ['limits.rate']])
})

test('a fault decides without policies, and a request that is accepted has nothing to name', async () => {
  const simulator = createSimulator()
  await send(simulator, { ...get, path: annotations })
  simulator.faults.add({ operation: 'listAnnotations', effect: { error: 'not_found' } })
  await send(simulator, { ...get, path: annotations })

  for (const entry of simulator.journal.find()) expect(entry).not.toHaveProperty('decided_by')
})

test('finding what decided changes neither rows nor journal', async () => {
  const simulator = createSimulator()
  const form = { method: 'POST', path: annotations, type: formType, body: 'content=x' }
  await send(simulator, { ...get, ...form })
  const before = simulator.world.toJSON()

  const [first] = simulator.journal.find()

  expect(first?.decided_by).toHaveLength(1)
  expect(simulator.journal.find()).toEqual([first])
  expect(simulator.world.toJSON()).toEqual(before)
})

test('a sandbox and a mounted API name what decided, too', async () => {
  const simulator = createSimulator({ baseUrl: 'http://service.test/mounted' })
  const { id } = simulator.sandboxes.create()
  const inner = simulator.sandboxes.get(id) as Simulator
  const target = `/__sandbox/${id}/api/projects/1/annotations.json`
  const headers = { authorization: `Bearer ${inner.defaults.key}` }
  await simulator.fetch(`http://service.test/mounted${target}`, { headers })

  expect(inner.journal.find()[0]?.decided_by?.map(({ id }) => id)).toEqual(['paths.format'])
})
