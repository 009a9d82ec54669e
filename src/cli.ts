import process from 'node:process'
import type { CommandStreams } from './cli/command-context.ts'
import { main } from './cli/program.ts'

/** The streams and signals of this process. */
class ProcessStreams implements CommandStreams {
  readonly stdout = process.stdout
  readonly stderr = process.stderr
  #controller: AbortController | null = null

  /** Installs signal handlers when a command first reads it. Until then Ctrl-C ends the process at once. */
  get signal(): AbortSignal {
    this.#controller ??= this.#abortOnSignals()
    return this.#controller.signal
  }

  #abortOnSignals(): AbortController {
    const controller = new AbortController()
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.once(name, () => controller.abort(name))
    }
    return controller
  }
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has closed the pipe early, as `head` does.
    if (error.code === 'EPIPE') process.exit()
    throw error
  })
}
void main(process.argv.slice(2), new ProcessStreams()).then((code) => {
  process.exitCode = code
})
