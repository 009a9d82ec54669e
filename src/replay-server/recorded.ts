import { escapeRegExp } from '../escape-reg-exp.ts'
import { isRequestStep, type RequestStep, type Scenario } from '../scenarios/scenario.ts'

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
