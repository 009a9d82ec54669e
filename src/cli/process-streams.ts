import process from 'node:process'
import { followSignals } from '../exec/signals.ts'
import { refusalOf } from '../utils/files.ts'
import { wait } from '../utils/wait.ts'
import type { CommandStreams } from './command-context.ts'

/** How long a server waits at its end for a reader that does not read, in milliseconds. */
const flushTime = 1_000

/** The streams and signals of this process. No command ends because nobody reads its output, or a disk is full. */
export class ProcessStreams implements CommandStreams {
  readonly stdout = process.stdout
  readonly stderr = process.stderr
  isServing = false
  #hasFailed = false
  #controller: AbortController | null = null

  constructor() {
    this.stderr.on('error', () => {})
    this.stdout.on('error', (error: NodeJS.ErrnoException) => {
      // A reader can close the pipe early, as `head` does.
      if (error.code === 'EPIPE' || this.#hasFailed) return
      this.#hasFailed = true
      this.stderr.write(`Failed to write the output: ${refusalOf(error)}.\n`)
    })
  }

  get stdin(): NodeJS.ReadStream {
    return process.stdin
  }

  /** Installs signal handlers when a command first reads it. Until then Ctrl-C ends the process at once. */
  get signal(): AbortSignal {
    this.#controller ??= abortOnSignals()
    return this.#controller.signal
  }

  /** Waits until all output is written. @returns whether the system refused a part of the result of a command */
  async flush(): Promise<boolean> {
    const written = [this.stdout, this.stderr].map(
      (stream) => new Promise<void>((done) => stream.write('', () => done())),
    )
    await Promise.race([Promise.all(written), ...(this.isServing ? [wait(flushTime)] : [])])
    return this.#hasFailed && !this.isServing
  }
}

/** A second signal ends the process at once. */
function abortOnSignals() {
  const controller = new AbortController()
  const stop = followSignals((name) => {
    if (!controller.signal.aborted) return controller.abort(name)
    stop()
    process.kill(process.pid, name)
  })
  return controller
}
