import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { captureOutput, startProcess, waitForExit } from '../support/cli/process.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFolder } from '../support/files.ts'
import { freePort } from '../support/free-port.ts'
import { bin } from '../support/root.ts'

/** Another Node can be tried. */
const node = process.env.LOST_STREAMS_NODE ?? process.execPath

/** A way to lose the output: a redirection of a shell, or what its reader does. */
type Way = (stream: number, folder: string) => string | ((reader: Readable) => void)

const ways: Readonly<Record<string, Way>> = {
  'that is closed': (stream) => `${stream}>&-`,
  'on a full disk': (stream) => `${stream}>/dev/full`,
  'that can only be read': (stream) => `${stream}</dev/null`,
  'in a file that may not grow': (stream, folder) => `${stream}>>${folder}/limited`,
  'whose reader is killed': (stream, folder) => `${stream}>${folder}/fifo-${stream}`,
  'that nobody reads from the start': () => (reader) => reader.destroy(),
  'of which only the first text is read': () => (reader) =>
    reader.once('data', () => reader.destroy()),
  'whose reader stops to read': () => (reader) => reader.once('data', () => reader.pause()),
  'whose reader is slow': () => (reader) =>
    reader.on('data', () => {
      reader.pause()
      setTimeout(() => reader.resume(), 100)
    }),
}

/** Starts a command that loses stdout and stderr in one way. */
function startLosing(args: readonly string[], way: Way): ChildProcess {
  const folder = temporaryFolder()
  const losses = [way(1, folder), way(2, folder)]
  const redirections = losses.filter((loss) => typeof loss === 'string').join(' ')
  const readers = (redirections.match(/(?<=>)\S+fifo-\d/g) ?? []).map((fifo) => {
    execFileSync('mkfifo', [fifo])
    return spawn('cat', [fifo], { stdio: 'ignore' })
  })
  const limit = redirections.includes('limited') ? 'ulimit -f 8;' : ''
  const command = `${limit} exec "$0" "$@" ${redirections}`
  const stdin = args[0] === 'mcp' ? 'pipe' : 'ignore'
  const child = spawn('sh', ['-c', command, node, bin, ...args], { stdio: [stdin, 'pipe', 'pipe'] })
  onTestFinished(() => {
    for (const started of [child, ...readers]) started.kill('SIGKILL')
  })
  const streams = [child.stdout, child.stderr] as readonly Readable[]
  for (const [index, loss] of losses.entries())
    if (typeof loss === 'function') loss(streams[index] as Readable)
  setTimeout(() => readers.map((reader) => reader.kill('SIGKILL')), 300)
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

const worst = ['on a full disk', 'that nobody reads from the start', 'whose reader stops to read']

describe.skipIf(!isLinux).each(worst)('with an output %s', (name) => {
  const way = ways[name] as Way

  test('record goes on', async () => {
    const { url: target } = await startServe()
    const out = join(temporaryFolder(), 'story.json')
    const { child, url } = await serveLosing(['record', '--target', target, '--out', out], way)

    expect.soft(await sendMany(url, 10)).toEqual([401])
    expect.soft(await endBySignal(child)).toBe(0)
    expect.soft(JSON.parse(readFileSync(out, 'utf8')).steps).toHaveLength(11)
  })

  test('mcp goes on, and ends with its stdin', async () => {
    const { child, url } = await serveLosing(['mcp'], way)
    child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')

    expect.soft(await sendMany(url)).toEqual([401])
    const end = once(child, 'exit')
    child.stdin?.end()
    expect.soft((await end)[0]).toBe(0)
  })

  test('exec has the exit code of its command', async () => {
    const script =
      'for (const _ of Array(9)) await fetch(process.env.UNDERSTUDY_URL); process.exit(7)'
    const child = startLosing(['exec', '--', node, '--input-type=module', '-e', script], way)

    expect((await once(child, 'exit'))[0]).toBe(7)
  })
})

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
