import { expect, test } from 'vitest'
import type { Exchange } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import {
  createPage,
  createPart,
  createRow,
  createTraffic,
  type TrafficInput,
} from '../support/traffic.ts'
import { derive, deriveFrom } from './derive.ts'

// Ids are counted up, so that they say which of two rows is older.

const now = { created_at: '2024-06-15T12:00:00Z', updated_at: '2024-06-15T12:00:00Z' }

const timeOf = (id: number) => `2024-06-01T00:00:${String(id).padStart(2, '0')}Z`
const dated = (id: number) => createRow(id, `Row ${id}`, { date_marker: timeOf(id) })

function createdRow(id: number): TrafficInput {
  const row = createRow(id, `Row ${id}`, now)
  const sent = { content: `Row ${id}`, date_marker: timeOf(id), scope: 'project' }
  return { method: 'POST', sent, status: 201, received: row }
}

function pageOf(offset: number | string, count: number, ...ids: readonly number[]): TrafficInput {
  const rows = ids.map((id) => createRow(id, `Row ${id}`))
  return createPart(`${annotationsPath}?limit=2&offset=${offset}`, count, ...rows)
}

/** The steps, as methods of requests and the edits of others. */
function stepsOf({ steps }: Awaited<ReturnType<typeof derive>>['scenario']) {
  return steps.map((step) => ('method' in step ? step.method : step))
}

const url = `${annotationsPath}11/`
const row = createRow(11, 'Of a colleague')
const list = { received: createPage(createRow(10, 'Own')) }
const sent = { deleted: true }

test.each<[string, TrafficInput[]]>([
  ['POST', [createdRow(10), createdRow(12), { url, received: row }]],
  ['PATCH', [list, { method: 'PATCH', url, sent, received: { ...row, ...sent } }]],
  ['GET', [list, { url, received: row }]],
  ['GET', [list, { url, received: { ...row, id: undefined } }]],
])('a row of a colleague came right before the %s that tells so', async (method, inputs) => {
  const { scenario, world, warnings } = await derive(...inputs)

  const edits = stepsOf(scenario).filter((step, at) => at === 1 || typeof step === 'object')
  expect(edits).toMatchObject([{ rows: { annotations: [{ id: 11, deleted: false }] } }])
  expect(stepsOf(scenario)[2]).toBe(method)
  expect((world.annotations ?? []).map(({ id }) => id)).not.toContain(11)
  const added = 'Others, or requests that the scenario lacks, are assumed to have added 1 row.'
  expect(warnings).toEqual([added])
})

test('rows of colleagues that no response shows take ids, and the rows of the client keep theirs', async () => {
  const changed = { ...dated(14), content: 'Changed by a colleague' }

  const { scenario } = await derive(
    createdRow(10),
    createdRow(12),
    createdRow(14),
    createPart(`${annotationsPath}?limit=2`, 4, dated(14), dated(12)),
    { url: `${annotationsPath}14/`, received: changed },
  )

  expect(stepsOf(scenario)).toMatchObject([
    ...['POST', 'POST', 'POST', 'GET'],
    { update: { annotations: [{ id: 14, content: changed.content }] } },
    'GET',
  ])
})

test('a row that is older than a listed one was hidden, and a newer one came later unless it is older by its times', async () => {
  const list = pageOf(0, 2, 9, 5)
  const seven = { url: `${annotationsPath}7/`, received: createRow(7, 'Seven') }
  const eleven = {
    url: `${annotationsPath}11/`,
    received: createRow(11, 'Eleven', { date_marker: '2024-06-01T00:00:07Z' }),
  }
  const times = { updated_at: now.updated_at, date_marker: timeOf(7) }

  const older = await derive(list, seven)
  const newer = await derive(list, eleven)
  const changed = await derive(list, { ...eleven, received: createRow(11, 'Eleven', times) })

  expect(stepsOf(older.scenario)).toMatchObject([
    'GET',
    { update: { annotations: [{ id: 7, deleted: false }] } },
    'GET',
  ])
  const restored = { update: { annotations: [{ id: 11, deleted: false }] } }
  expect(stepsOf(changed.scenario)).toMatchObject(['GET', restored, 'GET'])
  expect(stepsOf(newer.scenario)).toMatchObject([
    'GET',
    { rows: { annotations: [{ id: 11 }] } },
    'GET',
  ])
})

const adds = (id: number) => ({ rows: { annotations: [{ id }] } })
const hides = (...ids: readonly number[]) => ({
  update: { annotations: ids.map((id) => ({ id, deleted: true })) },
})
const missing = (id: number) => ({ url: `${annotationsPath}${id}/`, status: 404, received: {} })
const masked = (...ids: readonly string[]) => ({
  received: createPage(...ids.map((id) => ({ ...dated(5), id }))),
})

test.each<[title: string, pages: TrafficInput[], ...edits: object[]]>([
  ['deleted the last row before an empty page', [pageOf(0, 3, 9, 8), pageOf(4, 2)], hides(8)],
  ['deleted a row after a page', [pageOf(0, 4, 9, 8), pageOf(0, 3, 9, 8)], hides(1)],
  [
    'deleted two rows that requests do not find, and not one that no response shows',
    [
      ...[pageOf(0, 6, 6, 5), pageOf(2, 4, 2, 1), missing(6), missing(5)],
      { url: `${annotationsPath}4/`, received: dated(4) },
    ],
    hides(5, 6),
  ],
  [
    'added a row that a later page of a search shows',
    [
      ...[missing(2), pageOf('0&search=row', 3, 6, 5), pageOf('0&search=row', 4, 6, 5)],
      pageOf('2&search=row', 4, 4, 2),
    ],
    adds(2),
  ],
  ['replaced a row with a masked id', [masked('b', 'a'), masked('c', 'b')], adds(3), hides(1)],
  [
    'deleted a row whose id only a path shows',
    [masked('b', 'a'), { url, received: { ...dated(5), id: 'b' } }, masked('a')],
    hides(11),
  ],
  [
    'deleted a row whose id is another number in bodies',
    [pageOf(0, 2, 50, 30), { url, received: dated(50) }, pageOf(0, 1, 30)],
    hides(11),
  ],
])('others %s', async (_title, pages, ...edits) => {
  const { scenario } = await derive(...pages)

  const steps = stepsOf(scenario)
  expect([steps[0], steps.at(-1)]).toEqual(['GET', 'GET'])
  expect(steps.filter((step) => typeof step === 'object')).toMatchObject(edits)
})

/** The exchanges, which lack the bodies of the responses to creates. */
function withoutCreatedRows(...inputs: readonly TrafficInput[]): Exchange[] {
  return createTraffic(...inputs).map(({ response, ...rest }) => ({
    ...rest,
    response: { ...response, ...(rest.method === 'POST' && { body: { omitted: 400 } }) },
  }))
}

test('creates whose responses were not recorded keep their ids, and rows of colleagues come between', async () => {
  const listed = { received: createPage(dated(12), row, dated(10)) }

  const { world, scenario } = await deriveFrom(
    withoutCreatedRows(createdRow(10), createdRow(12), listed),
  )

  const added = { rows: { annotations: [{ id: 11 }] } }
  expect(stepsOf(scenario)).toMatchObject(['POST', added, 'POST', 'GET'])
  expect(world.keys).toMatchObject([{ user: 7 }])
})
