import { type Failure, toApiError } from '../../http/failures.ts'
import { type ApiResponse, bodyText, isOmitted } from '../../http/messages.ts'
import { listReadPolicies, type PolicyReads, TrackedSettings } from '../../policies/by-policy.ts'
import { describeValue, otherValues } from '../../policies/other-values.ts'
import { type PolicyId, type PolicySettings, policies } from '../../policies/policies.ts'
import { isObject, tryParseJson } from '../../utils/json.ts'
import { isSameJson } from '../../world/edit/row-json.ts'
import type { Field } from '../../world/entities/field.ts'
import { plugin } from '../../world/entities/plugin.ts'
import type { JournalPolicy } from './entry.ts'
import { isReplacedByFault } from './explain-response.ts'
import type { JournalRecord } from './journal.ts'
import { type DecisionSource, findRoute, PastRequest, type PastResponse } from './past-request.ts'
import { isFoundEarlier, orderOfCheck, reasonOf } from './reasons.ts'
import { parseRequestBody } from './render-parts.ts'

/** These say only which status a refusal has. They are named if no policy decides that the request is refused. */
const statusPolicies: readonly PolicyId[] = ['keys.missing.status', 'keys.insufficient.status']

/** A policy that decided a response. */
interface Decision {
  readonly id: PolicyId
  /** A setting with which the response would have been another */
  readonly would_be: string | number
}

/** The response to a request under another value of a policy. */
interface Trial extends Decision, PastResponse {}

/**
 * Finds the policies that decided a refusal: with another value of any one of them, `would_be`, the status would have
 * been another. If some values would have accepted the request, only their policies are returned. A value with which an
 * earlier check would have refused the request does not count. The request is answered again under each other value of
 * each policy that was read, in copies of the rows as they were then.
 *
 * @returns an empty list if no policy decided, if a fault did, or if these rows are no longer known
 */
export function findDecisions(record: JournalRecord, source: DecisionSource): Decision[] {
  const { response, requestBody, failure } = record
  if (response.status < 400 || isReplacedByFault(record)) return []
  if (response.status === 413 && isOmitted(requestBody)) {
    return [{ id: 'limits.body', would_be: requestBody.omitted }]
  }
  const trials = tryPolicies(record, source)
  const differing = trials.filter(({ status }) => status !== response.status)
  const accepting = differing.filter(({ status }) => status < 400).sort(bySpeciality)
  const reasons = differing.filter(({ id }) => !statusPolicies.includes(id))
  const others = trials.filter((trial) => failure && trial.failure?.name !== failure.name)
  const groups = [accepting, reasons, differing, others]
  return firstOfEach(groups.find(({ length }) => length > 0) ?? [])
}

/**
 * Finds the policies that made a success possible: with another value of any one of them the request would have been
 * refused, the earliest check first. Then come those that gave it another content than the documented setting does.
 */
export function findPermissions(record: JournalRecord, source: DecisionSource): Decision[] {
  const { response } = record
  if (response.status >= 400 || isReplacedByFault(record)) return []
  const trials = tryPolicies(record, source)
  const isWhole = isWholePlugin(record)
  const permissions = trials
    .filter(isRefused)
    .filter(({ failure }) => !isWhole || !missesField(failure))
    .sort((one, other) => orderOfCheck(one) - orderOfCheck(other))
  // OPTIONS describes what the policies allow.
  const own = record.method === 'OPTIONS' ? null : PastRequest.open(record, source)?.answer()
  const shaping = trials.filter((trial) => {
    const isDocumented = trial.would_be === policies[trial.id].documented
    return own && isDocumented && !isRefused(trial) && !hasSameContent(own, trial, record)
  })
  return firstOfEach([...permissions, ...shaping])
}

/** Finds the policies with another value of which the status, the rows or the fields of a response would be others. */
export function findShaping(record: JournalRecord, source: DecisionSource): PolicyId[] {
  if (isReplacedByFault(record)) return []
  const own = PastRequest.open(record, source)?.answer()
  const shaping = tryPolicies(record, source).filter(
    (trial) => own && (trial.status !== own.status || !hasSameContent(own, trial, record)),
  )
  return [...new Set(shaping.map(({ id }) => id))]
}

/** Answers a request under each other value of each policy that it read. */
function tryPolicies(record: JournalRecord, source: DecisionSource): readonly Trial[] {
  const { settings, response, failure } = record
  const past = PastRequest.open(record, source)
  const own = past?.answer()
  if (!past || own?.status !== response.status) return []
  return otherValues(listUsedPolicies(record), settings).flatMap(({ id, value }) => {
    const trial: Trial = { ...past.answer({ [id]: value }), id, would_be: value }
    const isEarlier =
      failure && isRefused(trial) && isFoundEarlier(trial, { failure, route: own.route })
    return isEarlier ? [] : [trial]
  })
}

function isRefused(trial: Trial): trial is Trial & { failure: Failure } {
  return trial.failure !== undefined
}

/** A policy that is not read under another value of a second one is more special than that: it comes first. */
function bySpeciality(one: Trial, other: Trial): number {
  return Number(other.reads.includes(one.id)) - Number(one.reads.includes(other.id))
}

/** Whether a body has every field that the documentation lists for a plugin, so that none can be missing. */
function isWholePlugin(record: JournalRecord): boolean {
  const body = parseRequestBody(record)
  const writable = Object.values(plugin.fields as Readonly<Record<string, Field>>).filter(
    (field) => field.writable,
  )
  return isObject(body) && writable.every(({ name }) => Object.hasOwn(body, name))
}

function missesField(failure: Failure): boolean {
  return reasonOf(failure).id === 'url.missing' || toApiError(failure).code === 'required'
}

/** Whether two responses have the same rows, the same fields, and the same values in the fields that were sent. */
function hasSameContent(one: ApiResponse, other: ApiResponse, record: JournalRecord): boolean {
  const sent = Object.keys(Object(parseRequestBody(record)))
  const contentOf = ({ body }: ApiResponse): unknown => {
    const value: unknown = tryParseJson(bodyText(body))?.value
    const list = Array.isArray(value) ? value : Object(value).results
    const rows: readonly unknown[] = Array.isArray(list) ? list : [value]
    return [
      Array.isArray(value),
      Object.keys(Object(value)),
      rows.map((row) => Object(row).id ?? row),
      Object.entries(Object(rows[0])).map(([name, inner]) => [name, Object.keys(Object(inner))]),
      sent.map((name) => Object(value)[name]),
    ]
  }
  return isSameJson(contentOf(one), contentOf(other))
}

function firstOfEach(decisions: readonly Decision[]): Decision[] {
  const first = decisions.filter(({ id }, at) => decisions.findIndex((one) => one.id === id) === at)
  return first.map(({ id, would_be }) => ({ id, would_be }))
}

/** Lists the policies that a response depends on, with their settings at the time of the request. */
export function usedPolicies(record: JournalRecord): JournalPolicy[] {
  return listUsedPolicies(record).map((id) => describePolicy(id, record.settings))
}

function listUsedPolicies(record: JournalRecord): readonly PolicyId[] {
  const routingReads = routingPolicies(record)
  return listReadPolicies(record.policyReads?.or(routingReads) ?? routingReads)
}

export function describePolicy(id: PolicyId, settings: PolicySettings): JournalPolicy {
  const setting = settings[id]
  const { evidence, source } = describeValue(id, setting)
  return { id, setting, evidence, source }
}

/**
 * The policies that were read to find the route. They are read again here, since reads cannot be tracked at that time:
 * other requests are handled while a body arrives.
 */
function routingPolicies(record: JournalRecord): PolicyReads {
  const tracker = new TrackedSettings(record.settings)
  findRoute(record, tracker.settings)
  // Reading the property is what tracks it.
  if (record.requestBody !== null) void tracker.settings['limits.body']
  return tracker.takeReads()
}
