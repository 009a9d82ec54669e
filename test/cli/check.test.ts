import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import type { PolicyOverrides } from '../../src/policies/settings.ts'
import { listen } from '../../src/server/listen.ts'
import { createSimulator, type Simulator } from '../../src/simulator.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { run, startCommand } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { startHttpServer } from '../support/http-server.ts'
import { findJunitIssues } from '../support/junit-issues.ts'

const emptyList = '{"count":0,"next":null,"previous":null,"results":[]}'

/** A world whose ids differ from those of the scenarios. */
const otherWorld = {
  organizations: [
    { id: '018f2b6e-0000-7000-8000-00000000000c', name: 'Umbrella', plugins_access_level: 9 },
  ],
  projects: [
    {
      ...defaultWorld.projects[0],
      id: 71,
      organization: '018f2b6e-0000-7000-8000-00000000000c',
      name: 'Shop',
    },
  ],
  users: [
    { ...defaultWorld.users[0], id: 5, organizations: ['018f2b6e-0000-7000-8000-00000000000c'] },
  ],
  keys: [{ value: 'phx_eve', label: 'eve', user: 5, scopes: ['*'] }],
} as unknown as WorldJson

async function serve(
  policies: PolicyOverrides = {},
): Promise<{ flags: string[]; simulator: Simulator }> {
  const simulator = createSimulator({ world: otherWorld, policies })
  const server = await listen(simulator, { port: 0 })
  onTestFinished(() => server.close())
  return { flags: ['--target', server.url, '--key', 'phx_eve'], simulator }
}

async function passOn(
  simulator: Simulator,
  request: IncomingMessage,
  response: ServerResponse,
  body = '',
) {
  const answer = await simulator.fetch(request.url ?? '', {
    method: request.method ?? 'GET',
    headers: request.headers as Record<string, string>,
    ...(body && { body }),
  })
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
}

test('check finds that a server responds as the documentation says, and removes its rows', async () => {
  const { flags, simulator } = await serve()

  const { code, stdout } = await run(['check', ...flags, '--allow-writes'])

  expect(stdout.split('\n').at(-2)).toBe('12 steps respond as the scenario expects.')
  expect(code).toBe(0)
  const { annotations } = simulator.world
  expect(annotations.list().map(({ deleted }) => deleted)).toEqual([true])
})

test('check tells documentation, live observations and other answers apart', async () => {
  const { flags } = await serve({
    'annotations.delete.status': '405_empty',
    'annotations.deleted.visibility': 'retrievable',
    'keys.missing.status': '403',
  })

  const { code, stdout } = await run(['check', ...flags, '--allow-writes', '--json'])

  const { steps, left } = JSON.parse(stdout)
  const verdicts = steps.map(
    ({ verdict, policies }: { verdict: string; policies: { id: string; setting: string }[] }) =>
      [verdict, ...policies.map(({ id, setting }) => `${id}=${setting}`)].join(' '),
  )
  expect([...new Set(verdicts)]).toEqual([
    'other answer keys.missing.status=403',
    'follow-up keys.missing.status=403',
    'as expected',
    // Either policy alone would explain the response.
    'live service annotations.delete.status=405_empty errors.body=empty',
    'other answer annotations.deleted.visibility=retrievable annotations.deleted.visibility=listed',
  ])
  expect({ left, code }).toEqual({ left: [], code: 0 })
})

test('the policy that explains one step explains later ones that do not use it', async () => {
  const { flags } = await serve({ 'annotations.restore': 'not_found' })

  const { code, stdout } = await run(['check', ...flags, '--allow-writes', '--json'])

  const { steps } = JSON.parse(stdout)
  const verdicts = steps.map(
    ({ verdict, policies }: { verdict: string; policies: { id: string; setting: string }[] }) =>
      [verdict, ...policies.map(({ id, setting }) => `${id}=${setting}`)].join(' '),
  )
  expect(verdicts.filter((verdict: string) => verdict !== 'as expected')).toEqual([
    'other answer annotations.restore=not_found',
    'follow-up annotations.restore=not_found',
  ])
  expect(code).toBe(0)
})

test('a row that cannot be removed is listed, and alone ends check with 1', async () => {
  const { simulator } = await serve()
  const url = await startHttpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const isRemoval = /^(PATCH|DELETE)$/.test(request.method ?? '')
    if (isRemoval) return void response.writeHead(403).end()
    await passOn(simulator, request, response, body)
  })
  const file = scenarioFile([create])
  const flags = ['--target', url, '--key', 'phx_eve', '--allow-writes']

  const { code, stdout } = await run(['check', file, ...flags])

  expect(stdout.split('\n').slice(-3)).toEqual([
    '1 step responds as the scenario expects.',
    `A row may be left: ${url}/api/projects/71/annotations/1/`,
    '',
  ])
  expect(code).toBe(1)
})

test('without --allow-writes check stops before the first write', async () => {
  const { flags, simulator } = await serve()

  const { code, stdout } = await run(['check', ...flags])

  expect(stdout).toContain(
    `A soft-deleted annotation disappears and can be restored
  - 1 create an annotation
      not run: it writes. Pass --allow-writes
  - 2 DELETE is refused
      not run: an earlier step writes. Pass --allow-writes
`,
  )
  expect(stdout.split('\n').at(-2)).toBe(
    '5 steps respond as the scenario expects; 7 steps were not run.',
  )
  expect(code).toBe(0)
  expect(simulator.journal.find().every(({ method }) => method === 'GET')).toBe(true)
})

test('a response that no policy explains fails the check', async () => {
  const url = await startHttpServer(({ headers }, response) => {
    const isKnown = headers.authorization === 'Bearer phx_eve'
    response.writeHead(isKnown ? 200 : 418, { 'content-type': 'application/json' }).end(emptyList)
  })

  const { code, stdout } = await run(['check', '--target', url, '--key', 'phx_eve'])

  expect(stdout).toContain('      differs, and no policy explains it\n')
  expect(code).toBe(1)
})

/** A scenario as a file. */
function scenarioFile(steps: readonly object[]): string {
  const scenario = { title: 'Written', world: 'default', steps }
  return join(temporaryFolder({ 'scenario.json': scenario }), 'scenario.json')
}

const list = { as: 'all', method: 'GET', path: '/api/projects/1/annotations/' }
const create = { ...list, method: 'POST', body: { content: 'Launch' }, expect: { status: 201 } }

test('a step that a simulation with other rows fails, too, is unclear', async () => {
  const { flags } = await serve()
  const file = scenarioFile([{ ...list, expect: { body: { count: 12345 } } }])

  const { code, stdout } = await run(['check', file, ...flags])

  expect(stdout).toContain('      differs, maybe because of other rows or another time\n')
  expect(stdout.split('\n').at(-2)).toBe(
    '1 step differs, maybe because of other rows or another time.',
  )
  expect(code).toBe(0)
})

test('Ctrl-C ends check between two steps with 130, and removes the rows', async () => {
  const { flags, simulator } = await serve()
  const file = scenarioFile(Array.from({ length: 500 }, () => create))
  const command = startCommand(['check', file, ...flags, '--allow-writes', '--json'])
  await expect.poll(() => simulator.world.annotations.list().length).toBeGreaterThan(0)

  const { code, stdout } = await command.stop('SIGINT')

  const rows = simulator.world.annotations.list()
  expect(code).toBe(130)
  expect(rows.length).toBeLessThan(500)
  expect(rows.every(({ deleted }) => deleted)).toBe(true)
  expect(JSON.parse(stdout).left).toEqual([])
})

test.each([/projects\/(\?|$)/, /projects\/71\/annotations\/\?limit=3/])(
  'Ctrl-C ends check with 130 while GET %s gets no response',
  async (silent) => {
    const { simulator } = await serve()
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const url = await startHttpServer(async (request, response) => {
      if (silent.test(request.url ?? '')) return arrive()
      await passOn(simulator, request, response)
    })
    const file = scenarioFile([{ ...list, path: `${list.path}?limit=3` }])
    const command = startCommand(['check', file, '--target', url, '--key', 'phx_eve'])
    await arrived

    const { code, stderr } = await command.stop('SIGINT')

    expect([code, stderr]).toEqual([130, ''])
  },
)

test('a broken connection is no response, and as the last step ends check with 4', async () => {
  const { simulator } = await serve()
  let isDown = false
  const url = await startHttpServer(async (request, response) => {
    if (request.method === 'POST') isDown = true
    if (isDown) return void request.socket.destroy()
    await passOn(simulator, request, response)
  })
  const file = scenarioFile([{ ...list, expect: { status: 200 } }, create])
  const flags = ['check', file, '--target', url, '--key', 'phx_eve', '--allow-writes']

  const text = await run(flags)
  isDown = false
  const { code, stdout } = await run([...flags, '--json'])

  expect(text.code).toBe(4)
  expect(text.stdout.split('\n').slice(-3)).toEqual([
    '1 step responds as the scenario expects; 1 step got no response.',
    `A row may be left, which was not confirmed: ${url}/api/projects/71/annotations/ with the text "Launch"`,
    '',
  ])
  expect(text.stderr).toBe(`${url} broke the connection. Check the server.\n`)
  expect(code).toBe(4)
  expect(JSON.parse(stdout)).toMatchObject({
    steps: [{ verdict: 'as expected' }, { verdict: 'no response' }],
    error: { exit_code: 4 },
  })
})

test.each(['a"b', '$&', '../2'])(
  'the project %s stays one segment of the path',
  async (project) => {
    const urls: unknown[] = []
    const url = await startHttpServer((request, response) => {
      urls.push(request.url)
      response.writeHead(200, { 'content-type': 'application/json' }).end(emptyList)
    })
    const file = scenarioFile([{ ...list, expect: { status: 200 } }])

    await run(['check', file, '--target', url, '--key', 'x1', '--project', project])

    expect(urls.at(-1)).toBe(`/api/projects/${encodeURIComponent(project)}/annotations/`)
  },
)

test('the scenarios of files are checked, and their rows may be missing', async () => {
  const { flags } = await serve()
  const scenario = {
    title: 'A row of the default world',
    world: 'default',
    steps: [
      { as: 'all', method: 'GET', path: '/api/projects/1/annotations/1/', expect: { status: 200 } },
      {
        as: 'all',
        method: 'GET',
        path: '/api/projects/1/annotations/999/',
        expect: { status: 404 },
      },
    ],
  }
  const file = join(temporaryFolder({ 'scenario.json': scenario }), 'scenario.json')

  const { stdout } = await run(['check', file, ...flags, '--json'])

  expect(JSON.parse(stdout).steps).toMatchObject([{ step: 1 }, { step: 2, verdict: 'as expected' }])
  const writes = {
    ...scenario,
    steps: [{ as: 'all', method: 'POST', path: '/api/projects/1/annotations/' }],
  }
  const writing = join(temporaryFolder({ 'scenario.json': writes }), 'scenario.json')
  expect((await run(['check', writing, ...flags])).stdout).toContain(
    'not run: it writes. Pass --allow-writes\nNo step was sent. 1 step was not run.\n',
  )
})

test.each([
  [['--target', 'nowhere', '--key', 'x1'], 2, /^Failed to check: expected a URL/],
  [['--target', 'http://127.0.0.1:1'], 2, /^Pass a key/],
  [
    ['nowhere.json', '--target', 'http://127.0.0.1:1', '--key', 'x1'],
    2,
    /^nowhere\.json not found/,
  ],
] as const)('check %j is refused', async (flags, expected, message) => {
  const { code, stderr } = await run(['check', ...flags])

  expect(stderr).toMatch(message)
  expect(code).toBe(expected)
})

test('rows that contain the words of the default scenarios change no verdict, also in a second check', async () => {
  const { flags, simulator } = await serve({ 'annotations.deleted.visibility': 'listed' })
  const headers = { authorization: 'Bearer phx_eve', 'content-type': 'application/json' }
  const body = JSON.stringify({ content: 'Office redesign', date_marker: '2024-01-01T00:00:00Z' })
  await simulator.fetch('/api/projects/71/annotations/', { method: 'POST', headers, body })

  const first = await run(['check', ...flags, '--allow-writes'])
  const second = await run(['check', ...flags, '--allow-writes'])

  expect(first.stdout).not.toContain('contradict')
  expect(second.stdout.split('\n').at(-2)).toBe(first.stdout.split('\n').at(-2))
  expect([first.code, second.code]).toEqual([0, 0])
})

test('rows that a scenario does not create stay, and a step that shows one of them is unclear', async () => {
  const { flags, simulator } = await serve()
  const headers = { authorization: 'Bearer phx_eve', 'content-type': 'application/json' }
  const body = JSON.stringify({ content: 'Release' })
  await simulator.fetch('/api/projects/71/annotations/', { method: 'POST', headers, body })
  const before = simulator.world.annotations.list()
  const path = '/api/projects/1/annotations/1/'
  const file = scenarioFile([
    { as: 'all', method: 'GET', path, expect: { status: 404 } },
    { as: 'all', method: 'GET', path, expect: { status: 200, body: { content: 'Other' } } },
    { ...list, save: { first: '/results/0/id' }, expect: { status: 200 } },
    { as: 'all', method: 'PATCH', path: '/api/projects/1/annotations/{first}/', body: {} },
    { ...list, expect: { status: 200 } },
  ])

  const { code, stdout } = await run(['check', file, ...flags, '--allow-writes', '--json'])

  const { steps } = JSON.parse(stdout)
  expect(steps.map(({ verdict, reason }: Record<string, string>) => reason ?? verdict)).toEqual([
    'unclear',
    'unclear',
    'as expected',
    'it changes a row that the scenario does not create',
    'an earlier step changes a row that the scenario does not create',
  ])
  expect(simulator.world.annotations.list()).toEqual(before)
  expect(code).toBe(0)
})

test('times that follow the clock of a scenario are unclear', async () => {
  const { flags } = await serve()
  const expected = { status: 201, body: { created_at: '2024-06-15T12:00:00Z' } }
  const scenario = {
    title: 'Written',
    world: 'default',
    clock: '2024-06-15T12:00:00Z',
    steps: [{ ...create, expect: expected }],
  }
  const file = join(temporaryFolder({ 'scenario.json': scenario }), 'scenario.json')

  const { stdout } = await run(['check', file, ...flags, '--allow-writes', '--json'])

  expect(JSON.parse(stdout).steps).toMatchObject([{ verdict: 'unclear', policies: [] }])
})

test('a list without a word of the check may contain other rows', async () => {
  const { flags, simulator } = await serve()
  const headers = { authorization: 'Bearer phx_eve', 'content-type': 'application/json' }
  await simulator.fetch('/api/projects/71/annotations/', {
    method: 'POST',
    headers,
    body: JSON.stringify({ content: 'Old', date_marker: '2024-01-01T00:00:00Z' }),
  })
  const file = scenarioFile([{ ...list, expect: { body: { count: 6 } } }])

  const { code, stdout } = await run(['check', file, ...flags, '--json'])

  expect(JSON.parse(stdout).steps).toMatchObject([{ verdict: 'unclear' }])
  expect(code).toBe(0)
})

test('a step whose key was not passed is not run, nor a step that needs its values', async () => {
  const { flags, simulator } = await serve()
  const file = scenarioFile([
    { ...create, as: 'annotation:write', save: { id: '/id' } },
    { ...list, path: '/api/projects/1/annotations/{id}/', expect: { status: 200 } },
    { ...list, expect: { status: 200 } },
  ])

  const { code, stdout } = await run(['check', file, ...flags, '--allow-writes'])

  expect(stdout).toContain('      not run: pass --key annotation:write=KEY\n')
  expect(stdout).toContain('      not run: it needs {id} of a step that is not run\n')
  expect(stdout).toContain('  ✓ 3 ')
  expect(stdout.split('\n').at(-2)).toBe(
    '1 step responds as the scenario expects; 2 steps were not run.',
  )
  expect(simulator.world.annotations.list()).toEqual([])
  expect(code).toBe(0)
})

test.each([
  [['--key', 'phx_wrong'], 'The key was refused (401).\n'],
  [['--key', 'phx_eve', '--project', '99'], 'The server has no project 99.\n'],
])('check %j on a server that knows neither ends with 2', async (flags, message) => {
  const { flags: server } = await serve()

  const { code, stdout, stderr } = await run(['check', ...server.slice(0, 2), ...flags])

  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: message })
})

test('of two policies, none alone is said to be the cause', async () => {
  const { flags } = await serve({ 'keys.missing.status': '403', 'errors.body': 'detail' })

  const { stdout } = await run(['check', ...flags])

  expect(stdout).toMatch(
    /responds as with policies keys\.missing\.status = 403 .* and errors\.body = detail .*; with 401 and \w+ this step would pass/,
  )
})

test('a file that cannot be checked is named and counted, and the others are checked', async () => {
  const { flags } = await serve()
  const good = { title: 'Good', steps: [{ ...list, expect: { status: 200 } }] }
  const change = { title: 'Change', steps: [{ advance: { hours: 1 } }] }
  const folder = temporaryFolder({ 'a.json': change, 'b.json': good, 's.schema.json': {} })
  const files = ['a.json', 'b.json', 's.schema.json'].map((name) => join(folder, name))

  const { code, stdout } = await run(['check', ...files, ...flags])

  expect(stdout).toContain(`${files[2]}: skipped. It is a JSON Schema.\n`)
  expect(stdout).toContain(`Not checked: ${files[0]} cannot run on a server.\n`)
  expect(stdout.split('\n').slice(-3)).toEqual([
    '1 step responds as the scenario expects.',
    '1 of 2 files was not checked.',
    '',
  ])
  expect(code).toBe(2)
})

test('each response that is cut short fails check, also if a later one is whole', async () => {
  const { simulator } = await serve()
  const url = await startHttpServer(async (request, response) => {
    if (!request.url?.includes('limit=2')) return passOn(simulator, request, response)
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"count"')
    response.destroy()
  })
  const read = { ...list, expect: { status: 200 } }
  const file = scenarioFile([{ ...read, path: `${list.path}?limit=2` }, read])

  const { code, stdout } = await run(['check', file, '--target', url, '--key', 'phx_eve'])

  expect(stdout.split('\n').at(-2)).toBe(
    '1 step responds as the scenario expects; 1 step got no response.',
  )
  expect(code).toBe(1)
})

test('what follows from a write that contradicts the documentation is no contradiction of its own', async () => {
  const { simulator } = await serve()
  const url = await startHttpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.method === 'PATCH') return void response.writeHead(418).end('{}')
    await passOn(simulator, request, response, Buffer.concat(chunks).toString())
  })
  const row = { ...list, path: '/api/projects/1/annotations/{id}/' }
  const file = scenarioFile([
    { ...create, save: { id: '/id' } },
    { ...row, method: 'PATCH', body: { content: 'Later' }, expect: { status: 200 } },
    { ...row, expect: { body: { content: 'Later' } } },
  ])

  const { code, stdout } = await run([
    ...['check', file, '--target', url, '--key', 'phx_eve', '--allow-writes', '--json'],
  ])

  const { steps } = JSON.parse(stdout)
  expect(steps.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
    'as expected',
    'contradiction',
    'maybe follow-up',
  ])
  expect(code).toBe(1)
})

test('what follows a write that was not sent is no contradiction of its own', async () => {
  const { simulator } = await serve()
  const url = await startHttpServer(async (request, response) => {
    if (/limit=[34]/.test(request.url ?? '')) return void response.writeHead(418).end('{}')
    await passOn(simulator, request, response)
  })
  const page = (limit: number) => ({ ...list, path: `${list.path}?limit=${limit}` })
  const file = scenarioFile([
    { ...page(3), expect: { status: 200 }, save: { first: '/results/0/id' } },
    { ...create, path: `${create.path}?after={first}` },
    { ...page(4), expect: { status: 200 } },
  ])

  const { stdout } = await run([
    ...['check', file, '--target', url, '--key', 'phx_eve', '--allow-writes', '--json'],
  ])

  const { steps } = JSON.parse(stdout)
  expect(steps.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
    'contradiction',
    'skipped',
    'maybe follow-up',
  ])
})

test('a policy that an earlier scenario shows is tried together with others', async () => {
  const { flags } = await serve({ 'errors.body': 'detail', 'keys.missing.status': '403' })
  const path = '/api/projects/1/annotations/'
  const detail = { type: 'invalid_request', code: 'not_found' }
  const missing = scenarioFile([
    { ...list, path: `${path}999999/`, expect: { status: 404, body: detail } },
  ])
  const noKey = scenarioFile([
    {
      method: 'GET',
      path,
      expect: { status: 401, body: { type: 'authentication_error', code: 'not_authenticated' } },
    },
  ])

  const { stdout } = await run(['check', missing, noKey, ...flags, '--json'])

  const { steps } = JSON.parse(stdout)
  const verdicts = steps.map(
    ({ verdict, policies }: { verdict: string; policies: { id: string; setting: string }[] }) =>
      [verdict, ...policies.map(({ id, setting }) => `${id}=${setting}`)].join(' '),
  )
  expect(verdicts).toEqual([
    'other answer errors.body=detail',
    'other answer errors.body=detail keys.missing.status=403',
  ])
})

test('a server without trailing slashes is checked, and named', async () => {
  const { simulator } = await serve()
  const url = await startHttpServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    if (pathname.endsWith('/')) return void response.writeHead(404).end('{"detail":"Not found."}')
    await passOn(simulator, request, response)
  })
  const file = scenarioFile([{ ...list, expect: { status: 200 } }])

  const { code, stdout } = await run(['check', file, '--target', url, '--key', 'phx_eve'])

  expect(stdout.split('\n').at(0)).toBe(
    'The server refuses the trailing slash: with it, GET /api/projects/:project_id/annotations returns 404.',
  )
  expect(stdout.split('\n').at(-2)).toBe('1 step responds as the scenario expects.')
  expect(code).toBe(0)
})

test('check writes a report in each format, in place of an earlier one', async () => {
  const { flags } = await serve({ 'annotations.delete.status': '405_empty' })
  const folder = temporaryFolder()
  const files = ['html', 'json', 'md', 'xml', 'sarif'].map((name) => join(folder, `check.${name}`))
  const reports = files.flatMap((file) => ['--report', file])

  const words = ['check', ...flags, '--allow-writes', ...reports]
  const codes = [(await run(words)).code, (await run(words)).code]

  const [html = '', json = '', md = '', xml = '', sarif = ''] = files.map((file) =>
    readFileSync(file, 'utf8'),
  )
  expect(codes).toEqual([0, 0])
  expect(html).toContain('<h2>What differs</h2>')
  expect(md).toContain('is as the live service was seen to respond.')
  expect(md).toContain('- 1. no key (as expected)\n- 2. an unknown key (as expected)\n')
  expect(JSON.parse(json).steps).toHaveLength(12)
  expect(await findJunitIssues(xml)).toEqual([])
  expect(xml).toContain('<testsuites name="understudy check" tests="12" failures="0"')
  expect(JSON.parse(sarif).runs[0].results).toEqual([])
})

test('a created row whose id is that of another row is not changed, and the rest of the scenario is not run', async () => {
  const { simulator } = await serve()
  const headers = { authorization: 'Bearer phx_eve', 'content-type': 'application/json' }
  const body = JSON.stringify({ content: 'Of another user' })
  await simulator.fetch('/api/projects/71/annotations/', { method: 'POST', headers, body })
  const before = simulator.world.annotations.list()
  const url = await startHttpServer(async (request, response) => {
    if (request.method !== 'POST') return passOn(simulator, request, response)
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ id: 1, content: 'Launch' }))
  })
  const row = '/api/projects/1/annotations/{id}/'
  const file = scenarioFile([
    { ...create, save: { id: '/id' } },
    { as: 'all', method: 'PATCH', path: row, body: { deleted: true }, expect: { status: 200 } },
    { as: 'all', method: 'GET', path: row, expect: { status: 404 } },
  ])
  const flags = ['--target', url, '--key', 'phx_eve', '--allow-writes']

  const { code, stdout } = await run(['check', file, ...flags])

  expect(stdout).toContain(`  - 2 PATCH ${row}
      not run: the server returned the id of another row
  - 3 GET ${row}
      not run: the server returned the id of another row
1 step responds as the scenario expects; 2 steps were not run.
PATCH ${url}/api/projects/71/annotations/1/ was not sent: the server says that the scenario created this row, but it is another one.
`)
  expect(code).toBe(1)
  expect(simulator.world.annotations.list()).toEqual(before)
})
