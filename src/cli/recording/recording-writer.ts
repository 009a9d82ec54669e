import {
  closeSync,
  constants,
  copyFileSync,
  ftruncateSync,
  linkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import process from 'node:process'
import { createHar, toHarEntry } from '../../adapters/har/write-har.ts'
import type { Assumption } from '../../analysis/traffic/assumption.ts'
import { TrafficSurvey } from '../../analysis/traffic/from-traffic.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { FaultPhase } from '../../sandbox/faults/rule.ts'
import {
  type RecordedExchange,
  Recorder,
  type RecorderOptions,
  type RecordingHead,
  toScenarioHead,
} from '../../scenarios/recording/recorder.ts'
import { failToWrite } from '../../utils/files.ts'
import { formatJson } from '../../utils/format-json.ts'
import { isObject } from '../../utils/json.ts'
import { wait } from '../../utils/wait.ts'
import { createSync, writeAll } from '../output.ts'
import type { SkippedRequest } from './proxy.ts'

/** Writes a recording while it goes on: as a scenario, and as an archive if that is wanted. */
export class RecordingWriter {
  readonly #recorder: Recorder
  readonly #scenario: GrowingFile
  readonly #archive: GrowingFile | null
  readonly #head: RecordingHead
  /** Finds the faults, and the world if the service does not show it */
  readonly #survey: TrafficSurvey
  readonly #derivesWorld: boolean
  /** The number of the exchange that met the fault of a step, by the index of the step */
  readonly #faulty = new Map<number, number>()
  /** How many exchanges were added */
  #count = 0
  /** The exchanges that are not written yet */
  #added: RecordedExchange[] = []

  /**
   * @param har the file of the archive
   * @param derivesWorld whether to derive the world at the end from the responses
   * @throws UsageError for a file that cannot be written
   */
  constructor(
    out: string,
    har: string | undefined,
    options: RecorderOptions,
    head: RecordingHead,
    derivesWorld = false,
  ) {
    this.#recorder = new Recorder(options)
    this.#head = head
    this.#survey = new TrafficSurvey({ keys: options.keys })
    this.#derivesWorld = derivesWorld
    this.#scenario = new GrowingFile(out, this.#headText(head), '\n  ]\n}\n')
    const archive = JSON.stringify(createHar([])).replace(/\]\}\}$/, '')
    try {
      this.#archive = har === undefined ? null : new GrowingFile(har, archive, '\n]}}\n')
    } catch (error) {
      this.#scenario.close()
      throw error
    }
  }

  /** The number of recorded requests. */
  get length(): number {
    return this.#scenario.length - this.#faulty.size
  }

  /** Adds an exchange to the recording. `flush` writes it. */
  add(exchange: Exchange): void {
    const index = this.#recorder.length
    const { exchange: labelled, fault } = this.#survey.add(exchange)
    this.#added.push(
      this.#recorder.add(this.#derivesWorld ? labelled : exchange, fault && { fault }),
    )
    if (this.#recorder.length > index + 1) this.#faulty.set(index, this.#count)
    this.#count += 1
  }

  /**
   * Writes what the exchanges show together: the world, and the phases of faults. Replaces the secrets that were
   * identified after they were written.
   *
   * @returns what the world assumes; null if the recording has another world
   */
  finish(): readonly Assumption[] | null {
    if (this.length === 0) return null
    const { faults, world, clock, assumptions } = this.#survey.finish()
    const derived = this.#derivesWorld && { world, ...(clock !== undefined && { clock }) }
    const head = { ...this.#head, ...derived }
    this.#scenario.rewrite(this.#headText(head), (_, index) =>
      this.#stepText(index, faults.get(this.#faulty.get(index) ?? -1)?.phase),
    )
    this.#archive?.rewrite(null, (entry) =>
      JSON.stringify(this.#recorder.hideLater(JSON.parse(entry))),
    )
    return this.#derivesWorld ? assumptions : null
  }

  /** @param phase that of the fault which the step adds, if later exchanges showed it */
  #stepText(index: number, phase?: FaultPhase): string {
    const step = this.#recorder.step(index)
    const isLater = phase !== undefined && 'fault' in step && 'effect' in step.fault
    const shown = isLater ? { ...step, fault: { ...step.fault, phase } } : step
    return `    ${formatJson(shown, '    ')}`
  }

  #headText(head: RecordingHead): string {
    const { world } = head
    const shown = isObject(world) ? { ...head, world: this.#recorder.hideInWorld(world) } : head
    return `${formatJson(toScenarioHead(shown)).slice(0, -2)},\n  "steps": [`
  }

  /** Writes the exchanges that were added, and earlier steps that they change. Returns the exchanges. */
  flush(): readonly RecordedExchange[] {
    const added = this.#added
    this.#added = []
    const steps = [...new Set(added.flatMap(({ changed }) => changed))].sort((a, b) => a - b)
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

/**
 * A growing list in a file that is complete at any moment, even after a crash. Adding a part takes the same time at any
 * size: there are two copies of the file, and the hidden one is written, then renamed over the visible one.
 */
export class GrowingFile {
  readonly #file: string
  readonly #link: string
  readonly #copies: readonly [FileCopy, FileCopy]
  /** The text before the list, then its parts */
  readonly #texts: Buffer[] = []
  /** The end of each text, in bytes */
  readonly #ends: number[] = []
  readonly #tail: Buffer
  #hidden: 0 | 1 = 0

  /** An existing file stays until the first part is added. @throws UsageError for a file that cannot be written */
  constructor(file: string, head: string, tail: string) {
    this.#texts[0] = Buffer.from(head)
    this.#tail = Buffer.from(tail)
    try {
      const stats = statSync(file, { throwIfNoEntry: false })
      // A symbolic link stays: its target is replaced.
      this.#file = stats ? realpathSync(file) : file
      if (stats?.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
      const prefix = `${this.#file}.${process.pid}`
      this.#link = `${prefix}.c.tmp`
      this.#copies = [new FileCopy(`${prefix}.a.tmp`), new FileCopy(`${prefix}.b.tmp`)]
    } catch (error) {
      throw failToWrite(file)(error)
    }
  }

  get length(): number {
    return this.#texts.length - 1
  }

  /** Replaces the text before the list, unless it is null, and the parts that change. */
  rewrite(head: string | null, change: (part: string, index: number) => string): void {
    const parts = this.#texts.slice(1).flatMap((bytes, index): [number, string][] => {
      const part = bytes.toString().replace(/^,?\n/, '')
      const changed = change(part, index)
      return changed === part ? [] : [[index, changed]]
    })
    if (head !== null && head !== this.#texts[0]?.toString()) {
      this.#texts[0] = Buffer.from(head)
      this.#ends.length = 0
      for (const copy of this.#copies) copy.staleFrom = 0
    } else if (parts.length === 0) return
    this.put(new Map(parts))
  }

  /** Adds parts and replaces parts, by their indices. */
  put(parts: ReadonlyMap<number, string>): void {
    for (const [index, text] of parts) {
      this.#texts[index + 1] = Buffer.from(`${index === 0 ? '' : ','}\n${text}`)
      this.#ends.length = Math.min(this.#ends.length, index + 1)
      for (const copy of this.#copies) copy.staleFrom = Math.min(copy.staleFrom, index + 1)
    }
    for (let index = this.#ends.length; index < this.#texts.length; index++) {
      this.#ends.push((this.#ends[index - 1] ?? 0) + (this.#texts[index] as Buffer).length)
    }
    const copy = this.#copies[this.#hidden]
    const texts = [...this.#texts.slice(copy.staleFrom), this.#tail]
    copy.write(texts, this.#ends[copy.staleFrom - 1] ?? 0)
    copy.staleFrom = this.#texts.length
    try {
      linkSync(copy.path, this.#link)
    } catch {
      // Some file systems do not support hard links.
      rmSync(this.#link, { force: true })
      copyFileSync(copy.path, this.#link, constants.COPYFILE_EXCL)
      truncateSync(this.#link, copy.length)
    }
    renameSync(this.#link, this.#file)
    this.#hidden = this.#hidden === 0 ? 1 : 0
  }

  close(): void {
    for (const copy of this.#copies) copy.close()
  }
}

/**
 * One of the two copies of a growing file.
 *
 * Spaces, which JSON ignores, fill the file behind its text until it is closed. Some file systems write a file that
 * grew to the disk before they rename it, and that would take most of the time of adding a part.
 */
class FileCopy {
  readonly path: string
  /** The index of the first text that is outdated in this copy */
  staleFrom = 0
  length = 0
  readonly #descriptor: number
  /** The length of the file, in bytes. `length` is that of its text */
  #size = 0

  constructor(path: string) {
    this.path = path
    this.#descriptor = createSync(path)
  }

  /** Writes texts from an offset on, and spaces behind them. */
  write(texts: readonly Buffer[], start: number): void {
    const end = texts.reduce((length, text) => length + text.length, start)
    const spare = Math.max(16_384, Math.round(end / 4))
    const spaces = end > this.#size ? spare : Math.max(0, this.length - end)
    writeAll(this.#descriptor, [...texts, Buffer.alloc(spaces, ' ')], start)
    this.length = end
    this.#size = Math.max(this.#size, end + spaces)
  }

  /** Cuts off the spaces and removes this copy. A hard link to it stays. */
  close(): void {
    ftruncateSync(this.#descriptor, this.length)
    closeSync(this.#descriptor)
    rmSync(this.path, { force: true })
  }
}
