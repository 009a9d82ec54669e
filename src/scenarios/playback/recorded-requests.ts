import { isSafeMethod } from '../../http/url.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import { isRequestStep, type RequestStep, type Scenario, stepTitle } from '../format/scenario.ts'
import {
  type ComparedRequest,
  describeDifference,
  diffRequests,
  type RecordedRequest,
} from './compare-requests.ts'
import type { NearestRequest } from './unexpected-request.ts'

/** A recorded request, and whether it was answered. */
export interface TrackedStep {
  readonly index: number
  readonly step: RequestStep
  /** Whether it can change later responses */
  readonly isWrite: boolean
  /** How often it was answered */
  count: number
}

export function toTrackedSteps({ steps }: Scenario): TrackedStep[] {
  return steps.flatMap((step, index) =>
    isRequestStep(step) ? [{ index, step, isWrite: !isSafeMethod(step.method), count: 0 }] : [],
  )
}

/** Fills the saved values into a recorded request. Returns null if it needs one that is not saved yet. */
type Fill = (one: TrackedStep) => RecordedRequest | null

/**
 * Finds the recorded request that a request repeats. Each can be answered once. Writes must come in the recorded order.
 * Reads must come before the same next write, in any order, as browsers send several at once. A read that comes after a
 * later write is still answered, but an equal read after that write is preferred.
 */
export function findRecorded(
  steps: readonly TrackedStep[],
  request: ComparedRequest,
  fill: Fill,
): TrackedStep | undefined {
  const next = findNextWrite(steps)
  const last = steps.findLast(({ isWrite, count }) => isWrite && count > 0)
  const equal = steps.filter((one) => {
    const isOpen = one.count === 0 && (!next || one.index <= next.index)
    const recorded = isOpen && one.step.method === request.method && fill(one)
    return recorded && diffRequests(recorded, request).length === 0
  })
  return equal.find(({ index }) => !last || index > last.index) ?? equal[0]
}

/** The first write that was not answered yet. Later requests must wait for it. */
function findNextWrite(steps: readonly TrackedStep[]): TrackedStep | undefined {
  return steps.find(({ isWrite, count }) => isWrite && count === 0)
}

/** Finds the recorded request that differs least. A request to another path or with another method is further away. */
export function findNearest(
  steps: readonly TrackedStep[],
  request: ComparedRequest,
  fill: Fill,
  redactor: KeyRedactor,
): NearestRequest | null {
  const candidates = steps.flatMap((one) => {
    const recorded = fill(one)
    if (!recorded) return []
    const differences = diffRequests(recorded, request)
    const weights = differences.map(({ path: [part] }) => distances[String(part)] ?? 1)
    return [{ one, differences, far: weights.reduce((sum, weight) => sum + weight, 0) }]
  })
  const [nearest] = candidates.sort((one, other) => one.far - other.far)
  if (!nearest) return null
  const { one, differences } = nearest
  const lines = differences.map((difference) => describeDifference(difference, redactor))
  return {
    step: one.index + 1,
    title: stepTitle(one.step),
    differences: lines.length > 0 ? lines : [explainOrder(one, steps)],
  }
}

const distances: Readonly<Record<string, number>> = { path: 100, method: 10 }

function explainOrder({ count }: TrackedStep, steps: readonly TrackedStep[]): string {
  const next = findNextWrite(steps)
  return count === 0 && next
    ? `order: expected step ${next.index + 1} (${stepTitle(next.step)}) before this request`
    : 'times: expected one such request, got another one. POST /__admin/replay/rewind starts the recording again'
}
