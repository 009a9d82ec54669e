import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { captureOutput, startProcess, waitForExit } from '../support/cli/process.ts'
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
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const child = spawn('sh', ['-c', command, node, bin, ...args], { stdio: [...stdio] })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (typeof way === 'function')
    for (const stream of [child.stdout, child.stderr]) way(stream as Readable)
  return child
}

/** The status of a response without a key. Undefined if the server does not respond */
function statusOf(url: string): Promise<number | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(120_000) }).then(
    ({ status }) => status,
    () => undefined,
  )
}

const isLinux = process.platform === 'linux'

// Commands that serve have it from the same place.
test.skipIf(!isLinux).each(Object.entries(ways))(
  'serve goes on with an output %s',
  async (_, way) => {
    const port = String(await freePort())
    const child = startLosing(['serve', '--port', port], way)
    const url = `http://127.0.0.1:${port}/api/projects/`
    await expect.poll(() => statusOf(url)).toBe(401)

    // Their lines in the log are more than any pipe holds.
    const statuses = new Set<unknown>()
    for (let count = 0; count < 100; count += 1)
      statuses.add(await statusOf(`${url}?search=${'x'.repeat(14_000)}`))
    const end = once(child, 'exit')
    child.kill('SIGTERM')

    expect([...statuses]).toEqual([401])
    expect((await end)[0]).toBe(0)
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
