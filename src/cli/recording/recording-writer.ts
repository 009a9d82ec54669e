import { toHarEntry } from '../../adapters/har/write-har.ts'
import type { Exchange } from '../../http/exchange.ts'
import { Recorder, type RecorderOptions } from '../../scenarios/recording/recorder.ts'
import { type RecordingHead, toScenarioHead } from '../../scenarios/recording/write-scenario.ts'
import { version } from '../../utils/version.ts'
import { removeTemporaryFiles } from '../../world/persistence/atomic-write.ts'
import { formatJson } from '../output/format-json.ts'
import { unwritableFileError } from '../unwritable-file.ts'
import { GrowingFile } from './growing-file.ts'
import type { SkippedRequest } from './proxy.ts'

/** The files of a recording. */
export interface OutputFiles {
  readonly out: string
  readonly har?: string
}

/** An exchange that was written. */
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
    const logHead = `{"log":${log.slice(0, -1)},"entries":[`
    try {
      const archive = har === undefined ? null : openGrowingFile(har, logHead, '\n]}}\n')
      return new RecordingWriter(new Recorder(options), scenario, archive)
    } catch (error) {
      scenario.close()
      throw error
    }
  }

  /** The number of requests in the scenario. */
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
      this.#scenario.put(new Map(steps.map((index) => [index, this.#stepText(index)])))
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
    const path = this.#recorder.anonymizeUrl(url).slice(target.length)
    return `${method} ${path} is not recorded: ${reason}`
  }

  close(): void {
    this.#scenario.close()
    this.#archive?.close()
  }

  #stepText(index: number): string {
    return `    ${formatJson(this.#recorder.step(index), '    ')}`
  }
}

function openGrowingFile(file: string, head: string, tail: string): GrowingFile {
  try {
    return new GrowingFile(file, head, tail)
  } catch (error) {
    throw unwritableFileError(file, error)
  }
}
