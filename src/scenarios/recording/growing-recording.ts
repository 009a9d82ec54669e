import { createHar, toHarEntry } from '../../adapters/har/write-har.ts'
import type { Exchange } from '../../http/exchange.ts'
import { nextTurn } from '../../utils/wait.ts'
import { type Hider, KeyLabeler } from './hide.ts'
import { type RecorderOptions, type RecordingHead, toScenarioHead } from './recorder.ts'
import { toStep } from './to-step.ts'

/** How long exchanges are written before waiting requests get their turn, in milliseconds. */
const turn = 20

interface GrowingOptions extends RecorderOptions, Pick<RecordingHead, 'world'> {
  readonly title: string
  readonly baseUrl: string
  /** Whether an archive is written */
  readonly hasArchive: boolean
}

/**
 * The texts of a scenario and an archive that grow with each exchange, for as long as a recorder runs. The steps have no
 * world yet, and name no ids.
 */
export class GrowingRecording {
  readonly #exchanges: readonly Exchange[]
  readonly #hider: Hider
  readonly #options: GrowingOptions
  #learned = 0
  #labeler = new KeyLabeler()
  #written = 0
  #steps: string[] = []
  #entries: string[] = []

  /** @param exchanges grow while they are recorded. The hider has learned their secrets */
  constructor(exchanges: readonly Exchange[], hider: Hider, options: GrowingOptions) {
    this.#exchanges = exchanges
    this.#hider = hider
    this.#options = options
  }

  /** Writes the exchanges that came since the last time: all of them again if a secret was learned, which they may have. */
  async write(): Promise<void> {
    const { learnedCount } = this.#hider.strategy
    if (learnedCount !== this.#learned) {
      this.#labeler = new KeyLabeler(this.#options.keys)
      this.#written = 0
      this.#steps = []
      this.#entries = []
    }
    this.#learned = learnedCount
    let start = performance.now()
    for (const exchange of this.#exchanges.slice(this.#written)) {
      this.#add(exchange)
      if (performance.now() - start < turn) continue
      await nextTurn()
      start = performance.now()
    }
  }

  #add(exchange: Exchange): void {
    const { baseUrl, keep, hasArchive } = this.#options
    const labelled = this.#labeler.withLabel(exchange)
    const hidden = this.#hider.exchange(labelled)
    const { step } = toStep(hidden, baseUrl)
    if (step) this.#steps.push(JSON.stringify(step))
    if (hasArchive)
      this.#entries.push(JSON.stringify(toHarEntry(keep ? labelled : hidden.exchange)))
    this.#written += 1
  }

  /** Null without steps: that would be no scenario. */
  get scenario(): string | null {
    const { title, world } = this.#options
    if (this.#steps.length === 0) return null
    const head = toScenarioHead({ title, ...(world !== undefined && { world }) })
    return withList({ ...head, steps: [] }, this.#steps)
  }

  get archive(): string {
    return withList(createHar([]), this.#entries)
  }
}

/** A document with texts in its last list, which is empty, one per line. */
function withList(document: object, texts: readonly string[]): string {
  const [start, end] = JSON.stringify(document).split(/(?<=\[)(?=\]\}+$)/)
  return `${start}\n${texts.join(',\n')}\n${end}\n`
}
