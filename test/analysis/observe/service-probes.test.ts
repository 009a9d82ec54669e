import { expect, test } from 'vitest'
import { observeProbe } from '../../support/observe/observe-probe.ts'

type Setup = Parameters<typeof observeProbe>[1]
type Change = NonNullable<Setup['change']>

const to =
  (wanted: string, path: RegExp, other: () => Response): Change =>
  (response, method, actual) =>
    method === wanted && path.test(actual) ? other() : response
const reads = { allowWrites: false } as const
const list = /annotations\/$/

const author = { id: 1, hedgehog_config: null }
const may = { id: 1, created_by: { id: 1 } }
const fields = { dashboard_id: 1, dashboard_name: 'a', insight_derived_name: null }
const noVersion = 'An annotation has the fields of no known version.'
const needsWrites = 'The first annotations do not show it. It needs --allow-writes.'
const ownNotSuitable = 'An annotation of its own does not show it.'

test.each([
  [[{ id: 1, created_by: author }], 'none'],
  [[may], 'may_2024'],
  [[{ id: 1, created_by: author, ...fields }], 'july_2024'],
  [[{ ...may, ...fields }], noVersion],
  [[{ id: 1, created_by: author, dashboard_id: 1, dashboard_name: 'a' }], noVersion],
  [[{ id: 1, created_by: author }, may], 'may_2024'],
  [[may, { id: 2, created_by: null }, { id: '3', created_by: author }], 'may_2024'],
  [[{ id: 2, created_by: null }], needsWrites],
  [[], needsWrites],
])('of the annotations %j, the last one with an author shows: %s', async (results, version) => {
  const change = to('GET', list, () => Response.json({ results }))

  expect(await observeProbe('versioning', { ...reads, change })).toBe(version)
})

test.each([
  [{ id: 9, content: 'k2j4', created_by: author }, 'none'],
  [{ id: 9, content: 'k2j4', created_by: null }, ownNotSuitable],
  [['k2j4'], ownNotSuitable],
])('without others, an annotation of its own that is %j shows: %s', async (body, version) => {
  const change: Change = (response, method, path) => {
    if (method !== 'GET') return response
    return list.test(path) ? Response.json({ results: [] }) : Response.json(body)
  }

  expect(await observeProbe('versioning', { change })).toBe(version)
})

test('a form is accepted if the row has the time that was sent, in any form', async () => {
  const change: Change = (response, method, path) => {
    if (method !== 'PATCH' || !/annotations\/\d+\/$/.test(path)) return response
    return Response.json({ id: 9, content: 'k2j4', date_marker: '2024-06-05T14:00:00.000+02:00' })
  }

  expect(await observeProbe('bodies.form', { change })).toBe('accepted')
})

test('a form that is answered with 200 and changes nothing is not accepted', async () => {
  const change: Change = (response, method, path) => {
    if (method !== 'PATCH' || !/annotations\/\d+\/$/.test(path)) return response
    return Response.json({ id: 9, content: 'k2j4', date_marker: null })
  }

  expect(await observeProbe('bodies.form', { change })).toBe(
    'The server answers a form with 200, and does not change the row.',
  )
})
