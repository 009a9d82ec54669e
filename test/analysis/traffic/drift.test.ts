import { expect, test } from 'vitest'
import { findDrift } from '../../../src/analysis/traffic/comparison.ts'
import { settingsFromTraffic } from '../../../src/analysis/traffic/settings-from-traffic.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'
import type { SimulatorOptions } from '../../../src/sandbox/simulator-options.ts'
import type { Scenario } from '../../../src/scenarios/format/scenario.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { initOf, type RequestOptions } from '../../support/lanes/client.ts'

const settings = resolvePolicies('documented')
const clock = '2024-06-15T12:00:00Z'

type Send = (method: string, path: string, options?: RequestOptions) => Promise<Response>

/** Records what a client sends to a service. */
async function record(
  options: SimulatorOptions,
  client: (send: Send, service: Simulator) => Promise<unknown>,
): Promise<Scenario> {
  const service = createSimulator({ clock, ...options })
  await client((method, path, init = {}) => service.fetch(path, initOf(method, init)), service)
  return service.record({ title: 'A client' }).scenario
}

/** Reads, writes and makes mistakes. */
async function client(send: Send): Promise<void> {
  await send('GET', annotationsPath)
  await send('POST', annotationsPath, { body: { content: 'Launch' } })
  await send('PATCH', `${annotationsPath}1/`, { body: { deleted: true } })
  await send('GET', `${annotationsPath}1/`)
  await send('DELETE', `${annotationsPath}2/`)
  await send('PUT', `${annotationsPath}2/`, { body: { content: 'All' } })
  await send('GET', `${annotationsPath}2/?search=nothing`)
  await send('GET', annotationsPath, { key: 'phx_unknown' })
  await send('GET', annotationsPath)
}

test('traffic of the live service contradicts what the documentation says, line by line', async () => {
  const scenario = await record({ profile: 'live' }, client)

  const drift = await findDrift(scenario, { settings })

  const found = drift.contradictions.map(({ policy, expected, observed, shown_by }) => {
    const [first] = shown_by.requests
    return [policy, expected.evidence, observed.value, first?.name, first?.path, first?.status]
  })
  expect(found).toEqual([
    ['annotations.delete.status', 'assumed', '405_empty', 'request 5', `${annotationsPath}2/`, 405],
    ['methods.put', 'assumed', 'on', 'request 5', `${annotationsPath}2/`, 405],
    ['headers.allow', 'assumed', 'every_answer', 'request 5', `${annotationsPath}2/`, 405],
    [
      'annotations.search.reach',
      'documented',
      'every_lookup',
      'request 7',
      `${annotationsPath}2/?search=nothing`,
      404,
    ],
  ])
  expect(drift.contradictions[3]?.documentation[0]).toMatch(/^List all annotations: GET; .* search/)
  expect(drift).toMatchObject({ requests: 9, explained: 9, undecided: [], unexplained: [] })
})

test('of a service with three other policies, these three are found', async () => {
  const policies = {
    'errors.body': 'list',
    'keys.missing.status': '403',
    'annotations.list.limit.default': 3,
  } as const
  const scenario = await record({ policies }, client)

  const drift = await findDrift(scenario, { settings })

  const found = drift.contradictions.map(({ policy, observed }) => [policy, observed.value])
  expect(Object.fromEntries(found)).toEqual(policies)
  expect(drift).toMatchObject({ requests: 9, explained: 9, undecided: [], unexplained: [] })
  expect(drift.policies).toMatchObject(policies)
})

test('a setting is confirmed by the requests that would differ with another value', async () => {
  const scenario = await record({}, async (send) => {
    await send('GET', annotationsPath, { key: 'phx_unknown' })
    await send('GET', annotationsPath)
    await send('GET', annotationsPath, { key: 'phx_unknown' })
    await send('POST', annotationsPath, { body: { scope: 'tag' } })
  })

  const drift = await findDrift(scenario, { settings, nameOf: (number) => `entry ${number}` })

  const confirmed = drift.confirmed.map(({ policy, setting, or, shown_by }) => {
    return [policy, setting.value, or, shown_by.requests.map(({ name }) => name)]
  })
  expect(drift.contradictions).toEqual([])
  expect(confirmed).toEqual([
    ['annotations.scope.values', 'may_2024', ['july_2024'], ['entry 4']],
    ['annotations.deleted.visibility', 'hidden', ['retrievable'], ['entry 2']],
    ['keys.missing.status', '401', [], ['entry 1', 'entry 3']],
    ['errors.body', 'envelope', [], ['entry 1', 'entry 3', 'entry 4']],
    ['versioning', 'none', [], ['entry 2']],
  ])
  expect(drift.not_tested).toContainEqual({
    policy: 'methods.put',
    setting: 'off',
    evidence: 'assumed',
    because: 'No request depends on it.',
  })
})

test('what no policy explains is reported with the documentation, once, and without its follow-ups', async () => {
  const recorded = await record({}, async (send) => {
    await send('POST', annotationsPath, { body: { content: 'Launch' } })
    await send('GET', annotationsPath)
  })
  const [create, list] = recorded.steps
  const failure = { ...create, expect: { status: 418 } }
  const scenario = { ...recorded, steps: [failure, failure, list] } as Scenario

  const drift = await findDrift(scenario, { settings })

  expect(drift.unexplained).toEqual([
    {
      operation: 'createAnnotation',
      differences: [{ path: ['expect', 'status'], where: 'status', expected: 418, got: 201 }],
      documentation: [
        'Create annotation: POST; annotation:write; body: content (string), date_marker (string), creation_type, dashboard_item (integer), deleted (boolean), scope; 201, Annotation',
      ],
      shown_by: {
        count: 2,
        at_least: false,
        requests: [
          { name: 'request 1', method: 'POST', path: annotationsPath, status: 418 },
          { name: 'request 2', method: 'POST', path: annotationsPath, status: 418 },
        ],
      },
      follow_ups: 1,
    },
  ])
})

test('a status that differs is no follow-up of a field of another response', async () => {
  const recorded = await record({}, async (send) => {
    await send('POST', annotationsPath, { body: { content: 'Launch' } })
    await send('DELETE', `${annotationsPath}1/`)
    await send('GET', `${annotationsPath}1/`)
    await send('GET', annotationsPath)
  })
  const [create, remove, retrieve, list] = recorded.steps
  const scenario = {
    ...recorded,
    steps: [
      { ...create, expect: { status: 201, body: { content: 'Launch', colour: 'red' } } },
      { ...remove, expect: { status: 204 } },
      { ...retrieve, expect: { status: 404 } },
      { ...list, expect: { status: 200, body: { count: 6 } } },
    ],
  } as Scenario

  const drift = await findDrift(scenario, { settings })

  const found = drift.unexplained.map(({ operation, differences, follow_ups }) => {
    return [operation, ...differences.map(({ where }) => where), follow_ups]
  })
  expect(found).toEqual([
    ['createAnnotation', 'body.colour', 0],
    ['deleteAnnotation', 'status', 2],
  ])
})

test('a value that two requests contradict is reported with both', async () => {
  const scenario = await record({ policies: { 'errors.body': 'list' } }, async (send, service) => {
    await send('GET', `${annotationsPath}99/`)
    await send('GET', `${annotationsPath}98/`)
    service.policies.set({ 'errors.body': 'html' })
    await send('GET', `${annotationsPath}97/`)
  })

  const drift = await findDrift(scenario, { settings })

  expect(drift.contradictions).toMatchObject([
    {
      policy: 'errors.body',
      observed: { value: 'list' },
      shown_by: { count: 2 },
      but: [{ value: 'html', shown_by: { requests: [{ name: 'request 3' }] } }],
    },
  ])
  expect(drift).toMatchObject({ requests: 3, explained: 2, unexplained: [] })
})

test('the smallest number of a policy is confirmed by the number above it', async () => {
  const policies = { 'annotations.list.limit.default': 1 } as const
  const scenario = await record({ policies }, (send) => send('GET', annotationsPath))

  const drift = await findDrift(scenario, { settings: resolvePolicies('documented', policies) })

  expect(drift).toMatchObject({ explained: 1, contradictions: [], undecided: [], unexplained: [] })
  expect(drift.confirmed.map(({ policy }) => policy)).toContain('annotations.list.limit.default')
})

test('the limit of a body is the largest that refuses it, or the smallest that accepts it', async () => {
  const body = { content: 'x'.repeat(100) }
  const length = JSON.stringify(body).length
  const send: Parameters<typeof record>[1] = (each) => each('POST', annotationsPath, { body })
  const refused = await record({ policies: { 'limits.body': 20 } }, send)
  const accepted = await record({ policies: { 'limits.body': 500 } }, send)
  const smaller = resolvePolicies('documented', { 'limits.body': 30 })
  // A journal does not keep a body that is too large. An archive does.
  const steps = refused.steps.map((step) => ({ ...step, body })) as Scenario['steps']

  const lower = await findDrift({ ...refused, steps }, { settings })
  const higher = await findDrift(accepted, { settings: smaller })

  const limits = [lower, higher].map(({ policies }) => policies['limits.body'])
  expect(limits).toEqual([length - 1, length])
})

test('a response that two policies explain is undecided', async () => {
  const scenario = await record({ policies: { 'errors.body': 'empty' } }, (send) =>
    send('DELETE', `${annotationsPath}1/`),
  )

  const { contradictions, undecided, unexplained } = await findDrift(scenario, { settings })

  expect({ contradictions, unexplained }).toEqual({ contradictions: [], unexplained: [] })
  expect(undecided).toMatchObject([
    {
      one_of: [
        [{ policy: 'annotations.delete.status', value: '405_empty' }],
        [{ policy: 'errors.body', value: 'empty' }],
      ],
      shown_by: { count: 1, requests: [{ method: 'DELETE', status: 405 }] },
    },
  ])
})

test('requests with faults, and those after them, are compared, too', async () => {
  const scenario = await record({ policies: { 'errors.body': 'list' } }, async (send, service) => {
    service.faults.add({
      operation: 'createAnnotation',
      when: { times: 1 },
      phase: 'after-commit',
      effect: { drop: true, delay_ms: 1 },
    })
    await send('GET', `${annotationsPath}99/`)
    await send('POST', annotationsPath, { body: { content: 'Launch' } }).catch(() => {})
    await send('POST', annotationsPath, { body: { content: 'Launch' } })
    await send('GET', `${annotationsPath}?search=Launch`)
  })

  const drift = await findDrift(scenario, { settings })

  expect(drift.contradictions).toMatchObject([{ policy: 'errors.body', shown_by: { count: 1 } }])
  expect(drift).toMatchObject({ requests: 4, explained: 4, unexplained: [] })
})

test('the settings of traffic are the nearest profile, and the policies that differ from it', async () => {
  const live = await record({ profile: 'live' }, client)
  const other = await record({ profile: 'live', policies: { 'errors.body': 'list' } }, client)

  expect([await settingsFromTraffic(live), await settingsFromTraffic(other)]).toEqual([
    { profile: 'live', policies: {}, differing: 0, isCut: false },
    { profile: 'live', policies: { 'errors.body': 'list' }, differing: 0, isCut: false },
  ])
})
