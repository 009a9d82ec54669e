import process from 'node:process'
import { formatCount } from '../utils/text.ts'
import type { ProcessTree } from './process-tree.ts'
import { followSignals } from './signals.ts'

/** How long exec waits for processes that got a signal, in milliseconds, before it says so. */
const quietTime = 1_000

/** How long they have to end after that. `docker stop` waits as long in all. */
const graceTime = 9_000

/**
 * Sends the signals of this process to the command, and to the processes behind it: `npx` does not. A second signal, and the
 * end of their time, kill what is left, also a command that ignores the signal or is stopped.
 *
 * @returns a function for the command, called before any signal is read. It returns one that waits for the end of all
 */
export function forwardSignals(print: (message: string) => void) {
  let processes: ProcessTree
  let isSignalled = false
  let hasEnded = false
  let ending: Promise<void> | null = null
  const describe = (count: number) => `${formatCount(count, 'process', 'processes')} of the command`
  const kill = (reason: string) => {
    const { length } = processes.remember()
    if (length === 0) return
    processes.signal('SIGKILL')
    print(`Killed ${describe(length)}, ${reason}.`)
  }
  const waitForEnd = async () => {
    const left = await processes.waitForEnd(quietTime)
    if (left === 0) return
    print(`Waiting for ${describe(left)}. Another signal, such as Ctrl-C, kills what is left.`)
    if ((await processes.waitForEnd(graceTime)) > 0) kill('which did not end within 10 s')
  }
  const stop = followSignals((signal) => {
    isSignalled = true
    if (ending) return kill(`because of ${signal}`)
    // The command has it already. It may be a shell, which does not end by Ctrl-C.
    if (isSentByTerminal(signal) && !hasEnded) return void processes.remember()
    processes.signal(signal)
    ending = waitForEnd()
  })
  // An error that no code caught, such as in handlers of the user, leaves no command behind.
  const end = () => processes.signal('SIGTERM')
  return (started: ProcessTree) => {
    processes = started
    process.once('exit', end)
    return async () => {
      hasEnded = true
      if (isSignalled) await (ending ?? waitForEnd())
      stop()
      process.off('exit', end)
    }
  }
}

/** A terminal sends Ctrl-C and Ctrl-\\ to all its processes. So does Windows with each signal that a process can get. */
function isSentByTerminal(signal: NodeJS.Signals) {
  return process.platform === 'win32' || (/^SIG(?:INT|QUIT)$/.test(signal) && process.stdin.isTTY)
}
