import { spawn } from 'node:child_process'
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
