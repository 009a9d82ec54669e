import process from 'node:process'
import { abortOf, wait } from '../utils/wait.ts'
import type { CommandContext } from './command-context.ts'

/** How often a terminal shows how far a command is, in milliseconds. */
const terminalInterval = 100

/** Says on stderr how far a command is: in one line of a terminal that is written again, elsewhere in a line now and then. */
export class Progress {
  readonly #context: CommandContext
  readonly #describe: () => string
  readonly #isTerminal: boolean
  readonly #interval: number
  readonly #ended = new AbortController()
  #shownAt = performance.now()

  /** @param describe says how far the command is, such as `12 requests` */
  constructor(context: CommandContext, describe: () => string) {
    this.#context = context
    this.#describe = describe
    this.#isTerminal = context.stderr.isTTY === true && !process.env.CI
    this.#interval = this.#isTerminal ? terminalInterval : context.progressInterval
    void this.#tellInTime()
  }

  /** Says it, if the last time is long enough ago. A command that lets no timer run calls it. */
  tell(): void {
    const now = performance.now()
    if (now - this.#shownAt < this.#interval) return
    this.#shownAt = now
    const text = `${this.#describe()} …`
    if (this.#isTerminal) this.#context.stderr.write(`\r\u001b[K${text}`)
    else this.#context.printError(text)
  }

  /** For a command that waits for others. */
  async #tellInTime(): Promise<void> {
    const pause = Math.min(this.#interval, 1_000)
    while (await wait(pause, abortOf(this.#ended.signal))) this.tell()
  }

  end(): void {
    this.#ended.abort()
    if (this.#isTerminal) this.#context.stderr.write('\r\u001b[K')
  }
}
