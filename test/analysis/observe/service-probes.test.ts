import { expect, test } from 'vitest'
import { observeProbe } from '../../support/observe/observe-probe.ts'
import { htmlPage } from '../../support/observe/odd-server.ts'

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

const moved = (headers: Record<string, string>) => new Response(null, { status: 302, headers })

test.each<[title: string, other: () => Response, open: string]>([
  ['a failure', () => htmlPage(502), 'The server failed with 502.'],
  ['an HTML page', () => htmlPage(200), 'A response with 200 was not JSON.'],
  ['a redirect without an address', () => moved({}), 'The server returns 302.'],
  [
    'a redirect with a secret in its address',
    () => moved({ location: 'https://login.example.com/?token=s3cret' }),
    'The server redirects to https://login.example.com/ (302).',
  ],
  [
    'a 404 of a proxy',
    () => htmlPage(404),
    'The path /api/projects/:project_id/annotations/ returns 404, in another form than a missing row.',
  ],
  [
    'a refusal of a proxy',
    () => htmlPage(418),
    'A response with 418 had another form than the errors of this server.',
  ],
])('%s shows no value', async (_title, other, open) => {
  expect(await observeProbe('versioning', { ...reads, change: to('GET', list, other) })).toBe(open)
})

test.each([
  [null, 'has no link to the previous page'],
  ['nowhere', 'has no link to the previous page'],
  ['http://localhost/?offset=1', 'The link to the previous page has no limit.'],
  [
    'http://localhost/?offset=1&limit=7',
    'A link shows the limit 7, and goes back by another number of rows.',
  ],
])('a page after the link %j to the previous one shows no limit', async (previous, open) => {
  const page = { count: 6, next: null, previous, results: [] }
  const change = to('GET', list, () => Response.json(page))

  const found = await observeProbe('annotations.list.limit.default', { ...reads, change })

  expect(found).toContain(open)
})
