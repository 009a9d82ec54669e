import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCommandRunner } from '../../../src/exec/command-runner.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { run } from '../../support/cli/command.ts'
import { temporaryFolder } from '../../support/files.ts'

const shell = (script: string): string[] => ['--', 'sh', '-c', script]

test('processes that a command leaves behind end with it, also those that hold its output', async () => {
  const pids = join(temporaryFolder(), 'pids')

  await run([
    'sweep',
    ...shell(`sleep 300 & echo $! >> ${pids}; (trap '' TERM; sleep 300) & echo $! >> ${pids}`),
  ])

  const left = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
  expect(left).toHaveLength(4)
  await expect.poll(() => left.filter(isAlive)).toEqual([])
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie waits for its parent.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('a run that takes too long fails, and a command that ignores the request to end is ended by force', async () => {
  const pids = join(temporaryFolder(), 'pids')
  // The shell waits for one second at a time, so that only its own trap keeps it.
  const runCommand = runnerOf(`echo $$ >> ${pids}; trap '' TERM; while :; do sleep 1; done`)

  const { failure } = await runCommand(null, 1_000)

  expect(failure).toBe('the command does not end within 1 s')
  await expect.poll(() => isAlive(Number(readFileSync(pids, 'utf8')))).toBe(false)
})

test('many runs at once print no warning of Node', async () => {
  const warnings: string[] = []
  const add = ({ message }: Error): void => void warnings.push(message)
  process.on('warning', add)
  onTestFinished(() => void process.off('warning', add))
  const runCommand = runnerOf('true')

  const runs = await Promise.all(Array.from({ length: 11 }, () => runCommand(null, null)))

  expect([runs.every(({ failure }) => failure === null), warnings]).toEqual([true, []])
})

const runnerOf = (script: string) =>
  createCommandRunner({
    ...{ line: ['sh', '-c', script], origin: createSimulator(), options: { port: 0 } },
    ...{ service: { profile: 'documented', settings: {} } as const, faults: [], env: {} },
    ...{ signal: new AbortController().signal },
  })

test('sweep also finds what tests with simulators of their own depend on', async () => {
  const program = `
    const { withSimulator } = await import('understudy-api/node')
    await withSimulator({ mistakes: 'off' }, async ({ as }) => {
      const { status } = await fetch('https://app.example.com/api/projects/1/annotations/6/', as('all'))
      process.exitCode = status === 404 ? 0 : 1
    })`
  const node = ['--', process.execPath, '--input-type=module', '-e', program]

  const { code, stdout } = await run(['sweep', '--only', 'deleted.visibility', ...node])

  expect(code).toBe(1)
  expect(stdout).toContain('hidden  source    retrievable, listed')
  expect(stdout).toContain('GET /api/projects/1/annotations/6/ → 200 instead of 404')
})
