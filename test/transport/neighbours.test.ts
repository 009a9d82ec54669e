import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { createSimulator, type Simulator, type UsageError } from '../../src/index.ts'
import { authorization } from '../support/api/headers.ts'
import { acme, initech, noon } from '../support/api/paths.ts'
import { twoOrganizations } from '../support/api/two-organizations.ts'
import { start } from '../support/lanes/start.ts'

const [organization] = defaultWorld.organizations

test('the default neighbours are the user of the key and its organization', async () => {
  const { ask } = await start({ neighbours: 'default' })

  const user = await ask('GET', '/api/users/@me/')
  const current = await ask('GET', '/api/organizations/@current')

  expect(user).toMatchObject({
    status: 200,
    body: {
      id: 1,
      email: expect.stringContaining('@'),
      organization: { id: organization?.id, name: organization?.name },
      team: { id: 1, name: 'Web shop' },
    },
  })
  expect(current).toMatchObject({
    status: 200,
    body: { id: organization?.id, name: organization?.name, projects: [{ id: 1 }, { id: 2 }] },
  })
})

test('the default neighbours require a key', async () => {
  const { ask } = await start({ neighbours: 'default' })

  const none = await ask('GET', '/api/users/@me/', { key: null })
  const unknown = await ask('GET', '/api/organizations/@current/', { key: 'phx_unknown' })

  expect(none).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
  expect(unknown).toMatchObject({ status: 401, body: { code: 'authentication_failed' } })
})

test('without the option the paths are unknown', async () => {
  const { ask } = await start()

  expect((await ask('GET', '/api/users/@me/')).status).toBe(404)
})

const responses = {
  'GET /api/flags/:id/': { body: { key: 'beta', active: true } },
  'POST /capture': { status: 202, headers: { 'x-mine': 'yes' }, body: 'queued' },
  '/api/any/*': { status: 204 },
}

test('a file of neighbours has a response by method and path', async () => {
  const client = await start({ neighbours: ['default', { responses }] })
  const { ask } = client

  const flag = await ask('GET', '/api/flags/7/?a=1')
  const queued = await client.send('POST', '/capture', { body: { event: 'x' } })

  expect(flag).toEqual({ status: 200, body: { key: 'beta', active: true } })
  expect([queued.status, await queued.text()]).toEqual([202, 'queued'])
  expect(queued.headers.get('x-mine')).toBe('yes')
  expect(queued.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect((await ask('DELETE', '/api/any/thing/')).status).toBe(204)
  expect((await client.send('HEAD', '/api/flags/7/')).status).toBe(200)
  expect((await ask('POST', '/api/flags/7/')).status).toBe(404)
  expect((await ask('GET', '/api/users/@me/')).status).toBe(200)
})

test('the API comes first', async () => {
  const { ask } = await start({ neighbours: { responses: { '/api/*': { status: 204 } } } })

  expect((await ask('GET', '/api/projects/')).status).toBe(200)
  expect((await ask('GET', '/api/other/')).status).toBe(204)
})

test('invalid neighbours are refused, with every issue', () => {
  const invalid = {
    responses: {
      'get /lower': {},
      '/a': { status: 99, boddy: {} },
      '/b': { headers: { 'a b': 'c' } },
      '/c': { status: 600 },
      'GET a': {},
      ' /a b': {},
    },
  }

  expect(() => createSimulator({ neighbours: invalid })).toThrow(
    /^Failed to read the neighbours\.\n/,
  )
  expect(() => createSimulator({ neighbours: 5 as never })).toThrow(
    'neighbours: expected object, got 5',
  )
  try {
    createSimulator({ neighbours: invalid })
  } catch (error) {
    expect((error as UsageError).issues).toMatchInlineSnapshot(`
      [
        "responses./a: unknown field "boddy". Did you mean "body"?",
        "responses.get /lower: expected a path that begins with /, such as /api/flags/ or GET /api/flags/, got "get /lower"",
        "responses./a.status: expected at least 200, got 99",
        "responses./b.headers: expected valid HTTP headers other than content-length, transfer-encoding, trailer, got {"a b":"c"}",
        "responses./c.status: expected at most 599, got 600",
        "responses.GET a: expected a path that begins with /, such as /api/flags/ or GET /api/flags/, got "GET a"",
        "responses. /a b: expected a path that begins with /, such as /api/flags/ or GET /api/flags/, got " /a b"",
      ]
    `)
  }
  expect(() => createSimulator({ neighbours: 'defualt' as 'default' })).toThrow('defualt')
})

test.each(['GET /a(b', '/a/:', '/*a{'])(
  'a pattern that MSW cannot parse is refused: %s',
  (route) => {
    try {
      createSimulator({ neighbours: { responses: { [route]: {} } } })
      expect.unreachable()
    } catch (error) {
      expect((error as UsageError).issues).toEqual([
        `responses.${route}: expected a path that MSW can parse, got ${JSON.stringify(route)}`,
      ])
    }
  },
)

test.each([
  ['3,000 parameters', Array.from({ length: 3_000 }, (_, index) => `/:p${index}`).join('')],
  ['51 parameters', '/:p'.repeat(51)],
  ['4 wildcards', '/*/*/*/a*'],
])('a path with %s is refused, because each request would take long', (_, route) => {
  try {
    createSimulator({ neighbours: { responses: { [route]: {} } } })
    expect.unreachable()
  } catch (error) {
    expect((error as UsageError).issues).toEqual([
      expect.stringContaining('expected at most 50 parameters and 3 wildcards, got "/'),
    ])
  }
})

test('a path can have 50 parameters and 3 wildcards', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `/:p${index}`).join('')
  const neighbours = { responses: { [`${names}/*/*/*`]: { body: 'here' } } }
  const { ask } = await start({ neighbours })

  const response = await ask('GET', '/a'.repeat(53))

  expect(response.body).toBe('here')
})

test.each([
  { 'x-a': 'a\u0001b' },
  { 'x-a': '\u007fa' },
  { 'Transfer-Encoding': 'chunked' },
  { 'content-length': '1' },
])('headers that a server cannot send are refused: %j', (headers) => {
  expect(() => createSimulator({ neighbours: { responses: { '/a': { headers } } } })).toThrow(
    'Failed to read the neighbours.',
  )
})

test.each([204, 205, 304])('a response with status %i has no body', async (status) => {
  const responses = { '/a': { status, body: 'text' } }
  const client = await start({ neighbours: { responses } })

  const response = await client.send('GET', '/a')

  expect([response.status, await response.text()]).toEqual([status, ''])
  expect((await client.simulator.fetch('/a')).status).toBe(status)
})

test('a refusal has the header understudy-why, and no nearest operations', async () => {
  const client = await start({ neighbours: 'default', explain: true })

  const response = await client.send('GET', '/api/users/@me/', { key: 'phx_unknown' })

  const why = '401: Personal API key found in request Authorization header is invalid'
  expect([response.status, response.headers.get('understudy-why')]).toEqual([401, why])
  const [entry] = client.simulator.journal.find()
  expect(entry).toMatchObject({ operation: null, reason: why })
  expect(entry).not.toHaveProperty('nearest')
})

test('the journal has the requests, without an operation and without a suggestion', async () => {
  const { ask, simulator } = await start({ neighbours: 'default' })

  await ask('GET', '/api/users/@me/')

  const [entry] = simulator.journal.find()
  expect(entry).toMatchObject({ operation: null, path: '/api/users/@me/', key: { label: 'all' } })
  expect(entry).not.toHaveProperty('nearest')
})

test('a sandbox has neighbours of its own world, by key and by URL', async () => {
  const { ask, simulator, origin } = await start({ neighbours: 'default' })
  const sandbox = simulator.sandboxes.create({ keys: { all: 'phx_mine' } })
  const inner = simulator.sandboxes.get(sandbox.id)
  inner?.world.users.update(1, { first_name: 'Other' })

  const byKey = await ask('GET', '/api/users/@me/', { key: 'phx_mine' })
  const byUrl = await ask('GET', `/__sandbox/${sandbox.id}/api/users/@me/`, { key: 'phx_mine' })
  const own = await ask('GET', '/api/users/@me/')
  const direct = await inner?.fetch(`${origin}/api/users/@me/`, {
    headers: authorization('phx_mine'),
  })

  expect(byKey.body).toMatchObject({ first_name: 'Other' })
  expect(byUrl.body).toEqual(byKey.body)
  expect(own.body).not.toMatchObject({ first_name: 'Other' })
  expect(direct?.status).toBe(200)
  expect(
    (await simulator.fork().fetch('/api/users/@me/', { headers: authorization() })).status,
  ).toBe(200)
})

/** The status, headers and text of a response of the library. */
async function receive(simulator: Simulator, path: string, key = 'phx_all') {
  const response = await simulator.fetch(path, { headers: authorization(key) })
  const headers = Object.fromEntries(response.headers)
  return { status: response.status, headers, text: await response.text() }
}

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
  const simulator = createSimulator({ neighbours: { responses: { '/a': response } } })

  expect(await receive(simulator, '/a')).toEqual(expected)
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
  const simulator = createSimulator({
    world: twoOrganizations,
    clock: noon,
    neighbours: 'default',
  })
  simulator.world.organizations.create({ id: empty, name: 'Empty' })
  simulator.world.users.update(2, changes)
  const projects = await simulator.fetch('/api/projects/', { headers: authorization('phx_noor') })
  const { results } = (await projects.json()) as { results: { id: number }[] }

  const user = await receive(simulator, '/api/users/@me/', 'phx_noor')
  const current = await receive(simulator, '/api/organizations/@current/', 'phx_noor')

  const row = results.find(({ id }) => id === team) ?? null
  expect([user.status, JSON.parse(user.text)]).toEqual([
    200,
    { ...noor, organization, organizations, team: row },
  ])
  const detail = { code: 'not_found', detail: 'Organization not found.', attr: null }
  const ofOrganization = { [acme]: [1, 2], [initech]: [3] }[organization?.id ?? ''] ?? []
  expect([current.status, JSON.parse(current.text)]).toEqual(
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
