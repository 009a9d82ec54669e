import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { probes } from '../../src/analysis/observe/observe.ts'
import { parsePolicyFile } from '../../src/policies/file.ts'
import { policyIds } from '../../src/policies/policies.ts'
import type { PolicyOverrides } from '../../src/policies/settings.ts'
import { listen } from '../../src/server/listen.ts'
import { createSimulator, type Simulator } from '../../src/simulator.ts'
import { run, startCommand } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { startHttpServer } from '../support/http-server.ts'
import { ownRows } from '../support/observe/check-recovery.ts'
import { allKeys, createHiddenServer, world } from '../support/observe/hidden-server.ts'
import { masks } from '../support/observe/masks.ts'

async function serveHidden(
  policies: PolicyOverrides,
): Promise<{ url: string; simulator: Simulator }> {
  const simulator = createHiddenServer(policies)
  const server = await listen(simulator, { port: 0 })
  onTestFinished(() => server.close())
  return { url: server.url, simulator }
}

const keyFlags = Object.entries(allKeys).flatMap(([label, value]) => ['--key', `${label}=${value}`])
const quick = ['--rate', '1000']

/** Every id, key, name and content of the world. */
function valuesOfWorld(): string[] {
  const values = new Set<string>()
  const collect = (value: unknown, name = ''): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [inner, each] of Object.entries(value)) collect(each, inner)
    } else if (typeof value === 'string' && isPrivate.test(name)) values.add(value)
  }
  collect(world)
  return [...values].filter((value) => value.length > 3)
}

const isPrivate =
  /^(value|content|name|description|url|uuid|id|api_token|email|first_name|last_name|distinct_id|short_id|tag|item_id)$/

test('observe writes the policies of a server, a report in each format, and none of its values', async () => {
  const { url, simulator } = await serveHidden({ 'errors.body': 'list', 'keys.places': 'header' })
  const folder = temporaryFolder()
  const out = join(folder, 'policies.json')
  const reports = ['json', 'html', 'xml'].map((extension) => join(folder, `report.${extension}`))
  const flags = ['observe', '--target', url, ...keyFlags, ...quick, '--out', out]

  const written = await run([...flags, '--allow-writes', '--report', reports[1] as string])
  const texts = [written.stdout, written.stderr, readFileSync(reports[1] as string, 'utf8')]
  for (const report of reports.filter((each) => !each.endsWith('html'))) {
    await run([
      ...flags,
      '--max-requests',
      '12',
      '--out',
      join(folder, 'few.json'),
      '--report',
      report,
    ])
    texts.push(readFileSync(report, 'utf8'))
  }

  const stderr = `The policies are in ${out}.\nThe report is in ${reports[1]}.\n`
  expect(written).toMatchObject({ code: 0, stderr })
  const policies = parsePolicyFile(readFileSync(out, 'utf8'), out)
  const { settings } = simulator.policies
  const visible = policyIds.filter((id) => !('hidden' in probes[id]) && !masks[id]?.(settings))
  expect(policies).toEqual(Object.fromEntries(visible.map((id) => [id, settings[id]])))
  expect(createSimulator({ policies }).policies.get('errors.body')).toBe('list')
  expect(ownRows(simulator)).toEqual([])
  const all = [...texts, readFileSync(out, 'utf8')].join('\n')
  expect(valuesOfWorld().filter((value) => all.includes(value))).toEqual([])
  expect(all).not.toContain(new URL(url).host)
  expect(texts[2]).toContain('<td data-column="This server"><span class="assumed">list</span></td>')
})

test('observe prints what the documentation says where the server differs', async () => {
  const { url } = await serveHidden({ 'keys.places': 'header_body_query' })

  const { stdout } = await run(['observe', '--target', url, '--key', 'phx_all', ...quick])

  expect(stdout).toContain(
    'keys.places  header_body_query (the documentation says header; the live service was seen so)\n',
  )
})

test('without --allow-writes observe only reads', async () => {
  const { url, simulator } = await serveHidden({})

  const { code, stdout } = await run(['observe', '--target', url, '--key', 'phx_all', ...quick])

  expect(code).toBe(0)
  expect(stdout).toContain(
    'errors.body  envelope (the documentation does not say; the live service was seen so)\n',
  )
  expect(stdout).toContain(
    'keys.places  header (the documentation says so; the live service was seen with header_body_query)\n',
  )
  expect(stdout).toMatch(/^ {2}It needs --allow-writes\. {2}.*, annotations\.restore, /m)
  expect(stdout).toContain(
    '  It needs a key without scopes of annotations: --key plugin:read=KEY.  keys.insufficient.status\n',
  )
  const methods = new Set(simulator.journal.find().map(({ method }) => method))
  expect([...methods].sort()).toEqual(['GET', 'OPTIONS'])
})

test('Ctrl-C removes the rows of the observation, and ends observe with 130', async () => {
  const { url, simulator } = await serveHidden({})
  const rows = simulator.world.annotations.list().length
  const flags = ['--key', 'phx_all', '--rate', '100', '--allow-writes']
  const command = startCommand(['observe', '--target', url, ...flags])
  await expect.poll(() => simulator.world.annotations.list().length).toBeGreaterThan(rows)

  const { code, stdout } = await command.stop('SIGINT')

  expect(code).toBe(130)
  expect(stdout).toContain('The observation ended early. The observation was interrupted.\n')
  expect(ownRows(simulator)).toEqual([])
})

test('an observation that is interrupted does not replace the files of an earlier one', async () => {
  const { url, simulator } = await serveHidden({})
  const folder = temporaryFolder({ 'p.json': { policies: { 'errors.body': 'html' }, open: {} } })
  const [file, report] = [join(folder, 'p.json'), join(folder, 'new.xml')]
  const before = readFileSync(file, 'utf8')
  const flags = ['--key', 'phx_all', '--rate', '20', '--out', file, '--report', report]
  const command = startCommand(['observe', '--target', url, ...flags])
  await expect.poll(() => simulator.journal.find().length).toBeGreaterThan(2)

  const { code, stderr } = await command.stop('SIGINT')

  expect(code).toBe(130)
  expect(stderr).toBe(
    `${file} was not changed, because the observation ended early.\nThe report is in ${report}.\n`,
  )
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(readFileSync(report, 'utf8')).toContain('The observation was interrupted.')
})

test('serve takes the policies of a file, and --policy overrides them', async () => {
  const file = join(
    temporaryFolder({
      'p.json': { policies: { 'errors.body': 'html', 'keys.places': 'header_body_query' } },
    }),
    'p.json',
  )
  const flags = [
    'serve',
    '--port',
    '0',
    '--json',
    '--policies',
    file,
    '--policy',
    'errors.body=empty',
  ]
  const command = startCommand(flags)
  await expect.poll(() => command.printed().stdout).toContain('\n')
  const { url } = JSON.parse(command.printed().stdout)

  const response = await fetch(`${url}/api/projects/1/annotations/?personal_api_key=phx_all`)
  const missing = await fetch(`${url}/api/projects/1/annotations/`)

  expect(response.status).toBe(200)
  expect([missing.status, await missing.text()]).toEqual([401, ''])
})

test('every issue of a policy file is listed', async () => {
  const content = {
    policy: {},
    policies: {
      'errors.bdy': 'html',
      'keys.places': 'everywhere',
      'limits.body': -1,
    },
    open: { versioning: 3 },
  }
  const file = join(temporaryFolder({ 'p.json': content }), 'p.json')

  const { code, stderr } = await run(['serve', '--policies', file])

  expect(code).toBe(2)
  expect(stderr.split('\n').slice(1)).toMatchInlineSnapshot(`
    [
      "  unknown field "policy". Did you mean "policies"?",
      "  open.versioning: expected string, got 3",
      "  policies.errors.bdy: expected the id of a policy (npx understudy-api policies lists them), got "errors.bdy". Did you mean errors.body?",
      "  policies.keys.places: expected one of header, header_body_query, got "everywhere"",
      "  policies.limits.body: expected a whole number from 1 to 536870888, got -1",
      "",
    ]
  `)
})

test.each([
  [['--key', 'phx_all'], /--target/],
  [['--target', 'nowhere', '--key', 'phx_all'], /^Failed to observe: expected a URL such as/],
  [['--target', 'http://127.0.0.1:1'], 'Pass a key of the server with --key.\n'],
  [['--target', 'http://127.0.0.1:1', '--key', 'admin=phx_all'], /admin/],
  [
    ['--target', 'http://127.0.0.1:1', '--key', 'all=phx all'],
    /^Failed to read the keys\.\n.*all: expected a key of at least two characters, without spaces/,
  ],
  [
    ['--target', 'http://127.0.0.1:1', '--key', 'phx_all', '--rate', 'fast'],
    /^Failed to read --rate/,
  ],
  [
    ['--target', 'http://127.0.0.1:1', '--key', 'phx_all', '--max-requests', '3'],
    /from 10 to 9999, got "3"/,
  ],
  [
    ['--target', 'http://127.0.0.1:1', '--key', 'phx_all', '--report', 'r.pdf'],
    /a file that ends with one of .json, .html, .xml/,
  ],
  [
    ['--target', 'http://127.0.0.1:1', '--key', 'phx_all', '--report', 'html'],
    /a file that ends with one of \.json, .*, got "html"/,
  ],
  [
    ['--target', 'http://127.0.0.1:1', '--key', 'phx_all', '--out', '/nowhere/p.json'],
    /the folder \/nowhere does not exist/,
  ],
  [
    ['--target', 'http://127.0.0.1:1', '--key', 'phx_all', '--key', 'phx_none'],
    /two keys have the label all, which is also the label of a key without one/,
  ],
  [
    ['--target', 'http://127.0.0.1:1', '--key', 'k1', '--out', 'x.json', '--report', './x.json'],
    /^--out and --report name the same file/,
  ],
] as const)('observe %j is refused before the first request', async (flags, message) => {
  const { code, stderr } = await run(['observe', ...flags])

  expect(stderr).toMatch(message)
  expect(code).toBe(2)
})

test('a target that does not respond ends observe with 4', async () => {
  const url = await startHttpServer(() => {})
  const port = Number(new URL(url).port) + 1

  const { code } = await run([
    'observe',
    '--target',
    `http://127.0.0.1:${port}`,
    '--key',
    'phx_all',
  ])

  expect(code).toBe(4)
})

test('a target that breaks each connection ends observe with 4', async () => {
  const url = await startHttpServer((_, response) => void response.destroy())

  const result = await run(['observe', '--target', url, '--key', 'phx_all', ...quick])

  expect(result).toMatchObject({
    code: 4,
    stdout: '',
    stderr: `Failed to reach ${url}: expected a running server, got no response. Check the server.\n`,
  })
})

/** Serves a hidden server that fails after some requests. */
async function serveUntil(last: number): Promise<string> {
  const simulator = createHiddenServer({})
  let count = 0
  return startHttpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    count += 1
    const answer =
      count > last
        ? new Response('', { status: 502 })
        : await simulator.fetch(request.url ?? '', {
            method: request.method ?? 'GET',
            headers: request.headers as Record<string, string>,
            ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
          })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
}

test('a row that may be left ends observe with 1', async () => {
  const url = await serveUntil(60)

  const { code, stdout } = await run([
    'observe',
    '--target',
    url,
    '--key',
    'phx_all',
    '--allow-writes',
    ...quick,
  ])

  expect(code).toBe(1)
  expect(stdout).toContain('could not be removed.')
})

test.skipIf(!existsSync('/dev/full'))(
  'a row that may be left is named, also if a file cannot be written',
  async () => {
    const url = await serveUntil(60)
    const flags = ['--target', url, '--key', 'phx_all', '--allow-writes', '--out', '/dev/full']

    const { code, stderr } = await run(['observe', ...flags, ...quick])

    expect(code).not.toBe(0)
    expect(stderr).toContain('could not be removed.')
    expect(stderr).toContain('/dev/full')
  },
)

test.each([
  ['phx_wrong', [], 'The key was refused (401).\n'],
  ['phx_all', ['--project', '77'], 'The server has no project 77.\n'],
])('observe with the key %s and %j prints one line and ends with 2', async (key, more, message) => {
  const { url } = await serveHidden({ 'errors.body': 'html' })

  const result = await run(['observe', '--target', url, '--key', key, ...more, ...quick])

  expect(result).toMatchObject({ code: 2, stdout: '', stderr: message })
})

test('observe of a file server prints one line and ends with 2', async () => {
  const url = await startHttpServer((_, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>')
  })

  const result = await run(['observe', '--target', url, '--key', 'phx_all', ...quick])

  expect(result).toMatchObject({
    code: 2,
    stdout: '',
    stderr:
      'The server does not respond like this API: it shows no list of projects (GET /api/projects/ returned 404), and GET /api/projects/@current/annotations/ returned 404. Name a project with --project, and an organization with --organization.\n',
  })
})

test.each(['--out', '--report'])('observe overwrites no foreign file with %s', async (flag) => {
  const { url } = await serveHidden({})
  const notes = join(temporaryFolder(), 'notes.json')
  writeFileSync(notes, '{"mine": true}')
  const command = ['observe', '--target', url, ...keyFlags, ...quick, '--max-requests', '12']

  const foreign = await run([...command, flag, notes])
  const forced = await run([...command, flag, notes, '--force'])
  const again = await run([...command, flag, notes])

  expect(foreign).toMatchObject({ code: 2, stdout: '' })
  expect(foreign.stderr).toMatch(
    /notes\.json already exists, and is not a (policy file|report of understudy-api)\. Choose another name with --\w+, or overwrite it with --force\./,
  )
  expect([forced.code, again.code]).toEqual([0, 0])
})
