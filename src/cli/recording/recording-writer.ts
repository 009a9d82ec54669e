import { createHar, toHarEntry } from '../../adapters/har/write-har.ts'
import type { Exchange } from '../../http/exchange.ts'
import {
  Recorder,
  type RecorderOptions,
  type RecordingHead,
  toScenarioHead,
} from '../../scenarios/recording/recorder.ts'
import { formatJson } from '../../utils/format-json.ts'
import { isObject } from '../../utils/json.ts'
import { wait } from '../../utils/wait.ts'
import { GrowingFile } from './growing-file.ts'
import type { SkippedRequest } from './proxy.ts'

export interface RecordedExchange {
  /** Without secrets */
  readonly exchange: Exchange
  /** What the scenario leaves out of it */
  readonly warnings: readonly string[]
}

/** Writes a recording while it goes on: as a scenario, and as an archive if that is wanted. */
export class RecordingWriter {
  readonly #recorder: Recorder
  readonly #scenario: GrowingFile
  readonly #archive: GrowingFile | null
  #added: RecordedExchange[] = []
  /** The indices of steps to write */
  readonly #changed = new Set<number>()

  /**
   * @param har the file of the archive
   * @throws UsageError for a file that cannot be written
   */
  constructor(out: string, har: string | undefined, options: RecorderOptions, head: RecordingHead) {
    this.#recorder = new Recorder(options)
    const { world } = head
    const shown = isObject(world) ? { ...head, world: this.#recorder.hideInWorld(world) } : head
    const text = `${formatJson(toScenarioHead(shown)).slice(0, -2)},\n  "steps": [`
    this.#scenario = new GrowingFile(out, text, '\n  ]\n}\n')
    const archive = JSON.stringify(createHar([])).replace(/\]\}\}$/, '')
    try {
      this.#archive = har === undefined ? null : new GrowingFile(har, archive, '\n]}}\n')
    } catch (error) {
      this.#scenario.close()
      throw error
    }
  }

  get length(): number {
    return this.#scenario.length
  }

  /** Adds an exchange to the recording. `flush` writes it. */
  add(exchange: Exchange): void {
    const { exchange: anonymized, changed, warnings } = this.#recorder.add(exchange)
    this.#added.push({ exchange: anonymized, warnings })
    for (const index of changed) this.#changed.add(index)
  }

  /** Writes the exchanges that were added, and earlier steps that they change. Returns the exchanges. */
  flush(): readonly RecordedExchange[] {
    const added = this.#added
    this.#added = []
    const steps = [...this.#changed].sort((a, b) => a - b)
    this.#changed.clear()
    if (steps.length > 0) {
      const text = (index: number): string =>
        `    ${formatJson(this.#recorder.step(index), '    ')}`
      this.#scenario.put(new Map(steps.map((index) => [index, text(index)])))
    }
    if (this.#archive && added.length > 0) {
      const { length } = this.#archive
      const entries = added.map(({ exchange }) => JSON.stringify(toHarEntry(exchange)))
      this.#archive.put(new Map(entries.map((entry, index) => [length + index, entry])))
    }
    return added
  }

  /** Describes a request that is not in the recording, without secrets. */
  skippedMessage({ method, url, reason }: SkippedRequest, target: string): string {
    const path = this.#recorder.hideInUrl(url).slice(target.length)
    return `${method} ${path} is not recorded: ${reason}`
  }

  close(): void {
    this.#scenario.close()
    this.#archive?.close()
  }
}

interface ExchangeSink {
  add(exchange: Exchange): void
  flush(): void
}

/** The longest time that an exchange waits for the next request, in milliseconds. */
const maxDelay = 5

/**
 * Records exchanges without delaying the client. An exchange is added while the client reads its response, and written
 * while the target works on the next request.
 */
export class ExchangeQueue {
  readonly #sink: ExchangeSink
  #waiting: Exchange[] = []
  #latest: Exchange | null = null

  constructor(sink: ExchangeSink) {
    this.#sink = sink
  }

  /** Adds an exchange. Earlier ones are written first, so a crash loses only the latest. */
  add(exchange: Exchange): void {
    this.flush()
    this.#waiting.push(exchange)
    setImmediate(() => this.#handOver())
    this.#latest = exchange
    void wait(maxDelay).then(() => {
      // A later exchange has its own delay. Ending that early could delay its request.
      if (this.#latest === exchange) this.flush()
    })
  }

  flush(): void {
    this.#latest = null
    this.#handOver()
    this.#sink.flush()
  }

  #handOver(): void {
    for (const exchange of this.#waiting.splice(0)) this.#sink.add(exchange)
  }
}
