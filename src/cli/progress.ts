import process from 'node:process'
import { abortOf, repeat } from '../utils/wait.ts'
import { type CommandContext, InterruptedError } from './command-context.ts'

/** How often a terminal shows how far a command is, in milliseconds. */
const terminalInterval = 100

/**
 * Waits for long work, and says on stderr how far it is: in one line of a terminal that is written again, elsewhere in a line
 * now and then. The work gives timers a turn.
 *
 * @param describe says how far the work is, such as `12 requests`
 */
export async function withProgress<T>(
  context: CommandContext,
  describe: () => string,
  work: Promise<T>,
): Promise<T> {
  const { stderr, progressInterval } = context
  const isTerminal = stderr.isTTY === true && !process.env.CI
  const stop = repeat(isTerminal ? terminalInterval : progressInterval, () => {
    if (isTerminal) stderr.write(`\r\u001b[K${describe()} …`)
    else context.printError(`${describe()} …`)
  })
  return work.finally(() => {
    stop()
    if (isTerminal) stderr.write('\r\u001b[K')
  })
}

/**
 * Waits for work that does not end by a signal itself.
 *
 * @param describe says what was done, and what was not
 * @throws InterruptedError
 */
export function orInterrupted<T>(
  { signal }: CommandContext,
  describe: () => string,
  work: Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const interrupt = () => reject(new InterruptedError(`Interrupted: ${describe()}`))
    work.finally(abortOf(signal)(interrupt)).then(resolve, reject)
  })
}
