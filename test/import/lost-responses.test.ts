import { expect, test } from 'vitest'
import { createSimulator, type Exchange, scenarioReport } from '../../src/index.ts'
import { acme, annotationsPath, pluginsPath } from '../support/api/paths.ts'
import { summarizeSteps } from '../support/scenarios/recordings.ts'
import {
  createPage,
  createRow,
  createTraffic,
  exampleOrigin,
  type TrafficInput,
} from '../support/traffic.ts'
import { incidentOf, scenarioFromTraffic, scenarioOf } from './derive.ts'

const sent = { content: 'Launch', date_marker: '2024-06-01T00:00:21Z', scope: 'project' }
const created = { created_at: '2024-06-15T12:00:01Z', updated_at: '2024-06-15T12:00:01Z' }
const launch = (id: number) =>
  createRow(id, 'Launch', { ...created, date_marker: sent.date_marker })
const deploy = createRow(4, 'Deploy')
const notFound = { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null }
const plugin = { id: 21, plugin_type: 'local', name: 'Export', organization_id: acme }
const timedOut = { error: 'net::ERR_TIMED_OUT' } as const

test('a create whose response was lost, a retry and a duplicate become a scenario that replays', async () => {
  const { scenario } = await scenarioOf(
    { received: createPage(deploy) },
    { method: 'POST', sent, status: 0, ms: 30_000, lost: timedOut },
    { method: 'POST', sent, status: 201, received: launch(22) },
    { received: createPage(launch(22), launch(21), deploy) },
  )

  const result = await createSimulator().run(scenario)

  expect(scenarioReport(result)).toContain('5 of 5 steps passed')
  expect(scenario.steps[1]).toEqual({
    fault: {
      operation: 'createAnnotation',
      when: { times: 1 },
      phase: 'after-commit',
      effect: { drop: true, delay_ms: 30_000 },
    },
  })
  expect(scenario.world).toMatchObject({
    next_ids: { annotations: 21 },
    annotations: [{ id: 4, content: 'Deploy', project: 1, created_by: 7 }],
    keys: [{ label: 'key-1', user: 7, scopes: ['*'] }],
  })
})

test.each([408, 502])(
  'a soft delete to which a proxy gave a %i was made if no row is found afterwards',
  async (status) => {
    const url = `${annotationsPath}4/`
    const { scenario } = await scenarioOf(
      { received: createPage(deploy) },
      { method: 'PATCH', url, sent: { deleted: true }, status },
      { url, status: 404, received: notFound },
    )

    expect(scenario.steps[1]).toMatchObject({
      fault: { operation: 'updateAnnotation', phase: 'after-commit', effect: { status } },
    })
  },
)

test.each<[title: string, sent: object, left: readonly object[]]>([
  ['deletions', { deleted: true }, []],
  ['changes', { content: 'New' }, [6, 5].map((id) => createRow(id, 'New'))],
])(
  'several lost %s that a list shows were made, and others added a row',
  async (_title, sent, left) => {
    const ids = [6, 5]
    const rows = ids.map((id) => createRow(id, 'Old'))

    const { scenario } = await scenarioOf(
      { received: createPage(...rows, deploy) },
      ...ids.map((id): TrafficInput => {
        return { method: 'PATCH', url: `${annotationsPath}${id}/`, sent, status: 0, lost: timedOut }
      }),
      { received: createPage(createRow(9, 'By Bo'), ...left, deploy) },
    )

    const changes = scenario.steps.filter((step) => !('method' in step))
    const lost = rows.map(() => ({ fault: { phase: 'after-commit' } }))
    expect(changes).toMatchObject([...lost, { rows: { annotations: [{ id: 9 }] } }])
    expect((await createSimulator().run(scenario)).passed).toBe(true)
  },
)

const search = (...rows: object[]): TrafficInput => {
  return { url: `${annotationsPath}?search=launch`, received: createPage(...rows) }
}

test.each<[shown: string, before: TrafficInput[], after: TrafficInput[]]>([
  ['a list', [], [{ received: createPage(launch(21), deploy) }]],
  ['a search', [], [search(launch(21))]],
  [
    'a search after a retry',
    [{ received: createPage(deploy) }],
    [{ method: 'POST', sent, status: 201, received: launch(22) }, search(launch(22), launch(21))],
  ],
])('a lost create that only %s shows is no row of the world', async (_, before, after) => {
  const lost = { method: 'POST', sent, status: 503 }
  const { scenario, warnings } = await scenarioOf(...before, lost, ...after)

  const { test, result } = await incidentOf(scenario)

  expect([result.passed, warnings]).toEqual([true, []])
  expect(test.expect).toMatchObject([{ rows: { count: 1 } }])
})

const asForm = (exchange: Exchange): Exchange => {
  const [text] = /First|Second/.exec(JSON.stringify(exchange.request.body)) ?? []
  const headers = [['content-type', 'application/x-www-form-urlencoded']] as const
  return { ...exchange, ...(text && { request: { headers, body: { text: `content=${text}` } } }) }
}

test.each<[string, url: string, row: object, asSent: (exchange: Exchange) => Exchange]>([
  ['forms', annotationsPath, createRow(5, 'Second'), asForm],
  ['plugins', pluginsPath, { ...plugin, name: 'Second' }, (exchange) => exchange],
])('of two lost creates, the one that a list shows was made: %s', async (_, url, row, asSent) => {
  const lost = ['First', 'Second'].map((name): TrafficInput => {
    return { method: 'POST', url, sent: { name }, status: 0, lost: timedOut }
  })
  const [empty, full] = [createPage(), createPage(row)].map((received) => ({ url, received }))

  const { scenario } = await scenarioFromTraffic(
    createTraffic(empty as TrafficInput, ...lost, full as TrafficInput).map(asSent),
  )

  const faults = scenario.steps.flatMap((step) => ('fault' in step ? [step.fault] : []))
  expect(faults.map((fault) => Object(fault).phase === 'after-commit')).toEqual([false, true])
})

test('the response of a HEAD that broke off has no bytes to cut, and that of a create says that it was carried out', async () => {
  const lost = { error: 'net::ERR_FAILED', arrived: { status: 200, bytes: 0 } }
  const { scenario } = await scenarioOf({ method: 'HEAD', status: 0, lost })

  expect(scenario.steps[0]).toMatchObject({ fault: { phase: 'before', effect: { drop: true } } })

  const arrived = { status: 201, bytes: 3 }
  const { warnings } = await scenarioOf({ method: 'POST', sent, status: 0, lost: { arrived } })
  expect(warnings).toEqual([])
})

test.each<[string, TrafficInput[], title: RegExp]>([
  ['without a look', [], /^Create annotation: failed with 500, and sent again without a look$/],
  ['after a list', [{ received: createPage() }], /^The recorded requests leave no failure/],
])('a create that failed, and is sent again %s', async (_, between, title) => {
  const create: TrafficInput = { method: 'POST', sent }
  const again = { ...create, status: 201, received: createRow(4, sent.content) }
  const { scenario } = await scenarioOf({ ...create, status: 500 }, ...between, again)

  const { test, ...incident } = await incidentOf(scenario)

  expect(incident.title).toMatch(title)
  expect(test.faults_after_commit !== undefined).toBe(between.length === 0)
})

test('a redirect to the recorded service leads to the one that replays it, also in a test', async () => {
  const moved = createTraffic({ status: 300 }).map((exchange) => ({
    ...exchange,
    response: { ...exchange.response, headers: [['location', `${exampleOrigin}/api/login/`]] },
  })) as Exchange[]
  const { scenario } = await scenarioFromTraffic(moved)

  const { test } = await incidentOf(scenario)

  const fault = { operation: 'listAnnotations', when: { times: 1 }, phase: 'before' }
  const effect = { status: 300, headers: { location: { $saved: '{base_url}/api/login/' } } }
  expect(scenario.steps[0]).toEqual({ fault: { ...fault, effect } })
  expect(await createSimulator().run(scenario)).toMatchObject({ passed: true })
  const query = { limit: null, offset: null, search: null }
  expect(test.faults).toEqual([
    { ...fault, query, effect: { status: 300, headers: { location: '{base_url}/api/login/' } } },
  ])
})

test('the fault of a request that no step can send is left out with it', async () => {
  const { scenario, warnings } = await scenarioOf(
    { method: 'PURGE', status: 0, lost: timedOut },
    { received: createPage(deploy) },
  )

  expect(summarizeSteps(scenario)).toEqual([expect.stringContaining('GET')])
  expect(warnings).toMatchObject([expect.stringContaining('PURGE')])
  expect(await createSimulator().run(scenario)).toMatchObject({ passed: true })
})

test.each<[sent: object, stored: object, phase: string]>([
  [{ content: '  After ' }, { content: 'After' }, 'after-commit'],
  [{ content: 'After' }, { content: 'Before' }, 'before'],
  [
    { date_marker: '2024-06-02T02:00:00+02:00' },
    { date_marker: '2024-06-02T00:00:00Z' },
    'after-commit',
  ],
  [{ date_marker: '2024-06-03' }, { date_marker: '2024-06-01T00:00:04Z' }, 'before'],
  [{ dashboard_item: '41' }, { dashboard_item: 41, insight_short_id: 'abc' }, 'after-commit'],
  [{ dashboard_item: '42' }, { dashboard_item: 41, insight_short_id: 'abc' }, 'before'],
  [{ scope: 'organization' }, { scope: 'organization' }, 'after-commit'],
  [{ content: 'After', scope: 'organization' }, { content: 'After' }, 'before'],
])(
  'a lost change to %j, after which the row has %j, was carried out %s',
  async (sent, stored, phase) => {
    const url = `${annotationsPath}4/`

    const { scenario } = await scenarioOf(
      { url, received: createRow(4, 'Before') },
      { method: 'PATCH', url, sent, status: 0, lost: timedOut },
      { url, received: createRow(4, 'Before', stored) },
    )

    expect(scenario.steps[1]).toMatchObject({ fault: { operation: 'updateAnnotation', phase } })
  },
)

test.each<[title: string, phase: string, later: readonly TrafficInput[]]>([
  ['a later response shows it', 'before', [{ received: plugin }]],
  ['it is not found', 'after-commit', [{ status: 404, received: notFound }]],
  ['a second delete succeeds', 'before', [{ method: 'DELETE', status: 204 }]],
  ['no later request is about it', 'before', []],
])('of a lost delete of a plugin, %s: %s', async (_title, phase, later) => {
  const url = `${pluginsPath}21/`

  const { scenario, warnings } = await scenarioOf(
    { url, received: plugin },
    { method: 'DELETE', url, status: 0, lost: timedOut },
    ...later.map((input) => ({ url, ...input })),
  )

  expect(scenario.steps[1]).toMatchObject({ fault: { operation: 'deletePlugin', phase } })
  const open = warnings.filter((text) => text.startsWith('No later response'))
  expect(open).toHaveLength(later.length === 0 ? 1 : 0)
})

test('a read after another change does not show whether a lost change was carried out', async () => {
  const url = `${annotationsPath}4/`
  const change = (content: string) => ({ method: 'PATCH', url, sent: { content } })
  const read = (content: string) => ({ url, received: createRow(4, content) })

  const { warnings } = await scenarioOf(
    read('Before'),
    { ...change('Lost'), status: 0, lost: timedOut },
    { ...change('After'), received: createRow(4, 'After') },
    read('After'),
  )

  expect(warnings).toEqual([
    'No later response shows whether the service carried out PATCH updateAnnotation, which failed. steps[2] assumes that it did not.',
  ])
})
