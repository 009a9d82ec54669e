import { isSafeMethod } from '../../http/url.ts'
import { escapeRegExp } from '../../utils/escape.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import { findReferences } from '../format/check-scenario.ts'
import { isRequestStep, type RequestStep, type Scenario, stepTitle } from '../format/scenario.ts'
import type { SavedValues } from '../format/values.ts'
import {
  type ComparedRequest,
  describeDifference,
  diffRequests,
  exactTarget,
  type RecordedRequest,
} from './compare-requests.ts'
import type { NearestRequest } from './unexpected-request.ts'

/** A recorded request, and whether it was answered. */
export interface RecordedStep {
  readonly index: number
  readonly step: RequestStep
  /** Whether it can change later responses */
  readonly isWrite: boolean
  /** The names of the saved values that it sends */
  readonly names: readonly string[]
  /** How often it was answered */
  count: number
}

/** Fills the saved values into a recorded request. */
type Fill = (step: RequestStep, saved: SavedValues) => RecordedRequest

/** A recorded request without saved values, and its exact target if it has one. */
interface ConstantRequest {
  readonly recorded: RecordedRequest
  readonly target: string | null
}

/** Among how many recorded requests the nearest one is looked for. */
const maxCompared = 100

/** The recorded requests in their order. Each can be answered once. */
export class RecordedRequests {
  readonly all: readonly RecordedStep[]
  readonly #fill: Fill
  readonly #constants = new Map<RecordedStep, ConstantRequest>()
  readonly #writes: readonly RecordedStep[]
  #answeredWrites = 0
  /** Those that were not answered, in order */
  readonly #open: RecordedStep[]
  #paths: readonly RegExp[] | null = null

  constructor({ steps }: Scenario, fill: Fill) {
    this.all = steps.flatMap((step, index) => {
      if (!isRequestStep(step)) return []
      const { expect: _, save: __, ...sent } = step
      const names = findReferences(sent, []).map(({ name }) => name)
      return [{ index, step, isWrite: !isSafeMethod(step.method), names, count: 0 }]
    })
    this.#fill = fill
    this.#writes = this.all.filter(({ isWrite }) => isWrite)
    this.#open = [...this.all]
  }

  /** The first request that was not answered. */
  get next(): RecordedStep | undefined {
    return this.#open[0]
  }

  /** The first write that was not answered. Later requests must wait for it. */
  get #nextWrite(): RecordedStep | undefined {
    return this.#writes[this.#answeredWrites]
  }

  /** Whether a path is recorded, with or without a slash at its end, and with any saved values. */
  hasPath(path: string): boolean {
    this.#paths ??= [...new Set(this.all.map(({ step }) => step.path))].map((recorded) => {
      const parts = recorded.replace(/\/?(?:\?.*)?$/, '').split(/\{\w+\}/)
      return new RegExp(`^${parts.map(escapeRegExp).join('[^/]+')}/?$`)
    })
    return this.#paths.some((pattern) => pattern.test(path))
  }

  /**
   * Finds the recorded request that a request repeats. Writes must come in the recorded order. Reads must come before the
   * same next write, in any order, as browsers send several at once. A read that comes after a later write is still
   * answered, but an equal read after that write is preferred.
   */
  find(request: ComparedRequest, saved: SavedValues): RecordedStep | undefined {
    const target = exactTarget(request)
    const isEqual = (recorded: RecordedStep): boolean => {
      if (recorded.step.method !== request.method) return false
      const constant = this.#constantOf(recorded)
      if (constant && constant.target !== null && constant.target !== target) return false
      const filled = this.#filled(recorded, saved)
      return filled !== null && diffRequests(filled, request).length === 0
    }
    const start = this.#openUntil(this.#writes[this.#answeredWrites - 1])
    const end = this.#nextWrite ? this.#openUntil(this.#nextWrite) : this.#open.length
    for (let at = start; at < end; at += 1) {
      const recorded = this.#open[at] as RecordedStep
      if (isEqual(recorded)) return recorded
    }
    return this.#open.slice(0, start).find(isEqual)
  }

  /** Counts a request as answered. */
  answer(recorded: RecordedStep): void {
    recorded.count += 1
    this.#open.splice(this.#openUntil(recorded) - 1, 1)
    if (recorded.isWrite) this.#answeredWrites += 1
  }

  /** How many requests up to a recorded one were not answered. */
  #openUntil(recorded: RecordedStep | undefined): number {
    if (!recorded) return 0
    let [low, high] = [0, this.#open.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#open[middle] as RecordedStep).index <= recorded.index) low = middle + 1
      else high = middle
    }
    return low
  }

  #constantOf(recorded: RecordedStep): ConstantRequest | undefined {
    const known = this.#constants.get(recorded)
    if (known || recorded.names.length > 0) return known
    const filled = this.#fill(recorded.step, new Map())
    const constant = { recorded: filled, target: exactTarget(filled) }
    this.#constants.set(recorded, constant)
    return constant
  }

  /** Null if it needs a value that is not saved yet. */
  #filled(recorded: RecordedStep, saved: SavedValues): RecordedRequest | null {
    const constant = this.#constantOf(recorded)
    if (constant) return constant.recorded
    return recorded.names.every((name) => saved.has(name)) ? this.#fill(recorded.step, saved) : null
  }

  /** Finds the recorded request that differs least, beginning with those that come next. */
  nearest(
    request: ComparedRequest,
    saved: SavedValues,
    redactor: KeyRedactor,
  ): NearestRequest | null {
    const [samePath, otherPath]: [Candidate[], Candidate[]] = [[], []]
    const first = this.all.findIndex(({ index }) => index >= (this.#nextWrite?.index ?? 0))
    for (const recorded of [...this.all.slice(first), ...this.all.slice(0, first)]) {
      const filled = this.#filled(recorded, saved)
      if (!filled) continue
      const candidates = filled.path === request.path ? samePath : otherPath
      if (candidates.length < maxCompared) candidates.push({ recorded, filled })
    }
    const compared = [...samePath, ...otherPath]
      .slice(0, maxCompared)
      .map(({ recorded, filled }) => {
        const differences = diffRequests(filled, request)
        const weights = differences.map(({ path: [part] }) => distances[String(part)] ?? 1)
        return { recorded, differences, far: weights.reduce((sum, weight) => sum + weight, 0) }
      })
    const [nearest] = compared.sort((a, b) => a.far - b.far || a.recorded.index - b.recorded.index)
    if (!nearest) return null
    const { recorded, differences } = nearest
    const lines = differences.map((difference) => describeDifference(difference, redactor))
    return {
      step: recorded.index + 1,
      title: stepTitle(recorded.step),
      differences: lines.length > 0 ? lines : [this.#explainOrder(recorded)],
    }
  }

  #explainOrder({ count }: RecordedStep): string {
    const next = this.#nextWrite
    return count === 0 && next
      ? `order: expected step ${next.index + 1} (${stepTitle(next.step)}) before this request`
      : 'times: expected one such request, got another one. POST /__admin/playback/rewind starts the recording again'
  }
}

interface Candidate {
  readonly recorded: RecordedStep
  readonly filled: RecordedRequest
}

/** A request to another path or with another method is further away. */
const distances: Readonly<Record<string, number>> = { path: 100, method: 10 }
