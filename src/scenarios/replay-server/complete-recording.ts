import { failureResponse } from '../../http/failure-response.ts'
import { Failure, failureFormats } from '../../http/failures.ts'
import { bodyText, sentHeaders } from '../../http/messages.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { matchesStatus, type StatusFilter } from '../../simulator/journal/filter.ts'
import type { Service } from '../../simulator/service.ts'
import type { Issue } from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import { randomText } from '../../utils/seeded-random.ts'
import { findKeyIssues, type ParsedScenario, replayError } from '../format/check-scenario.ts'
import { diffWithMatchers } from '../format/compare.ts'
import { type ExpectedResponse, isRequestStep, type RequestStep } from '../format/scenario.ts'
import { fillValue, type SavedValues, toSpecialValue } from '../format/values.ts'
import { isReplacedKey } from '../recording/key-names.ts'
import { formatDifference } from '../run/differences.ts'
import { compareResponse, parseTextBody, runStep } from '../run/run-steps.ts'
import { createLocalTarget } from '../run/simulator-target.ts'
import type { ReceivedResponse, Target } from '../run/target.ts'

/** The base URL while a recording is completed. In responses it is replaced by that of the client. */
export const placeholderOrigin = 'http://recording.invalid'

export interface CompletedRecording {
  /** By the index of the step */
  readonly responses: ReadonlyMap<number, ReceivedResponse>
  readonly saved: ReadonlyMap<string, unknown>
  /** The labels of keys by their values, including keys that steps added */
  readonly labels: ReadonlyMap<string, string>
  /** The labels of the keys that only the recorded service knows */
  readonly hiddenKeys: ReadonlySet<string>
  /** Why requests cannot be answered, by the indexes of their steps */
  readonly leftOut: ReadonlyMap<number, readonly Issue[]>
}

/**
 * Completes the responses of a recording by running it in a simulator. Recorded values take precedence over simulated
 * ones. Saved values come from the completed responses. A request whose response cannot be completed is left out.
 *
 * @throws UsageError if every request is left out, and for an invalid change
 */
export async function completeRecording(
  scenario: ParsedScenario,
  simulator: Service,
): Promise<CompletedRecording> {
  const hiddenKeys = issueHiddenKeys(scenario, simulator)
  const target = await createLocalTarget(simulator, placeholderOrigin)
  const issues = findKeyIssues(scenario.steps, target.labels())
  if (issues.length > 0) throw replayError(issues)
  const saved = new Map<string, unknown>([['base_url', placeholderOrigin]])
  const responses = new Map<number, ReceivedResponse>()
  const labels = new Map<string, string>()
  const collectLabels = (): void => {
    for (const { value, label } of simulator.keys.list()) labels.set(value, label)
  }
  collectLabels()
  const leftOut = new Map<number, readonly Issue[]>()
  const createPlaceholder = placeholderFactory(scenario.seed ?? 1, () => simulator.clock.iso())
  for (const [index, step] of scenario.steps.entries()) {
    const completingTarget: Target = {
      ...target,
      async send(sent) {
        const { expect } = step as RequestStep
        const simulated = await target.send(sent)
        const response = completeResponse(expect, simulated, saved, createPlaceholder)
        responses.set(index, response)
        return response
      },
    }
    const { outcome, differences } = await runStep(
      step,
      index,
      isRequestStep(step) ? completingTarget : target,
      saved,
      leftOut.size === 0,
    )
    if (!isRequestStep(step)) collectLabels()
    if (outcome === 'passed') continue
    const issues = differences.map((difference): Issue => {
      const { path, where } = difference
      const { expected, got } = formatDifference(difference)
      const place = path.length > 0 ? path : [where.replace(/^step\./, '')]
      return { path: ['steps', index, ...place], text: `expected ${expected}, got ${got}` }
    })
    // Later requests depend on a change.
    if (!isRequestStep(step)) throw replayError(issues)
    responses.delete(index)
    leftOut.set(index, issues)
  }
  if (responses.size === 0 && leftOut.size > 0) throw replayError([...leftOut.values()].flat())
  return { responses, saved, labels, hiddenKeys, leftOut }
}

/**
 * Finds the labels of the keys whose values the recording has replaced. Issues a key for each label that the recorder
 * gave to an unknown key, so that the recording can be completed.
 */
function issueHiddenKeys({ steps }: ParsedScenario, { keys, world }: Service): Set<string> {
  const known = keys.list()
  const labels = steps.flatMap((step) => (isRequestStep(step) && step.as) || [])
  const unknown = new Set(
    labels.filter((label) => /^key-\d+$/.test(label) && !known.some((key) => key.label === label)),
  )
  // The key of a world without users cannot be issued. Such a recording is refused.
  if (world.users.count > 0) for (const label of unknown) keys.issue({ label })
  const replaced = known.filter(({ value }) => isReplacedKey(value))
  return new Set([...unknown, ...replaced.map(({ label }) => label)])
}

export function matchesRecording(
  expected: ExpectedResponse | undefined,
  simulated: ReceivedResponse,
  saved: SavedValues,
): boolean {
  if (!expected) return true
  return compareResponse(expected, simulated, parseTextBody(simulated.text), saved).length === 0
}

/** Whether a response has the recorded status, so that its values can complete the recorded ones. */
export function hasExpectedStatus(
  { status }: ExpectedResponse,
  simulated: ReceivedResponse,
): boolean {
  return !simulated.broken && (status === undefined || matchesStatus(simulated.status, status))
}

/** Completes a recorded response with values of a simulated one. Recorded values take precedence. */
export function completeResponse(
  expected: ExpectedResponse | undefined,
  simulated: ReceivedResponse,
  saved: SavedValues,
  createPlaceholder: CreatePlaceholder,
): ReceivedResponse {
  if (expected === undefined || matchesRecording(expected, simulated, saved)) return simulated
  if (expected.broken) return { status: 0, headers: new Headers(), text: '', broken: true }
  const base = hasExpectedStatus(expected, simulated)
    ? simulated
    : fallbackResponse(expected.status)
  const complete = (recorded: unknown, value: unknown, isExact = false): unknown =>
    completeValue(fillValue(recorded, saved), value, isExact, createPlaceholder)
  const headers = new Headers(base.headers)
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    const completed = value === null ? undefined : complete(value, headers.get(name) ?? undefined)
    if (completed === undefined) headers.delete(name)
    else headers.set(name, String(completed))
  }
  const { status, broken } = base
  const text = completeText(expected, base, complete)
  if (text !== '' && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return { status, headers, text, broken }
}

/** Creates a response with the recorded status: an error of the service, or a response without a body. */
function fallbackResponse(recordedStatus: StatusFilter = 200): ReceivedResponse {
  const status = Number(String(recordedStatus).replace(/xx$/i, '00'))
  const failure = Object.entries(failureFormats).find(([, format]) => format.status === status)
  if (!failure) return { status, headers: new Headers(), text: '', broken: false }
  const response = failureResponse(
    new Failure(failure[0] as keyof typeof failureFormats),
    resolveSettings(),
  )
  const headers = new Headers(sentHeaders(response))
  return { status, headers, text: bodyText(response.body), broken: false }
}

function completeText(
  expected: ExpectedResponse,
  base: ReceivedResponse,
  complete: (recorded: unknown, simulated: unknown, isExact?: boolean) => unknown,
): string {
  if (expected.text !== undefined) return String(complete(expected.text, undefined))
  const part = 'exact_body' in expected ? 'exact_body' : 'body'
  if (!(part in expected)) return base.text
  const value = complete(expected[part], parseTextBody(base.text), part === 'exact_body')
  if (value === undefined) return ''
  const isJson = /json/.test(base.headers.get('content-type') ?? 'json')
  return typeof value === 'string' && !isJson ? value : JSON.stringify(value)
}

/** Completes a recorded value with a simulated one: fields that are not recorded, and values of matchers. */
function completeValue(
  recorded: unknown,
  simulated: unknown,
  isExact: boolean,
  createPlaceholder: CreatePlaceholder,
): unknown {
  const complete = (inner: unknown, value: unknown): unknown =>
    completeValue(inner, value, isExact, createPlaceholder)
  const special = toSpecialValue(recorded)
  if (special?.keyword === '$literal') return special.value
  if (special) {
    if (diffWithMatchers(recorded, simulated, isExact).length === 0) return simulated
    return special.keyword === '$match' ? createPlaceholder(String(special.value)) : simulated
  }
  if (Array.isArray(recorded)) {
    const items: readonly unknown[] = Array.isArray(simulated) ? simulated : []
    return recorded.map((item, index) => {
      const isSame = (other: unknown) => diffWithMatchers(item, other, false).length === 0
      const match = items.length === recorded.length ? undefined : items.find(isSame)
      return complete(item, match ?? items[index])
    })
  }
  if (!isObject(recorded)) return recorded
  const base = isObject(simulated) ? simulated : {}
  const fields = Object.entries(recorded).map(([name, inner]): [string, unknown] => [
    name,
    complete(inner, Object.hasOwn(base, name) ? base[name] : undefined),
  ])
  const entries = new Map(isExact ? fields : [...Object.entries(base), ...fields])
  return Object.fromEntries([...entries].filter(([, value]) => value !== undefined))
}

type CreatePlaceholder = (matcher: string) => unknown

/** Above the ids of the rows of a world. */
const firstId = 1_000_001

/** Creates values for the matchers of `{ "$match": … }`. They are the same in each run. */
function placeholderFactory(seed: number, now: () => string): CreatePlaceholder {
  let count = 0
  return (matcher) => {
    count += 1
    const values: Readonly<Record<string, unknown>> = {
      any: null,
      id: firstId + count,
      uuid: createUuid(seed, count),
      time: now(),
      text: `Text ${count}`,
      number: count,
      boolean: false,
      list: [],
      object: {},
    }
    return values[matcher]
  }
}

function createUuid(seed: number, count: number): string {
  const digits = [...randomText(seed, count, 32)]
    .map((letter) => (letter.charCodeAt(0) % 16).toString(16))
    .join('')
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')
}
