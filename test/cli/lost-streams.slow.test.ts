import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { captureOutput, startProcess, waitForExit } from '../support/cli/process.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFolder } from '../support/files.ts'
import { freePort } from '../support/free-port.ts'
import { bin } from '../support/root.ts'

/** Another Node can be tried. */
const node = process.env.LOST_STREAMS_NODE ?? process.execPath

/** A way to lose stdout and stderr: a redirection of a shell, or what the reader of both does. */
type Way = string | ((reader: Readable) => void)

const fullDisk = '1>/dev/full 2>/dev/full'

/** What Node reports differs: no stream, a write that fails, a pipe that is closed, and a pipe that stays full. */
const ways: Readonly<Record<string, Way>> = {
  'that is closed': '1>&- 2>&-',
  'on a full disk': fullDisk,
  'that nobody reads': (reader) => reader.destroy(),
  'whose reader stops to read': (reader) => reader.once('data', () => reader.pause()),
}

/** Starts a command that loses stdout and stderr in one way. */
function startLosing(args: readonly string[], way: Way): ChildProcess {
  const command = `exec "$0" "$@" ${typeof way === 'string' ? way : ''}`
  const stdin = args[0] === 'mcp' ? 'pipe' : 'ignore'
  const child = spawn('sh', ['-c', command, node, bin, ...args], { stdio: [stdin, 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (typeof way === 'function')
    for (const stream of [child.stdout, child.stderr]) way(stream as Readable)
  return child
}

/** Starts a server that loses its output in one way, and waits until it serves. */
async function serveLosing(args: readonly string[], way: Way) {
  const port = await freePort()
  const child = startLosing([...args, '--port', String(port)], way)
  const url = `http://127.0.0.1:${port}/api/projects/`
  await expect.poll(() => statusOf(url)).toBe(401)
  return { child, url }
}

/** The status of a response without a key. Undefined if the server does not respond */
function statusOf(url: string): Promise<number | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(10_000) }).then(
    ({ status }) => status,
    () => undefined,
  )
}

/** Sends requests whose lines in a log are more than any pipe holds. @returns the statuses */
async function sendMany(url: string, requests = 100): Promise<unknown[]> {
  const statuses = new Set<unknown>()
  for (let count = 0; count < requests; count += 1) {
    statuses.add(await statusOf(`${url}?search=${'x'.repeat(14_000)}`))
  }
  return [...statuses]
}

async function endBySignal(child: ChildProcess): Promise<unknown> {
  const end = once(child, 'exit')
  child.kill('SIGTERM')
  return (await end)[0]
}

const isLinux = process.platform === 'linux'

test.skipIf(!isLinux).each(Object.entries(ways))(
  'serve goes on with an output %s',
  async (_, way) => {
    const { child, url } = await serveLosing(['serve'], way)

    expect.soft(await sendMany(url)).toEqual([401])
    expect.soft(await endBySignal(child)).toBe(0)
  },
)

test.skipIf(!isLinux)('record goes on with an output on a full disk', async () => {
  const { url: target } = await startServe()
  const out = join(temporaryFolder(), 'story.json')
  const { child, url } = await serveLosing(['record', '--target', target, '--out', out], fullDisk)

  expect.soft(await sendMany(url, 10)).toEqual([401])
  expect.soft(await endBySignal(child)).toBe(0)
  expect.soft(JSON.parse(readFileSync(out, 'utf8')).steps).toHaveLength(11)
})

test.skipIf(!isLinux)(
  'mcp goes on with an output on a full disk, and ends with its stdin',
  async () => {
    const { child, url } = await serveLosing(['mcp'], fullDisk)
    child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')

    expect.soft(await sendMany(url)).toEqual([401])
    const end = once(child, 'exit')
    child.stdin?.end()
    expect.soft((await end)[0]).toBe(0)
  },
)

test.skipIf(!isLinux)(
  'exec with an output on a full disk has the exit code of its command',
  async () => {
    const script =
      'for (const _ of Array(9)) await fetch(process.env.UNDERSTUDY_URL); process.exit(7)'
    const child = startLosing(['exec', '--', node, '--input-type=module', '-e', script], fullDisk)

    expect((await once(child, 'exit'))[0]).toBe(7)
  },
)

test('a command whose reader closes the pipe ends with its own exit code, without a word', async () => {
  const child = startProcess(['settings'])
  child.stdout?.once('data', () => child.stdout?.destroy())
  const { code, stderr } = await waitForExit(child)

  expect([code, stderr]).toEqual([0, ''])
})

test.skipIf(!isLinux)('a result on a full disk is an error', async () => {
  const command = '"$0" "$@" > /dev/full'
  const child = spawn('sh', ['-c', command, node, bin, 'settings'], { stdio: 'pipe' })

  expect(await waitForExit(captureOutput(child))).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Failed to write the output: the disk is full (ENOSPC). Make room, or choose another file.\n',
  })
})
