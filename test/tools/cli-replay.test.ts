import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { root, run, serve } from '../support/cli.ts'
import { temporaryFile } from '../support/files.ts'

// Each test starts processes, and machines are busy.
vi.setConfig({ testTimeout: 30_000 })
afterAll(() => vi.resetConfig())

const list = '/api/projects/1/annotations/'
const story = `${root}scenarios/soft-delete-and-restore.json`

/** A file with a scenario of these steps. */
const file = (steps: unknown, more: object = {}): string =>
  temporaryFile(JSON.stringify({ title: 'A story', world: 'default', steps, ...more }))

const read = { title: 'read <it>', as: 'all', method: 'GET', path: `${list}1/` }
const wrong = { ...read, expect: { status: 200, body: { content: 'Release 2.0' } } }

test('the help shows how it is used', async () => {
  const { code, stdout } = await run(['replay', '--help'])

  expect(code).toBe(0)
  expect(stdout).toContain('Examples:\n  understudy replay scenarios/*.json')
})

test('a scenario that holds ends with 0', async () => {
  const { code, stdout, stderr } = await run(['replay', story, '--until', '2'])

  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: `${story}: A soft-deleted annotation disappears, and comes back
  ✓ 1 create an annotation
  ✓ 2 hard delete is refused
  2 of 2 steps as expected.
`,
    stderr: '',
  })
})

test('every story of the package holds, and their schema is none', async () => {
  const names = readdirSync(`${root}scenarios`).map((name) => `${root}scenarios/${name}`)

  const { code, stdout } = await run(['replay', ...names])

  expect(code).toBe(0)
  expect(stdout.match(/ steps as expected\./g)).toHaveLength(names.length - 1)
})

test('a difference ends with 1, and is told where it is', async () => {
  const { code, stdout } = await run(['replay', file([wrong])])

  expect(code).toBe(1)
  expect(stdout).toContain(`  ✗ 1 read <it>
      GET http://localhost/api/projects/1/annotations/1/
      body.content
        expected "Release 2.0"
        got      "Release 1.0"
`)
})

test('in the other profile what differs is named by policy', async () => {
  const { code, stdout } = await run(['replay', story, '--profile', 'live', '--only', '2'])

  expect(code).toBe(1)
  expect(stdout).toContain(
    'decided by annotations.delete.status = 405_empty (observed: observed §4.5, §9.7); as expected with 405',
  )
})

test('fixtures that are files are found by their name', async () => {
  const empty = { method: 'GET', path: '/api/projects/', expect: { status: 401 } }

  expect(await run(['replay', file([empty], { world: 'odd' })])).toMatchObject({ code: 0 })
})

test('--update accepts what was answered, and leaves the rest of the file as it is', async () => {
  const text = `{
  "title": "A story",   "world": "default",
  "steps": [
    { "as": "all", "method": "GET", "path": "${list}1/",
      "expect": { "status": 404, "body": { "id": { "$match": "id" }, "content": "Release 2.0" } } }
  ]
}
`
  const path = temporaryFile(text)

  const { code, stdout } = await run(['replay', path, '--update'])

  expect([code, stdout]).toEqual([0, expect.stringContaining('expects now what was answered.')])
  expect(readFileSync(path, 'utf8')).toBe(
    text.replace('404', '200').replace('Release 2.0', 'Release 1.0'),
  )
  expect(await run(['replay', path])).toMatchObject({ code: 0 })
})

test('--report prints a report on stdout, and the progress elsewhere', async () => {
  const { stdout, stderr } = await run(['replay', file([read, wrong]), '--report', 'json'])

  expect(JSON.parse(stdout)).toMatchObject([
    { accepted: false, error: null, result: { title: 'A story', held: false, steps: [{}, {}] } },
  ])
  expect(stderr).toContain('1 of 2 steps as expected, 1 differed.')
})

test('a report for continuous integration has a case for each step', async () => {
  const out = temporaryFile('')

  await run(['replay', file([read, wrong]), '--report', 'junit', '--out', out])

  const report = readFileSync(out, 'utf8').replace(/ time="[\d.]+"/g, '')
  expect(report).toContain(
    '<testsuite name="A story" tests="2" failures="1" errors="0" skipped="0">',
  )
  expect(report).toMatch(/<testcase name="1 read &lt;it&gt;" classname="[^"]+"><\/testcase>/)
  expect(report).toMatch(
    /<testcase name="2 [^>]+><failure message="body.content" type="difference">[^<]+<\/failure><\/testcase>/,
  )
})

test('a page as a report stands alone, in light and dark', async () => {
  const out = temporaryFile('')

  await run(['replay', file([read, wrong]), '--report', 'html', '--out', out])

  const page = readFileSync(out, 'utf8')
  expect(page).toContain('<title>Replay: 0 of 1 as expected</title>')
  expect(page).toContain('color-scheme: light dark')
  expect(page).toContain('2. read &lt;it&gt; <b>differs</b>')
  expect(page).not.toMatch(/<script|<link|src=|url\(/)
})

test('files with faults end with 2 before anything runs', async () => {
  const bad = file([
    { ...read, as: 5 },
    { method: 'GET', path: '/{id}' },
  ])
  const cut = temporaryFile('{ "title": "A')
  const binary = temporaryFile('')
  writeFileSync(binary, new Uint8Array([0xff, 0xfe, 0x00]))

  expect(await run(['replay', story, bad])).toEqual({
    code: 2,
    stdout: '',
    stderr: `Failed to replay ${bad}: it has a fault. Nothing was run.\n  steps[0].as: expected string, got 5\n`,
  })
  expect(await run(['replay', cut])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^Failed to read .*: expected a scenario as JSON, got a text that is none \(.*\)\. Mend the file\.\n$/,
    ),
  })
  expect(await run(['replay', binary])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^Failed to read .*: expected a scenario as JSON, got 3 bytes that are no text\./,
    ),
  })
  expect(await run(['replay', 'nowhere.json'])).toMatchObject({ code: 2 })
  expect(await run(['replay', file([read], { format_version: 2 })])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('format_version: expected at most 1, got 2'),
  })
})

test('a server of ours gets a sandbox for the replay, and stays as it is', async () => {
  const { url } = await serve(['--token', 'secret'])
  const control = { headers: { authorization: 'Bearer secret' } }
  const state = async (): Promise<string> => (await fetch(`${url}/__admin/world`, control)).text()
  const before = await state()

  const { code } = await run(['replay', story, '--target', url, '--token', 'secret'])
  const refused = await run(['replay', story, '--target', url])

  expect(code).toBe(0)
  expect(await state()).toBe(before)
  expect(await (await fetch(`${url}/__admin/sandboxes`, control)).text()).toBe('[]')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('token') })
})

test('another service is asked by requests alone, and only read from', async () => {
  const asked: string[] = []
  const { url } = await other((method, path, key) => asked.push(`${method} ${path} ${key}`))
  const steps = [read, { ...read, as: 'other', path: '/{{id}}/' }]
  const flags = ['--target', url, '--key', 'phx_mine', '--key', 'other=phx_other']

  const held = await run(['replay', file(steps), ...flags])
  const write = await run(['replay', file([{ ...read, method: 'POST' }]), ...flags])
  const change = await run(['replay', file([...steps, { reset: true }]), ...flags])
  const allowed = await run([
    ...['replay', file([{ ...read, method: 'POST' }]), ...flags],
    '--allow-writes',
  ])

  expect(held.code).toBe(0)
  expect(write).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('steps[0].method: expected a read, got POST: --allow-writes'),
  })
  expect(change).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('steps[2].reset: expected requests only'),
  })
  expect(allowed.code).toBe(0)
  expect(asked).toEqual([
    `GET ${list}1/ Bearer phx_mine`,
    'GET /%7Bid%7D/ Bearer phx_other',
    `POST ${list}1/ Bearer phx_mine`,
  ])
})

test('where nothing answers it ends with 4', async () => {
  const down = await run(['replay', file([read]), '--target', 'http://127.0.0.1:1', '--key', 'x'])
  const ours = await run(['replay', file([read]), '--target', 'http://localhost:1'])
  const { url } = await other(() => {})
  const tls = await run([
    ...['replay', file([read]), '--key', 'x'],
    ...['--target', url.replace('http:', 'https:')],
  ])

  expect(down).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(
      /Failed to reach http:\/\/127\.0\.0\.1:1: .* It was asked by steps\[0\]\.\n$/,
    ),
  })
  expect(ours.code).toBe(4)
  expect(tls).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('got a TLS connection that fails (ERR_SSL_'),
  })
})

test('a body that is no text is told as such', async () => {
  const { url } = await other(() => {})
  const step = { ...read, path: '/binary', expect: { body: {} } }

  const { code, stdout } = await run(['replay', file([step]), '--target', url, '--key', 'x'])

  expect([code, stdout]).toEqual([1, expect.stringContaining('bytes that are no text (image/png)')])
})

/** A service that is not ours. */
async function other(
  onAsked: (method: string | undefined, path: string | undefined, key: string | undefined) => void,
): Promise<{ url: string }> {
  const server = createServer((request, response) => {
    onAsked(request.method, request.url, request.headers.authorization)
    if (request.url === '/binary') {
      response.setHeader('content-type', 'image/png').end(Buffer.from([0x89, 0xff, 0xfe]))
    } else response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}` }
}
