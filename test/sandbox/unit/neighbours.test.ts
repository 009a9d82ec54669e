import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../../src/sandbox/simulator-options.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { authorization } from '../../support/api/headers.ts'
import { acme, initech, noon } from '../../support/api/paths.ts'
import { twoOrganizations } from '../../support/api/two-organizations.ts'

/** The whole response to a request. */
async function send(simulator: Simulator, method: string, path: string, key = 'phx_all') {
  const response = await simulator.fetch(path, { method, headers: authorization(key) })
  const headers = Object.fromEntries(response.headers)
  return { status: response.status, headers, text: await response.text() }
}

const start = (options: SimulatorOptions = {}) =>
  createSimulator({ world: twoOrganizations, clock: noon, neighbours: 'default', ...options })

const parse = ({ status, text }: { status: number; text: string }) => [status, JSON.parse(text)]

const json = 'application/json'
const plain = 'text/plain; charset=utf-8'

test.each([
  [{}, { status: 200, headers: { 'content-length': '0' }, text: '' }],
  [
    { status: 202, headers: { 'X-A': 'b' } },
    { status: 202, headers: { 'x-a': 'b', 'content-length': '0' }, text: '' },
  ],
  [
    { status: 204, body: { a: 1 } },
    { status: 204, headers: {}, text: '' },
  ],
  [
    { body: { a: [1, 'é'] } },
    {
      status: 200,
      headers: { 'content-type': json, 'content-length': '14' },
      text: '{"a":[1,"é"]}',
    },
  ],
  [
    { body: null },
    { status: 200, headers: { 'content-type': json, 'content-length': '4' }, text: 'null' },
  ],
  [
    { body: 'é' },
    { status: 200, headers: { 'content-type': plain, 'content-length': '2' }, text: 'é' },
  ],
  [
    { body: '<a/>', headers: { 'Content-Type': 'text/xml' } },
    { status: 200, headers: { 'content-type': 'text/xml', 'content-length': '4' }, text: '<a/>' },
  ],
  [
    { status: 404, body: {}, headers: { 'content-type': 'a/b' } },
    { status: 404, headers: { 'content-type': 'a/b', 'content-length': '2' }, text: '{}' },
  ],
])('the response %j is sent as %j', async (response, expected) => {
  const simulator = start({ neighbours: { responses: { '/a': response } } })

  expect(await send(simulator, 'GET', '/a')).toEqual(expected)
})

test.each([
  ['GET /a/:id', 'GET', '/a/7', 200],
  ['GET /a/:id', 'POST', '/a/7', 404],
  ['GET /a/:id', 'GET', '/a', 404],
  ['/a', 'PATCH', '/a', 200],
  ['/a', 'GET', '/a/', 200],
  ['/a/*', 'DELETE', '/a/b/c', 200],
  ['/', 'GET', '/', 200],
])('the neighbour %s, asked with %s %s: %i', async (route, method, path, status) => {
  const simulator = start({ neighbours: { responses: { [route]: {} } } })

  expect((await send(simulator, method, path)).status).toBe(status)
})

const noor = {
  ...{ id: 2, uuid: '018f2b6e-0000-7000-8000-000000000002', distinct_id: 'd2' },
  ...{ first_name: 'Noor', last_name: 'Haddad', email: 'noor@example.com' },
  ...{ is_email_verified: null, hedgehog_config: null, is_active: true },
}
const inAcme = { id: acme, name: 'Acme' }
const inInitech = { id: initech, name: 'Initech' }
const empty = '018f2b6e-0000-7000-8000-00000000000d'

test.each([
  [{}, inAcme, [inAcme, inInitech], 1],
  [{ current_project: 3 }, inInitech, [inAcme, inInitech], 3],
  [{ organizations: [initech, acme], current_project: 2 }, inAcme, [inInitech, inAcme], 2],
  [{ organizations: [] }, null, [], null],
  [{ organizations: [empty] }, { id: empty, name: 'Empty' }, [{ id: empty, name: 'Empty' }], null],
])('of the user %j, the organization is %j', async (changes, organization, organizations, team) => {
  const simulator = start()
  simulator.world.organizations.create({ id: empty, name: 'Empty' })
  simulator.world.users.update(2, changes)
  const projects = await simulator.fetch('/api/projects/', { headers: authorization('phx_noor') })
  const { results } = (await projects.json()) as { results: { id: number }[] }

  const user = await send(simulator, 'GET', '/api/users/@me/', 'phx_noor')
  const current = await send(simulator, 'GET', '/api/organizations/@current/', 'phx_noor')

  const row = results.find(({ id }) => id === team) ?? null
  expect(parse(user)).toEqual([200, { ...noor, organization, organizations, team: row }])
  const detail = { code: 'not_found', detail: 'Organization not found.', attr: null }
  const ofOrganization = { [acme]: [1, 2], [initech]: [3] }[organization?.id ?? ''] ?? []
  expect(parse(current)).toEqual(
    organization === null
      ? [404, { type: 'invalid_request', ...detail }]
      : [
          200,
          {
            ...organization,
            plugins_access_level: 9,
            projects: ofOrganization.map((id) => results.find((each) => each.id === id)),
          },
        ],
  )
})

test('a request to a neighbour is in the journal, without an operation', async () => {
  const simulator = start()

  await send(simulator, 'GET', '/api/users/@me/?a=1')

  const [entry] = simulator.journal.find()
  expect(entry).toMatchObject({
    ...{ operation: null, method: 'GET', path: '/api/users/@me/', query: { a: '1' } },
    ...{ policies: [], changes: [], fault: null, reason: null },
  })
  expect(entry?.response).toMatchObject({ status: 200, omitted: false })
})

test.each([
  [{ 'GET /a': { status: 199 } }, ['responses.GET /a.status: expected at least 200, got 199']],
  [{ '/a': { status: 600 } }, ['responses./a.status: expected at most 599, got 600']],
  [{ 'GET a': {} }, ['responses.GET a: expected a path, or GET and a path, got "GET a"']],
  [{ '/a b': {} }, ['responses./a b: expected a path, or GET and a path, got "/a b"']],
  [{ ' /a': {} }, ['responses. /a: expected a path, or GET and a path, got " /a"']],
  [{ 'GET /(a': {} }, ['responses.GET /(a: expected a path that MSW can parse, got "GET /(a"']],
])('the responses %j are refused', (responses, issues) => {
  expect(() => start({ neighbours: { responses } })).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('Failed to read the neighbours.'),
      issues,
    }),
  )
})
