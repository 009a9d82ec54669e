import { expect, test } from 'vitest'
import { readHar } from '../../src/import/read-har.ts'
import type { Exchange, Scenario } from '../../src/index.ts'
import { isRequestStep } from '../../src/scenarios/format/scenario.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { plugins } from '../support/api/plugins.ts'
import { archive, createRow, createTraffic, entry, exampleOrigin } from '../support/traffic.ts'
import { deriveFrom, incidentOf } from './derive.ts'

// Two people edit a row. Both have the same key.

const url = `${annotationsPath}4/`
const before = createRow(4, 'Deploy')
const byAda = createRow(4, 'By Ada', { updated_at: '2024-06-15T12:00:02Z' })
const byBo = createRow(4, 'By Bo', { updated_at: '2024-06-15T12:00:03Z' })

const [read, otherRead, otherWrite, write, check] = createTraffic(
  { url, received: before },
  { url, received: before },
  { url, method: 'PATCH', sent: { content: 'By Ada' }, received: byAda },
  { url, method: 'PATCH', sent: { content: 'By Bo' }, received: byBo },
  { url, received: byBo },
) as [Exchange, Exchange, Exchange, Exchange, Exchange]

const agent = (exchange: Exchange, name: string): Exchange => ({
  ...exchange,
  request: { ...exchange.request, headers: [...exchange.request.headers, ['User-Agent', name]] },
})
const page = (exchange: Exchange, name: string): Exchange => ({ ...exchange, page: name })

/** The keys of the requests, and what an import says about them. */
async function keysOf(exchanges: readonly Exchange[]) {
  const { scenario, warnings } = await deriveFrom(exchanges)
  return { keys: scenario.steps.filter(isRequestStep).map(({ as }) => as), warnings }
}

test.each([
  ['pages', page],
  ['user agents', agent],
])('two clients of one key that take turns are told apart by their %s', async (_what, by) => {
  const told = await keysOf([
    ...[by(read, 'one'), by(otherRead, 'two'), by(otherWrite, 'three')],
    ...[by(write, 'one'), by(check, 'one')],
  ])

  expect(told).toEqual({
    keys: ['key-1', 'key-1-client-2', 'key-1-client-2', 'key-1', 'key-1'],
    warnings: [
      'Several clients sent requests with the key key-1. Those of two and three have the key key-1-client-2 here.',
    ],
  })
})

test('a page that is loaded again is the same client, whatever its user agents and the order are', async () => {
  const told = await keysOf([
    ...[page(check, 'three'), page(agent(otherWrite, 'a'), 'two'), page(write, 'two')],
    ...[page(agent(read, 'a'), 'one'), page(agent(otherRead, 'b'), 'one')],
  ])

  expect(told).toEqual({ keys: Array(5).fill('key-1'), warnings: [] })
})

test('a test of two clients names the steps that it has', async () => {
  const { scenario } = await deriveFrom([
    ...[page(read, 'one'), page(otherWrite, 'two'), page(write, 'one')],
  ])

  const { stepOf } = await incidentOf(scenario)

  expect([0, 1, 2].map(stepOf)).toEqual([1, null, 2])
})

test('a client that sends a refused write again with a new key is one client', async () => {
  const create = { method: 'POST', path: annotationsPath, body: { content: 'Launch' } }
  const [own, rolled] = [{ as: 'annotations' }, { as: 'all' }]
  const read = { ...own, method: 'GET', path: annotationsPath }
  const steps = [read, { revoke: 'annotations' }, { ...own, ...create }, { ...rolled, ...create }]

  const { others } = await incidentOf({ title: 'One', world: 'default', steps } as Scenario)

  expect(others.requests).toBe(0)
})

test('a test of one client has no fault that the request of another one met', async () => {
  const fault = { operation: 'listAnnotations', when: { times: 1 }, effect: { status: 500 } }
  const other = { as: 'annotations', method: 'GET', path: annotationsPath }
  const own = { as: 'all', method: 'DELETE', path: `${annotationsPath}1/` }
  const story = { title: 'Two', world: 'default', steps: [{ fault }, other, other, own] }

  const { test, scenario } = await incidentOf(story as Scenario)

  expect([test.faults, scenario.steps]).toEqual([[], [own]])
})

test('what others saved and changed reaches a test of one client as values and edits', async () => {
  const own = { as: 'all', method: 'GET', path: annotationsPath }
  const [create, plugin] = [{ content: `"$&"` }, `${plugins}21/`]
  const save = { row: '/id', old: '/content' }
  const body = { content: { $saved: '{{row}} {row} {old}' }, dashboard_item: { $saved: 'row' } }
  const broken = { fault: { when: { times: 1 }, effect: { status: 503 } } }
  const last = { update: { annotations: [{ id: { $saved: 'mine' }, content: 'D' }] } }
  const steps = [
    { ...own, as: 'annotations', method: 'POST', body: create, save },
    { ...own, method: 'PATCH', path: `${annotationsPath}{row}/`, body, save: { mine: '/id' } },
    { title: 'Renamed', update: { annotations: [{ id: { $saved: 'row' }, content: 'B' }] } },
    { ...own, path: plugin },
    { as: 'plugins', method: 'DELETE', path: plugin },
    { ...own, path: plugin },
    broken,
    own,
    { update: { annotations: [{ id: 1, content: 'C' }] } },
    { method: 'GET', path: annotationsPath },
    ...[broken, own, { ...own, as: 'annotations', method: 'POST', body: { content: 'E' } }],
    ...[broken, own, last],
  ]

  const { scenario } = await incidentOf({ title: 'Two', world: 'default', steps } as Scenario)

  const before = (operation: string | string[], ...edit: object[]) => ({
    fault: { operation, phase: 'before', effect: { edit } },
  })
  const content = { $saved: '{{row}} 9 "$&"' }
  const readers = (name: string) => [`retrieve${name}`, `list${name}s`, `update${name}`]
  expect(scenario.steps).toMatchObject([
    before('updateAnnotation', { rows: { annotations: [{ id: 9, ...create }] } }),
    { path: `${annotationsPath}9/`, body: { ...body, content, dashboard_item: 9 } },
    before(readers('Plugin'), { update: { annotations: [{ id: 9, content: 'B' }] } }),
    { path: plugin },
    before('retrievePlugin', { delete: { plugin_configs: [31] } }, { delete: { plugins: [21] } }),
    ...[{ path: plugin }, broken, own],
    before(readers('Annotation'), { update: { annotations: [{ id: 1, content: 'C' }] } }),
    ...[{ path: annotationsPath }, broken, own, broken],
    { rows: { annotations: [{ id: 10, content: 'E' }] } },
    ...[own, last],
  ])
})

test.each([
  [200, 'PATCH'],
  [400, 'patch'],
])('a method in lower case that got a %i is %s', (status, method) => {
  const sent = entry({
    entry: { pageref: 'page_1' },
    request: { method: 'patch', url: exampleOrigin + annotationsPath },
  })
  const har = JSON.parse(archive({ ...sent, response: { status, headers: [], content: {} } }))

  const [exchange] = readHar(har, 'a.har', undefined, {}).exchanges

  expect(exchange).toMatchObject({ method, page: 'page_1' })
})
