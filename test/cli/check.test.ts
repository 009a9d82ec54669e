import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  create,
  list,
  serveToCheck,
  serveWithDefect,
  verdictsOf,
} from '../support/cli/checked-server.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { startHttpServer } from '../support/http-server.ts'
import { findJunitIssues } from '../support/junit-issues.ts'
import { storyFile, writeScenarioFile } from '../support/scenarios/scenario-files.ts'

const emptyList = '{"count":0,"next":null,"previous":null,"results":[]}'

test('check finds that a server responds as the documentation says, and removes its rows', async () => {
  const { flags, simulator } = await serveToCheck()

  const { code, stdout } = await run(['check', ...flags, '--allow-writes'])

  expect(stdout.split('\n').at(-2)).toBe('12 steps respond as the scenario expects.')
  expect(code).toBe(0)
  const { annotations } = simulator.world
  expect(annotations.list().map(({ deleted }) => deleted)).toEqual([true])
})

test('check tells documentation, live observations and other answers apart', async () => {
  const { flags } = await serveToCheck({
    'annotations.delete.status': '405_empty',
    'annotations.deleted.visibility': 'retrievable',
    'keys.missing.status': '403',
  })

  const { code, stdout } = await run(['check', ...flags, '--allow-writes', '--json'])

  expect([...new Set(verdictsOf(stdout))]).toEqual([
    'other answer keys.missing.status=403',
    'follow-up keys.missing.status=403',
    'as expected',
    // Either policy alone would explain the response.
    'live service annotations.delete.status=405_empty errors.body=empty',
    'other answer annotations.deleted.visibility=retrievable annotations.deleted.visibility=listed',
  ])
  expect([JSON.parse(stdout).left, code]).toEqual([[], 0])
})

test('the policy that explains one step explains later ones that do not use it', async () => {
  const { flags } = await serveToCheck({ 'annotations.restore': 'not_found' })

  const { code, stdout } = await run(['check', ...flags, '--allow-writes', '--json'])

  expect(verdictsOf(stdout).filter((verdict) => verdict !== 'as expected')).toEqual([
    'other answer annotations.restore=not_found',
    'follow-up annotations.restore=not_found',
  ])
  expect(code).toBe(0)
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

test('a step that a simulation with other rows fails, too, is unclear', async () => {
  const { flags } = await serveToCheck()
  const file = writeScenarioFile([{ ...list, expect: { body: { count: 12345 } } }])

  const { code, stdout } = await run(['check', file, ...flags])

  expect(stdout).toContain('      differs, maybe because of other rows or another time\n')
  expect(stdout.split('\n').at(-2)).toBe(
    '1 step differs, maybe because of other rows or another time.',
  )
  expect(code).toBe(0)
})

test.each(['a"b', '$&', '../2'])(
  'the project %s stays one segment of the path',
  async (project) => {
    const urls: unknown[] = []
    const url = await startHttpServer((request, response) => {
      urls.push(request.url)
      response.writeHead(200, { 'content-type': 'application/json' }).end(emptyList)
    })
    const file = writeScenarioFile([{ ...list, expect: { status: 200 } }])

    await run(['check', file, '--target', url, '--key', 'x1', '--project', project])

    expect(urls.at(-1)).toBe(`/api/projects/${encodeURIComponent(project)}/annotations/`)
  },
)

test('the scenarios of files are checked, and their rows may be missing', async () => {
  const { flags } = await serveToCheck()
  const path = '/api/projects/1/annotations/'
  const reading = writeScenarioFile([
    { ...list, path: `${path}1/`, expect: { status: 200 } },
    { ...list, path: `${path}999/`, expect: { status: 404 } },
  ])
  const writing = writeScenarioFile([{ as: 'all', method: 'POST', path }])

  const read = await run(['check', reading, ...flags, '--json'])
  const written = await run(['check', writing, ...flags])

  expect(verdictsOf(read.stdout)).toEqual(['unclear', 'as expected'])
  expect(written.stdout).toContain(
    'not run: it writes. Pass --allow-writes\nNo step was sent. 1 step was not run.\n',
  )
  expect([read.code, written.code]).toEqual([0, 1])
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

test('a row that contains the words of a scenario changes no verdict, also in a second check', async () => {
  const { flags, simulator } = await serveToCheck({ 'annotations.deleted.visibility': 'listed' })
  const row = { content: 'Office redesign', date_marker: '2024-01-01T00:00:00Z' }
  simulator.world.annotations.create(row)

  const first = await run(['check', storyFile, ...flags, '--allow-writes'])
  const second = await run(['check', storyFile, ...flags, '--allow-writes'])

  expect(first.stdout).not.toContain('contradict')
  expect(second.stdout.split('\n').at(-3)).toBe(first.stdout.split('\n').at(-3))
  expect([first.code, second.code]).toEqual([0, 0])
})

test('times that follow the clock of a scenario are unclear', async () => {
  const { flags } = await serveToCheck()
  const clock = '2024-06-15T12:00:00Z'
  const expected = { status: 201, body: { created_at: clock } }
  const file = writeScenarioFile([{ ...create, expect: expected }], { clock })

  const { stdout } = await run(['check', file, ...flags, '--allow-writes', '--json'])

  expect(verdictsOf(stdout)).toEqual(['unclear'])
})

test('a list without a word of the check may contain other rows', async () => {
  const { flags, simulator } = await serveToCheck()
  simulator.world.annotations.create({ content: 'Old', date_marker: '2024-01-01T00:00:00Z' })
  const file = writeScenarioFile([{ ...list, expect: { body: { count: 6 } } }])

  const { code, stdout } = await run(['check', file, ...flags, '--json'])

  expect(verdictsOf(stdout)).toEqual(['unclear'])
  expect(code).toBe(0)
})

test.each([
  [['--key', 'phx_wrong'], 'The key was refused (401).\n'],
  [['--key', 'phx_eve', '--project', '99'], 'The server has no project 99.\n'],
])('check %j on a server that knows neither ends with 2', async (flags, message) => {
  const { flags: server } = await serveToCheck()

  const { code, stdout, stderr } = await run(['check', ...server.slice(0, 2), ...flags])

  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: message })
})

test('of two policies, none alone is said to be the cause', async () => {
  const { flags } = await serveToCheck({ 'keys.missing.status': '403', 'errors.body': 'detail' })

  const { stdout } = await run(['check', ...flags])

  expect(stdout).toMatch(
    /responds as with policies keys\.missing\.status = 403 .* and errors\.body = detail .*; with 401 and \w+ this step would pass/,
  )
})

test('a file that cannot be checked is named and counted, and the others are checked', async () => {
  const { flags } = await serveToCheck()
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

test('a policy that an earlier scenario shows is tried together with others', async () => {
  const { flags } = await serveToCheck({ 'errors.body': 'detail', 'keys.missing.status': '403' })
  const path = '/api/projects/1/annotations/'
  const detail = { type: 'invalid_request', code: 'not_found' }
  const missing = writeScenarioFile([
    { ...list, path: `${path}999999/`, expect: { status: 404, body: detail } },
  ])
  const noKey = writeScenarioFile([
    {
      method: 'GET',
      path,
      expect: { status: 401, body: { type: 'authentication_error', code: 'not_authenticated' } },
    },
  ])

  const { stdout } = await run(['check', missing, noKey, ...flags, '--json'])

  expect(verdictsOf(stdout)).toEqual([
    'other answer errors.body=detail',
    'other answer errors.body=detail keys.missing.status=403',
  ])
})

test('a server without trailing slashes is checked, and named', async () => {
  const { flags } = await serveWithDefect(({ url = '' }, response) => {
    const isRefused = new URL(url, 'http://localhost').pathname.endsWith('/')
    if (isRefused) response.writeHead(404).end('{"detail":"Not found."}')
    return isRefused
  })
  const file = writeScenarioFile([{ ...list, expect: { status: 200 } }])

  const { code, stdout } = await run(['check', file, ...flags])

  expect(stdout.split('\n').at(0)).toBe(
    'The server refuses the trailing slash: with it, GET /api/projects/:project_id/annotations returns 404.',
  )
  expect(stdout.split('\n').at(-2)).toBe('1 step responds as the scenario expects.')
  expect(code).toBe(0)
})

test('check writes a report in each format, in place of an earlier one', async () => {
  const { flags } = await serveToCheck({ 'annotations.delete.status': '405_empty' })
  const folder = temporaryFolder()
  const files = ['html', 'json', 'xml'].map((name) => join(folder, `check.${name}`))
  const reports = files.flatMap((file) => ['--report', file])

  const words = ['check', ...flags, '--allow-writes', ...reports]
  const codes = [(await run(words)).code, (await run(words)).code]

  const [html = '', json = '', xml = ''] = files.map((file) => readFileSync(file, 'utf8'))
  expect(codes).toEqual([0, 0])
  expect(html).toContain('<h2>What differs</h2>')
  expect(JSON.parse(json).steps).toHaveLength(12)
  expect(await findJunitIssues(xml)).toEqual([])
  expect(xml).toContain('<testsuites name="understudy check" tests="12" failures="0"')
})

test('a server that breaks the connection of paths with a slash is checked without one', async () => {
  const url = await startHttpServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    if (path === '/api/projects/') response.writeHead(302, { location: '/api/projects' }).end()
    else if (path.endsWith('/')) response.destroy()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(emptyList)
  })
  const file = writeScenarioFile([
    { method: 'GET', path: '/api/projects/', expect: { status: 302 } },
  ])

  const { code, stderr } = await run(['check', file, '--target', url, '--key', 'phx_eve'])

  expect([code, stderr]).toEqual([0, ''])
})
