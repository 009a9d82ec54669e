import process from 'node:process'
import { formatCount } from '../utils/text.ts'
import type { ProcessTree } from './process-tree.ts'
import { followSignals } from './signals.ts'

/** How long exec waits for processes that a command leaves behind after a signal, in milliseconds, before it says so. */
const quietTime = 1_000

/** How long they have to end after that. `docker stop` waits as long in all. */
const graceTime = 9_000

/**
 * Sends the signals of this process to the command, and to the processes behind it: `npx` does not.
 *
 * @returns a function that waits for their end. A signal that comes then kills them
 */
export function forwardSignals(processes: ProcessTree, print: (message: string) => void) {
  let isSignalled = false
  let hasEnded = false
  const kill = (reason: string): void => {
    const { length } = processes.remember()
    if (length === 0) return
    processes.signal('SIGKILL')
    print(`Killed ${describeLeft(length)}, ${reason}.`)
  }
  const stop = followSignals((signal) => {
    isSignalled = true
    if (hasEnded) kill(`because of ${signal}`)
    // A second signal would interrupt the cleanup.
    else if (isSentByTerminal(signal)) processes.remember()
    else processes.signal(signal)
  })
  return async (): Promise<void> => {
    hasEnded = true
    const left = isSignalled ? await processes.waitForEnd(quietTime) : 0
    if (left > 0) {
      print(
        `Waiting for ${describeLeft(left)}. Another signal, such as Ctrl-C, kills what is left.`,
      )
      if ((await processes.waitForEnd(graceTime)) > 0) kill('which did not end within 10 s')
    }
    stop()
  }
}

const describeLeft = (count: number): string =>
  `${formatCount(count, 'process', 'processes')} that the command left behind`

/** A terminal sends Ctrl-C and Ctrl-\\ to all its processes. So does Windows with each signal that a process can get. */
function isSentByTerminal(signal: NodeJS.Signals): boolean {
  return process.platform === 'win32' || (/^SIG(?:INT|QUIT)$/.test(signal) && process.stdin.isTTY)
}
