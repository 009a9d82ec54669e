import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { ProcessTree } from '../../src/exec/process-tree.ts'

test.runIf(process.platform === 'linux')(
  'a process that has ended is none that is waited for, also if its parent never asks for its code',
  async () => {
    // The shell becomes the second `sleep`, which does not wait for the first one.
    const child = spawn('sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 60'])
    onTestFinished(() => void child.kill())
    const ended = await new Promise((resolve) => child.stdout.once('data', resolve))
    const stateOf = () => readFileSync(`/proc/${String(ended).trim()}/stat`, 'utf8').split(' ')[2]
    await expect.poll(stateOf).toBe('Z')

    expect(new ProcessTree(child, false).remember()).toEqual([child.pid])
  },
)

test.runIf(process.platform !== 'win32')(
  'a signal reaches also the processes that a command starts meanwhile',
  async () => {
    const child = spawn('sh', ['-c', 'for n in $(seq 300); do sleep 60 & echo; done; wait'])
    await once(child.stdout, 'data')

    new ProcessTree(child, false).signal('SIGTERM')

    // A process that is left would hold the output open.
    expect(await once(child, 'close')).toEqual([null, 'SIGTERM'])
  },
  30_000,
)
