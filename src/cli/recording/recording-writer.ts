import { toHarEntry } from '../../adapters/har/write-har.ts'
import type { Exchange } from '../../http/exchange.ts'
import { Recorder, type RecorderOptions } from '../../scenarios/recording/recorder.ts'
import { type RecordingHead, toScenarioHead } from '../../scenarios/recording/write-scenario.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import { version } from '../../utils/version.ts'
import { removeTemporaryFiles } from '../../world/persistence/atomic-write.ts'
import { formatJson } from '../output/format-json.ts'
import { GrowingFile } from './growing-file.ts'
import type { SkippedRequest } from './proxy.ts'

/** Where a recording is written. */
export interface OutputFiles {
  readonly out: string
  readonly har?: string
}

/** An exchange that was recorded. */
export interface RecordedExchange {
  /** Without what is hidden */
  readonly exchange: Exchange
  /** What of it is not in the scenario */
  readonly warnings: readonly string[]
  /** Puts it into the files: in the order in which they were recorded */
  readonly write: () => void
}

/** A recording that is written as it goes. */
export class RecordingWriter {
  readonly #recorder: Recorder
  readonly #scenario: GrowingFile
  readonly #archive: GrowingFile | null

  private constructor(recorder: Recorder, scenario: GrowingFile, archive: GrowingFile | null) {
    this.#recorder = recorder
    this.#scenario = scenario
    this.#archive = archive
  }

  /** @throws UsageError for a file that cannot be written */
  static async open(
    { out, har }: OutputFiles,
    options: RecorderOptions,
    head: RecordingHead,
  ): Promise<RecordingWriter> {
    for (const file of [out, har]) if (file !== undefined) await removeTemporaryFiles(file)
    const text = JSON.stringify({ ...toScenarioHead(head), steps: [] }, null, 2)
    const scenario = openGrowingFile(out, text.replace(/\]\s*\}$/, ''), '\n  ]\n}\n')
    const log = JSON.stringify({ version: '1.2', creator: { name: 'understudy-api', version } })
    try {
      const archive = har === undefined ? null : openGrowingFile(har, harHeader(log), '\n]}}\n')
      return new RecordingWriter(new Recorder(options), scenario, archive)
    } catch (error) {
      scenario.close()
      throw error
    }
  }

  /** How many requests are in it. */
  get length(): number {
    return this.#scenario.length
  }

  /** One more exchange. It is in the files once that is asked for. */
  add(given: Exchange): RecordedExchange {
    const { exchange, changed, warnings } = this.#recorder.add(given)
    return { exchange, warnings, write: () => this.#write(exchange, changed) }
  }

  /** What is said of a request that is not in it, without what is hidden. */
  skippedMessage({ method, url, reason }: SkippedRequest, target: string): string {
    const path = this.#recorder.anonymizeUrl(url).slice(target.length)
    return `${method} ${path} is left out: ${reason}`
  }

  /** Ends the writing. */
  close(): void {
    this.#scenario.close()
    this.#archive?.close()
  }

  #write(exchange: Exchange, changed: readonly number[]): void {
    if (changed.length > 0) {
      this.#scenario.put(new Map(changed.map((index) => [index, this.#text(index)])))
    }
    const entry = () => JSON.stringify(toHarEntry(exchange))
    if (this.#archive) this.#archive.put(new Map([[this.#archive.length, entry()]]))
  }

  #text(index: number): string {
    return `    ${formatJson(this.#recorder.step(index), '    ')}`
  }
}

function harHeader(log: string): string {
  return `{"log":${log.slice(0, -1)},"entries":[`
}

function openGrowingFile(file: string, head: string, tail: string): GrowingFile {
  try {
    return new GrowingFile(file, head, tail)
  } catch (error) {
    const { code } = error as { code?: string }
    throw unexpectedValue('record', 'a file that can be written', `${file} (${code})`)
  }
}
