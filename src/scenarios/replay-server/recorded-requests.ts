import { escapeRegExp } from '../../utils/escape.ts'
import { isRequestStep, type RequestStep, type Scenario } from '../format/scenario.ts'

/** A request of a recording, and how often it was answered. */
export interface TrackedRequest {
  /** The index of its step */
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

/** The requests of a recording in order, none of them answered yet. */
export function toTrackedRequests({ steps }: Scenario): TrackedRequest[] {
  return steps.flatMap((step, index) =>
    isRequestStep(step)
      ? [{ index, step, isWrite: !['GET', 'HEAD', 'OPTIONS'].includes(step.method), count: 0 }]
      : [],
  )
}

/** Whether a path matches that of a step, with any saved values. */
export function hasPathOfStep({ path: template }: RequestStep, path: string): boolean {
  const [pattern = ''] = template.split('?')
  // A saved URL leads to a path of the API, which the simulator knows.
  if (!pattern.startsWith('/')) return false
  const parts = pattern.replace(/\/$/, '').split(/\{\w+\}/)
  const source = parts.map(escapeRegExp).join('[^/]+')
  return new RegExp(`^${source}/?$`).test(path)
}

/** How many requests two versions of a recording differ in. */
export interface RecordingChanges {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/**
 * Copies the progress of a replay to the next version of its recording. Equal requests are matched in order. A read
 * with a changed response can be answered again.
 */
export function carryProgressOver(
  former: readonly TrackedRequest[],
  next: readonly TrackedRequest[],
): RecordingChanges {
  const remaining = [...former]
  let [added, changed] = [0, 0]
  for (const request of next) {
    const at = remaining.findIndex(
      ({ step }) => serializeRequest(step) === serializeRequest(request.step),
    )
    const [previous] = at < 0 ? [] : remaining.splice(at, 1)
    const isSame = previous && JSON.stringify(previous.step) === JSON.stringify(request.step)
    if (!previous) added += 1
    else if (!isSame) changed += 1
    if (previous && (isSame || request.isWrite)) request.count = previous.count
  }
  return { added, changed, removed: remaining.length }
}

/** The values that answered requests have saved. The next version of a recording needs them. */
export function retainSaved(
  recorded: readonly TrackedRequest[],
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
