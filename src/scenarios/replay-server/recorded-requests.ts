import { escapeRegExp } from '../../utils/escape.ts'
import { isRequestStep, type RequestStep, type Scenario } from '../format/scenario.ts'

/** A request of a recording, and how often it was asked. */
export interface TrackedRequest {
  /** The position of its step */
  readonly index: number
  readonly step: RequestStep
  /** Whether it may change what later requests are answered */
  readonly isWrite: boolean
  asked: number
}

/** A request of a recording, as its progress shows it. */
export interface RecordedRequest {
  /** Counted from 1 */
  readonly step: number
  readonly title: string
  readonly method: string
  /** As it stands in the recording, with the names of saved values */
  readonly path: string
  /** How often it was asked and answered */
  readonly asked: number
}

/** The requests of a recording, in order. */
export function toTrackedRequests({ steps }: Scenario): TrackedRequest[] {
  return steps.flatMap((step, index) =>
    isRequestStep(step)
      ? [{ index, step, isWrite: !['GET', 'HEAD', 'OPTIONS'].includes(step.method), asked: 0 }]
      : [],
  )
}

/** A recorded request, to be shown. */
export function toRecordedRequest({ index, step, asked }: TrackedRequest): RecordedRequest {
  const { method, path } = step
  return { step: index + 1, title: requestTitle(step), method, path, asked }
}

/** What a step is called: its title, else what it asks. */
export function requestTitle({ title, method, path }: RequestStep): string {
  return title ?? `${method} ${path}`
}

/** Whether a path can be that of a step, whatever the values of the names in it. */
export function hasPathOfStep({ path }: RequestStep, asked: string): boolean {
  const [template = ''] = path.split('?')
  // A saved address leads to a path of the API, which is known without it.
  if (!template.startsWith('/')) return false
  const parts = template.replace(/\/$/, '').split(/\{\w+\}/)
  const source = parts.map(escapeRegExp).join('[^/]+')
  return new RegExp(`^${source}/?$`).test(asked)
}

/** How many requests of a recording came, changed and went. */
export interface RecordingChanges {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

/**
 * Has requests of the next version of a recording count as asked that were asked in the former one: those that ask
 * for the same, in order. A read that is answered otherwise can be asked again.
 */
export function carryProgressOver(
  former: readonly TrackedRequest[],
  next: readonly TrackedRequest[],
): RecordingChanges {
  const left = [...former]
  let [added, changed] = [0, 0]
  for (const one of next) {
    const at = left.findIndex(({ step }) => serializeRequest(step) === serializeRequest(one.step))
    const [found] = at < 0 ? [] : left.splice(at, 1)
    const isSame = found && JSON.stringify(found.step) === JSON.stringify(one.step)
    if (!found) added += 1
    else if (!isSame) changed += 1
    if (found && (isSame || one.isWrite)) one.asked = found.asked
  }
  return { added, changed, removed: left.length }
}

/** Of what was saved, that by the requests that were asked: the next version goes on with it. */
export function retainSaved(
  recorded: readonly TrackedRequest[],
  saved: ReadonlyMap<string, unknown>,
): Map<string, unknown> {
  const names = recorded.flatMap(({ asked, step }) =>
    asked > 0 ? Object.keys(step.save ?? {}) : [],
  )
  return new Map([...saved].filter(([name]) => names.includes(name)))
}

function serializeRequest({ title: _, expect: __, save: ___, ...request }: RequestStep): string {
  return JSON.stringify(Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1)))
}
