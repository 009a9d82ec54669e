import { distance } from 'fastest-levenshtein'
import { isSafeMethod } from '../../http/url.ts'
import { aliasPattern, matchAliases } from '../../utils/redaction/aliases.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import { isRequestStep, type RequestStep, type Scenario, stepTitle } from '../format/scenario.ts'
import type { SavedValues } from '../format/values.ts'
import type { CompletedRecording } from './complete-recording.ts'
import type { NearestRequest } from './replay-options.ts'
import {
  diffRequest,
  type IncomingRequest,
  meetsCriteria,
  type RequestCriteria,
  toRequestCriteria,
} from './request.ts'

export class RequestMatcher {
  readonly #all: readonly TrackedStep[]
  #recorded: readonly TrackedStep[]
  readonly #prefix: string
  readonly #criteria = new Map<TrackedStep, RequestCriteria>()
  #saved: SavedValues = new Map()
  #hiddenKeys: ReadonlySet<string> = new Set()

  /** @param prefix the path of the base URL */
  constructor(recorded: readonly TrackedStep[], prefix: string) {
    this.#all = recorded
    this.#recorded = recorded
    this.#prefix = prefix
  }

  /** @param recording the recording, once it is complete */
  fill(saved: SavedValues, recording?: Pick<CompletedRecording, 'hiddenKeys' | 'leftOut'>): void {
    this.#saved = saved
    if (recording) {
      this.#hiddenKeys = recording.hiddenKeys
      this.#recorded = this.#all.filter(({ index }) => !recording.leftOut.has(index))
    }
    this.#criteria.clear()
  }

  match(request: IncomingRequest): TrackedStep | undefined {
    return findInOrder(this.#recorded, (one) => meetsCriteria(this.#criteriaOf(one), request))
  }

  /** Adds what the aliases of a recorded request stand for in the request that it matches. */
  collectValues(one: TrackedStep, request: IncomingRequest, values: Map<string, string>): void {
    diffRequest(this.#criteriaOf(one), request, values)
  }

  /** Finds the recorded request that is most similar to one that is not recorded. Null if none is recorded. */
  nearest(request: IncomingRequest, redactor: KeyRedactor): NearestRequest | null {
    const lengths = this.#recorded.map((recorded) => {
      const criteria = this.#criteriaOf(recorded)
      // If two are equally similar, the one that was not answered yet is more likely.
      const penalty = recorded.count > 0 ? 0.5 : 0
      return diffRequest(criteria, request).length + distanceTo(criteria, request) + penalty
    })
    const nearest = this.#recorded[lengths.indexOf(Math.min(...lengths))]
    if (!nearest) return null
    const lines = diffRequest(this.#criteriaOf(nearest), request).map((line) => line(redactor))
    const differences = lines.length > 0 ? lines : [explainOrder(nearest, this.#recorded)]
    return { step: nearest.index + 1, title: stepTitle(nearest.step), differences }
  }

  #criteriaOf(recorded: TrackedStep): RequestCriteria {
    const known = this.#criteria.get(recorded)
    const criteria =
      known ?? toRequestCriteria(recorded.step, this.#saved, this.#prefix, this.#hiddenKeys)
    if (!known) this.#criteria.set(recorded, criteria)
    return criteria
  }
}

/**
 * Finds the recorded request if each can be answered once. Writes must come in the recorded order. Reads must come
 * before the same next write, in any order, as browsers send several at once. A read that comes after a later write is
 * still answered, but an equal read after that write is preferred.
 */
function findInOrder(
  recorded: readonly TrackedStep[],
  matches: (recorded: TrackedStep) => boolean,
): TrackedStep | undefined {
  const next = findNextWrite(recorded)
  const last = recorded.findLast(({ isWrite, count }) => isWrite && count > 0)
  const open = recorded.filter(
    (one) => one.count === 0 && (!next || one.index <= next.index) && matches(one),
  )
  return open.find(({ index }) => !last || index > last.index) ?? open[0]
}

/** The first write that was not answered yet. Later requests must wait for it. */
function findNextWrite(recorded: readonly TrackedStep[]): TrackedStep | undefined {
  return recorded.find(({ isWrite, count }) => isWrite && count === 0)
}

/** The time to compare two paths grows with the square of their length. */
const maxPathLength = 200

/** A different path weighs more than any number of other differences, and a different method more than a few. */
function distanceTo({ method, path }: RequestCriteria, request: IncomingRequest): number {
  const pathDistance =
    matchAliases(path, request.path) !== null
      ? 0
      : 100 + distance(path.slice(0, maxPathLength), request.path.slice(0, maxPathLength))
  return pathDistance + (method === request.method ? 0 : 10)
}

function explainOrder(one: TrackedStep, recorded: readonly TrackedStep[]): string {
  const next = findNextWrite(recorded)
  if (one.count > 0 || !next) {
    const isAtEnd = recorded.every(({ count }) => count > 0)
    const cure = isAtEnd
      ? '. The recording is at its end: POST /__admin/replay/rewind starts it again'
      : ''
    return `times: expected one such request, got another one${cure}`
  }
  return `order: expected step ${next.index + 1} (${stepTitle(next.step)}) before this request`
}

export interface TrackedStep {
  readonly index: number
  readonly step: RequestStep
  /** Whether it can change later responses */
  readonly isWrite: boolean
  /** How often it was answered */
  count: number
}

/** A request of a recording in the progress of a replay. */
export interface RecordedRequest {
  /** Counted from 1 */
  readonly step: number
  readonly title: string
  readonly method: string
  /** As recorded, with the names of saved values */
  readonly path: string
  /** How often it was answered */
  readonly count: number
}

export function toTrackedSteps({ steps }: Scenario): TrackedStep[] {
  return steps.flatMap((step, index) =>
    isRequestStep(step) ? [{ index, step, isWrite: !isSafeMethod(step.method), count: 0 }] : [],
  )
}

/** Whether a path matches that of a step, with any saved values, and any text in place of aliases. */
export function hasPathOfStep({ path: template }: RequestStep, path: string): boolean {
  const [pattern = ''] = template.split('?')
  // A saved URL leads to a path of the API, which the simulator knows.
  if (!pattern.startsWith('/')) return false
  const segments = pattern.replace(/\/$/, '').split('/')
  const actual = path.replace(/\/$/, '').split('/')
  return (
    segments.length === actual.length &&
    segments.every((segment, index) => {
      const open = segment.replace(openParts, 'replaced-secret-0')
      return matchAliases(open, actual[index] as string) !== null
    })
  )
}

/** Saved values and aliases. Those side by side are one. */
const openParts = new RegExp(`(?:\\{\\w+\\}|${aliasPattern.source})+`, 'g')

/** Copies the progress of equal requests. A read with a changed response can be answered again. */
export function carryProgressOver(
  former: readonly TrackedStep[],
  next: readonly TrackedStep[],
): void {
  const remaining = [...former]
  for (const request of next) {
    const at = remaining.findIndex(
      ({ step }) => serializeRequest(step) === serializeRequest(request.step),
    )
    const [previous] = at < 0 ? [] : remaining.splice(at, 1)
    const isSame = previous && JSON.stringify(previous.step) === JSON.stringify(request.step)
    if (previous && (isSame || request.isWrite)) request.count = previous.count
  }
}

/** The values that answered requests have saved. The next version of a recording needs them. */
export function retainSaved(
  recorded: readonly TrackedStep[],
  saved: ReadonlyMap<string, unknown>,
): Map<string, unknown> {
  const names = recorded.flatMap(({ count, step }) =>
    count > 0 ? Object.keys(step.save ?? {}) : [],
  )
  return new Map([...saved].filter(([name]) => names.includes(name)))
}

function serializeRequest({ title: _, expect: __, save: ___, ...request }: RequestStep): string {
  return JSON.stringify(Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1)))
}
