#!/usr/bin/env node
import process from 'node:process'
import type { CommandStreams } from './cli/command-context.ts'
import { main } from './cli/program.ts'
import { refusalOf } from './utils/files.ts'

/** How long the same signal counts once, in milliseconds. */
const repeatTime = 250

/** The streams and signals of this process. */
class ProcessStreams implements CommandStreams {
  readonly stdout = process.stdout
  readonly stderr = process.stderr
  /** Whether output is lost because the system refused it, as on a full disk. */
  hasFailed = false
  readonly #unread = new AbortController()
  #controller: AbortController | null = null

  constructor() {
    for (const stream of [this.stdout, this.stderr]) {
      stream.on('error', (error: NodeJS.ErrnoException) => {
        // The command goes on, so that it has its own exit code and leaves no temporary file behind. A reader can close
        // the pipe early, as `head` does.
        if (error.code !== 'EPIPE' && !this.hasFailed) {
          this.hasFailed = true
          this.stderr.write(`Failed to write the output: ${refusalOf(error)}.\n`)
        }
        this.#unread.abort()
      })
    }
  }

  get unread(): AbortSignal {
    return this.#unread.signal
  }

  /** Installs signal handlers when a command first reads it. Until then Ctrl-C ends the process at once. */
  get signal(): AbortSignal {
    this.#controller ??= this.#abortOnSignals()
    return this.#controller.signal
  }

  #abortOnSignals(): AbortController {
    const controller = new AbortController()
    const names = ['SIGINT', 'SIGTERM'] as const
    let first = 0
    const abort = (name: NodeJS.Signals) => {
      const { aborted, reason } = controller.signal
      if (!aborted) {
        first = performance.now()
        controller.abort(name)
        return
      }
      // npm and `timeout` send a signal twice: to this process, and to its group.
      if (name === reason && performance.now() - first < repeatTime) return
      // A second signal ends the process at once.
      for (const each of names) process.off(each, abort)
      process.kill(process.pid, name)
    }
    for (const name of names) process.on(name, abort)
    return controller
  }
}

async function run(): Promise<never> {
  const streams = new ProcessStreams()
  const code = await main(process.argv.slice(2), streams)
  const outputs = [streams.stdout, streams.stderr]
  await Promise.all(outputs.map((output) => new Promise((done) => output.write('', done))))
  // Something can be left open, such as the connections of a client.
  process.exit(code || (streams.hasFailed ? 2 : 0))
}

void run()
