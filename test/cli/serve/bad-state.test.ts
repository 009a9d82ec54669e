import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RemoteSandboxInfo } from '../../../src/remote/connect.ts'
import { run } from '../../support/cli/command.ts'
import { captureOutput, outputOf, waitForExit } from '../../support/cli/process.ts'
import { type Serving, startServe } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'
import { freePort } from '../../support/free-port.ts'
import { Client } from '../../support/lanes/client.ts'
import { bin } from '../../support/root.ts'

const list = '/api/projects/1/annotations/'

const newFile = () => join(temporaryFolder(), 'state.json')
const createSandbox = async ({ control }: Pick<Serving, 'control'>) =>
  (await control('POST', '/__admin/sandboxes')).body as RemoteSandboxInfo

/** A state file, with the file of its sandboxes, that a server left. */
async function leaveState() {
  const file = newFile()
  const serving = await startServe(['--quiet', '--state', file])
  const sandbox = await createSandbox(serving)
  await serving.ask('POST', list, { key: sandbox.key, body: { content: 'Saved' } })
  await serving.stop('SIGTERM')
  return { file, sandboxesFile: `${file}.sandboxes`, sandbox }
}

test('a device as the state file ends serve with 2', async () => {
  const { code, stdout, stderr } = await run(['serve', '--port', '0', '--state', '/dev/zero'])

  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    'The state file /dev/zero is a device or a pipe. Choose a regular file.\n',
  ])
})

test('a pipe as the file of the sandboxes ends serve with 2', async () => {
  const file = newFile()
  execFileSync('mkfifo', [`${file}.sandboxes`])

  const { code, stdout, stderr } = await run(['serve', '--port', '0', '--state', file])

  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    `The file of sandboxes ${file}.sandboxes is a device or a pipe. Choose a regular file.\n`,
  ])
})

test.each([
  ['--state', 'Failed to read --state: expected the name of a file, got "".\n'],
  ['--data', 'Failed to read --data: expected the name of a file, got "".\n'],
  ['--host', 'Failed to listen: expected an address such as 127.0.0.1, got "".\n'],
])('an empty %s ends serve with 2', async (flag, message) => {
  const { code, stdout, stderr } = await run(['serve', '--port', '0', flag, ''])

  expect([code, stdout, stderr]).toEqual([2, '', message])
})

test('a state file that is not UTF-8 ends serve with 2, and nothing changes', async () => {
  const { file } = await leaveState()
  const bytes = Buffer.from(
    readFileSync(file, 'utf8').replace('"content":"', '"content":"ü'),
    'latin1',
  )
  writeFileSync(file, bytes)

  const { code, stdout, stderr } = await run(['serve', '--port', '0', '--state', file])

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toBe(`${file} is not UTF-8. Save it as UTF-8, or choose another file.\n`)
  expect(readFileSync(file)).toEqual(bytes)
  expect(existsSync(`${file}.lock`)).toBe(false)
})

test('the warning about several sandboxes has one reason for each', async () => {
  const { file } = await leaveState()
  const serving = await startServe(['--quiet', '--state', file])
  await createSandbox(serving)
  await serving.stop('SIGTERM')

  const again = await startServe(['--quiet', '--state', file, '--data', 'empty'])
  const { stderr } = await again.stop('SIGTERM')

  expect(stderr).toBe(
    `Sandboxes sandbox-1, sandbox-2 were not restored from ${file}.sandboxes, each because: the server started with ` +
      'another world than the one that it was created from. They stay in the file.\n',
  )
})

const others: readonly [name: string, head: string, message: string][] = [
  [
    'of a later version',
    '{"sandboxes_format":99,"world_format":1,"version":"9.0.0"}\n',
    'understudy-api 9.0.0 wrote it, in a format that version',
  ],
  [
    'with worlds of a later version',
    '{"sandboxes_format":1,"world_format":99,"version":"9.0.0"}\n',
    'understudy-api 9.0.0 wrote it, in a format that version',
  ],
  ['of another kind', '{"annotations":[]}\n', 'its first line names no sandboxes_format'],
  ['that is no text of lines', '\u0000\u0001', 'its first line names no sandboxes_format'],
]

test.each(others)(
  'a file of sandboxes %s ends serve with 2, and nothing changes',
  async (_name, head, message) => {
    const { file, sandboxesFile } = await leaveState()
    const [, ...lines] = readFileSync(sandboxesFile, 'utf8').split('\n')
    writeFileSync(sandboxesFile, head + lines.join('\n'))
    const before = [file, sandboxesFile].map((one) => readFileSync(one, 'utf8'))

    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--state', file])

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`${sandboxesFile}: ${message}`)
    expect(stderr).toContain('It was not changed')
    expect([file, sandboxesFile].map((one) => readFileSync(one, 'utf8'))).toEqual(before)
    expect(existsSync(`${file}.lock`)).toBe(false)
  },
)

test('half a sandbox is named at the start, stays in the file, and its client reads why', async () => {
  const { file, sandboxesFile, sandbox } = await leaveState()
  const text = readFileSync(sandboxesFile, 'utf8')
  const half = text.slice(0, text.indexOf('"initial"'))
  writeFileSync(sandboxesFile, half)

  const serving = await startServe(['--quiet', '--explain', '--state', file])
  const { body } = await serving.ask('GET', list, { key: sandbox.key })
  const { code, stderr } = await serving.stop('SIGTERM')

  const reason = `Sandbox ${sandbox.id} was not restored from ${sandboxesFile}: its save is damaged. It stays in the file.\n`
  expect([code, stderr]).toEqual([0, reason])
  expect(body).toMatchObject({
    code: 'authentication_failed',
    detail: expect.stringContaining(`it is a key of sandbox ${sandbox.id}`),
  })
  expect(readFileSync(sandboxesFile, 'utf8')).toContain(half)
})

test('a clock of the machine that jumped back is named at the start', async () => {
  const { file, sandboxesFile, sandbox } = await leaveState()
  const future = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 7_200_000)
  for (const one of [file, sandboxesFile]) utimesSync(one, future, future)

  const serving = await startServe(['--quiet', '--state', file])
  const { body } = await serving.ask('GET', `${list}?search=Saved`, { key: sandbox.key })
  const { stderr } = await serving.stop('SIGTERM')

  const isNamed = (one: string) => `The clock of this machine jumped back: ${one} was saved at `
  expect(stderr.split('\n').map((line) => line.split(`${future.toISOString()}`)[0])).toEqual([
    isNamed(file),
    isNamed(sandboxesFile),
    '',
  ])
  expect(body).toMatchObject({ count: 1 })
})

const onLinux = test.skipIf(process.platform !== 'linux')

onLinux('a folder in which nothing can be written ends serve with 2', async () => {
  const { code, stdout, stderr } = await run(['serve', '--port', '0', '--state', '/sys/state.json'])

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(
    /^Failed to save the state file \/sys\/state\.json: .+ \(E[A-Z]+\)\. Choose another file\.\n$/,
  )
})

/** Starts `serve` with a limit on the size of its files, at which a write fails as on a full disk. */
async function startLimited(file: string, blocks: number) {
  const port = await freePort()
  const serve = `exec "${process.execPath}" "${bin}" serve --quiet --port ${port} --state "${file}"`
  const child = captureOutput(
    spawn('sh', ['-c', `ulimit -f ${blocks}; ${serve}`], { stdio: 'pipe' }),
  )
  const client = new Client(`http://127.0.0.1:${port}`)
  return { child, client, end: waitForExit(child), printed: () => outputOf(child) }
}

onLinux('a disk that is full at the start ends serve with 2, and leaves no file', async () => {
  const file = newFile()

  const { end } = await startLimited(file, 1)
  const { code, stderr } = await end

  expect(code).toBe(2)
  expect(stderr).toMatch(
    /^Failed to save the state file .*state\.json: .+ \((ENOSPC|EFBIG)\)\. .+\n$/,
  )
  expect(readdirSync(join(file, '..'))).toEqual([])
})

onLinux('while the disk is full a server is not ready, and the last save stays whole', async () => {
  const file = newFile()
  const { child, client, end, printed } = await startLimited(file, 400)
  const ready = () =>
    client.control('GET', '/__admin/health/ready').then(
      ({ status, body }) => [status, Object(body).status],
      () => [],
    )
  await expect.poll(ready).toEqual([200, 'ready'])
  const sandbox = await createSandbox(client)
  await client.ask('POST', list, { key: sandbox.key, body: { content: 'Saved' } })
  const persistence = async () =>
    Object((await client.control('GET', '/__admin/health')).body).persistence
  await expect.poll(persistence).toBe('saved')
  const before = readFileSync(file, 'utf8')

  const annotations = Array.from({ length: 500 }, () => ({ content: 'x'.repeat(400) }))
  for (const path of ['/__admin/world', `/__sandbox/${sandbox.id}/__admin/world`]) {
    await client.control('PATCH', path, { body: { annotations } })
  }
  await expect.poll(ready, { timeout: 5_000 }).toEqual([503, 'saves_failing'])
  child.kill('SIGTERM')
  const { code } = await end
  const next = await startServe(['--quiet', '--state', file])
  const { body } = await next.ask('GET', `${list}?search=Saved`, { key: sandbox.key })

  expect(code).toBe(1)
  expect(printed().stderr).toMatch(/^Failed to save [^\n]*\n.*The last changes were not saved to /s)
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(body).toMatchObject({ count: 1 })
})
