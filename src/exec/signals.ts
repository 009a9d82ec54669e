import process from 'node:process'
import { repeat } from '../utils/wait.ts'

/** How long the same signal counts once, in milliseconds. */
const repeatTime = 250

/** The signals that end a command: of Ctrl-C, of `kill`, of a terminal that closes, of Ctrl-\\, of nodemon, and of Ctrl-Break. */
const endingSignals: readonly NodeJS.Signals[] = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const),
  ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : (['SIGQUIT', 'SIGUSR2'] as const)),
]

/**
 * Calls a listener for each signal that ends a command.
 *
 * @returns a function that stops it
 */
export function followSignals(listener: (name: NodeJS.Signals) => void): () => void {
  const recent = new Set<NodeJS.Signals>()
  const follow = (name: NodeJS.Signals) => {
    // npm and `timeout` send a signal twice: to this process, and to its group.
    if (recent.has(name)) return
    recent.add(name)
    // A busy process reads a signal late: after the timers that are due, and before what is set immediately.
    const end = repeat(repeatTime, () => {
      end()
      setImmediate(() => recent.delete(name)).unref()
    })
    listener(name)
  }
  for (const name of endingSignals) process.on(name, follow)
  return () => {
    for (const name of endingSignals) process.off(name, follow)
  }
}
