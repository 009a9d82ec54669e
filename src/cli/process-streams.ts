import process from 'node:process'
import { Writable } from 'node:stream'
import { refusalOf } from '../utils/files.ts'
import { formatCount } from '../utils/text.ts'
import { repeat, wait } from '../utils/wait.ts'
import type { CommandStreams } from './command-context.ts'

/** How much text waits for a reader of stderr that does not read, in bytes. What follows is left out. */
const maxWaiting = 2 ** 20

/** How long a server waits at its end for a reader that does not read, in milliseconds. */
const flushTime = 1_000

/** How long the same signal counts once, in milliseconds. */
const repeatTime = 250

/** How long a server collects texts after it has written one, in milliseconds, and how many characters. */
const together = { ms: 20, length: 16_384 }

/**
 * stderr without what the system does not take. When it takes text again, the first line says how many are missing. While a
 * command serves, texts that follow one within a moment are written together: each write is a call of the system. Other
 * commands also write to stdout, and keep the order.
 */
class LossyStderr extends Writable {
  readonly #stream = process.stderr
  #text = ''
  /** Ends the collection of texts. Undefined if the next one is written at once */
  #stop: (() => void) | undefined
  #missing = 0
  #reason = ''
  readonly #isServing: () => boolean

  constructor(isServing: () => boolean) {
    super({ decodeStrings: false })
    this.#isServing = isServing
    // Each write handles its own error.
    this.#stream.on('error', () => {})
    process.on('exit', () => this.writeAll())
  }

  get isTTY(): boolean {
    return this.#stream.isTTY
  }

  get columns(): number {
    return this.#stream.columns
  }

  getColorDepth(): number {
    return this.#stream.getColorDepth()
  }

  override _write(text: string, _encoding: string, done: () => void): void {
    this.#text += text
    if (!this.#stop || this.#text.length > together.length) this.writeAll()
    done()
  }

  /** Writes what was collected. */
  writeAll(): void {
    const text = this.#text
    this.#stop?.()
    this.#stop = undefined
    if (text === '') return
    this.#text = ''
    if (this.#isServing()) this.#stop = repeat(together.ms, () => this.writeAll())
    if (this.#stream.writableLength > maxWaiting) {
      this.#leaveOut(text, 'which nobody would have read')
    } else {
      const notice = this.#takeNotice()
      this.#stream.write(notice.text + text, (error?: NodeJS.ErrnoException | null) => {
        if (!error) return
        this.#missing += notice.missing
        this.#leaveOut(text, `which could not be written (${error.code})`)
      })
    }
  }

  #leaveOut(text: string, reason: string): void {
    this.#missing += text.split('\n').length - 1
    this.#reason = reason
  }

  #takeNotice(): { text: string; missing: number } {
    const missing = this.#missing
    this.#missing = 0
    const text = `Missing here: ${formatCount(missing, 'line')}, ${this.#reason}.\n`
    return { text: missing === 0 ? '' : text, missing }
  }
}

/** The streams and signals of this process. No command ends because nobody reads its output, or a disk is full. */
export class ProcessStreams implements CommandStreams {
  readonly stdout = process.stdout
  readonly stderr = new LossyStderr(() => this.isServing)
  isServing = false
  #hasFailed = false
  #controller: AbortController | null = null

  constructor() {
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
    this.#controller ??= abortOnSignals(() => this.stderr.writeAll())
    return this.#controller.signal
  }

  /** Calls a listener for an error that no code caught, which then does not end the process. */
  onCrash(listener: (error: unknown) => void): void {
    process.on('uncaughtException', listener)
    // Otherwise an error that names no reason but in its message.
    process.on('unhandledRejection', listener)
  }

  /** Waits until all output is written. @returns whether the system refused a part of the result of a command */
  async flush(): Promise<boolean> {
    const emptied = (stream: Writable) =>
      new Promise<void>((done) => stream.write('', () => done()))
    const written = [
      emptied(process.stdout),
      emptied(this.stderr).then(() => {
        this.stderr.writeAll()
        return emptied(process.stderr)
      }),
    ]
    await Promise.race([Promise.all(written), ...(this.isServing ? [wait(flushTime)] : [])])
    return this.#hasFailed && !this.isServing
  }
}

/** The signals that end a command: of Ctrl-C, of `kill`, of a terminal that closes, of Ctrl-\\, and of Ctrl-Break. */
const endingSignals: readonly NodeJS.Signals[] = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const),
  process.platform === 'win32' ? 'SIGBREAK' : 'SIGQUIT',
]

/**
 * Calls a listener for each signal that ends a command.
 *
 * @returns a function that stops it
 */
export function followSignals(listener: (name: NodeJS.Signals) => void): () => void {
  const times = new Map<NodeJS.Signals, number>()
  const follow = (name: NodeJS.Signals): void => {
    const now = performance.now()
    // npm and `timeout` send a signal twice: to this process, and to its group.
    if (now - (times.get(name) ?? Number.NEGATIVE_INFINITY) < repeatTime) return
    times.set(name, now)
    listener(name)
  }
  for (const name of endingSignals) process.on(name, follow)
  return () => {
    for (const name of endingSignals) process.off(name, follow)
  }
}

/** @param onEnd called before a second signal ends the process at once */
function abortOnSignals(onEnd: () => void): AbortController {
  const controller = new AbortController()
  const stop = followSignals((name) => {
    if (!controller.signal.aborted) return controller.abort(name)
    stop()
    onEnd()
    process.kill(process.pid, name)
  })
  return controller
}
