import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { captureOutput, startProcess, waitForExit } from '../support/cli/process.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFolder } from '../support/files.ts'
import { bin } from '../support/root.ts'

const step = { as: 'all', method: 'GET', path: '/api/projects/' }
const failing = { ...step, expect: { status: 404 } }
const steps = [...Array.from({ length: 50 }, () => step), failing]
const story = { title: 'A story', world: 'default', steps }

/** Runs the bin with a reader that closes the pipe after the first text. */
async function runUnread(args: readonly string[]) {
  const child = startProcess(args)
  child.stdout?.once('data', () => child.stdout?.destroy())
  const { code, stderr } = await waitForExit(child)
  return { code, stderr }
}

test('a replay whose reader closes the pipe ends with its own exit code, and leaves no sandbox', async () => {
  const folder = temporaryFolder({ 'story.json': story })
  const { url } = await startServe()

  const result = await runUnread(['replay', join(folder, 'story.json'), '--target', url])

  expect(result).toEqual({ code: 1, stderr: '' })
  expect(await (await fetch(`${url}/__admin/sandboxes`)).json()).toEqual([])
})

test('a server whose reader closes the pipe of its log ends', async () => {
  const child = startProcess(['serve', '--port', '0'])
  child.stdout?.once('data', async (text) => {
    child.stderr?.destroy()
    await fetch(`${/http:\S+/.exec(String(text))?.[0]}/api/projects/`).catch(() => {})
  })

  expect((await waitForExit(child)).code).toBe(0)
})

test.skipIf(process.platform !== 'linux')('output on a full disk is an error', async () => {
  const command = '"$0" "$@" > /dev/full'
  const child = spawn('sh', ['-c', command, process.execPath, bin, 'settings'], { stdio: 'pipe' })

  expect(await waitForExit(captureOutput(child))).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'Failed to write the output: the disk is full (ENOSPC). Make room, or choose another file.\n',
  })
})
