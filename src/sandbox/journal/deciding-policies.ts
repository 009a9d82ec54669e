import { isOmitted } from '../../http/messages.ts'
import { listReadPolicies, type PolicyReads, TrackedSettings } from '../../policies/by-policy.ts'
import { describeValue, otherValues } from '../../policies/other-values.ts'
import type { PolicyId, PolicySettings } from '../../policies/policies.ts'
import type { JournalPolicy } from './entry.ts'
import { isReplacedByFault } from './explain-response.ts'
import type { JournalRecord } from './journal.ts'
import { type DecisionSource, findRoute, PastRequest } from './past-request.ts'
import { isFoundEarlier } from './reasons.ts'

/** These say only which status a refusal has. They are named if no policy decides that the request is refused. */
const statusPolicies: readonly PolicyId[] = ['keys.missing.status', 'keys.insufficient.status']

/** A policy that decided the status of a response. */
interface Decision {
  readonly id: PolicyId
  /** A setting with which the status would have been another */
  readonly would_be: string | number
}

/**
 * Finds the policies that decided a refusal: with another value of any one of them, `would_be`, the status would have
 * been another. If some values would have accepted the request, only their policies are returned. A value with which an
 * earlier check would have refused the request does not count. The request is answered again under each other value of
 * each policy that was read, in copies of the rows as they were then.
 *
 * @returns an empty list if no policy decided, if a fault did, or if these rows are no longer known
 */
export function findDecisions(record: JournalRecord, source: DecisionSource): Decision[] {
  const { response, requestBody } = record
  if (response.status < 400 || isReplacedByFault(record)) return []
  if (response.status === 413 && isOmitted(requestBody)) {
    return [{ id: 'limits.body', would_be: requestBody.omitted }]
  }
  const differing = tryPolicies(record, source)
  const accepting = differing.filter(({ status }) => status < 400)
  const reasons = differing.filter(({ id }) => !statusPolicies.includes(id))
  return firstOfEach([accepting, reasons].find(({ length }) => length > 0) ?? differing)
}

/** Finds the policies without whose settings a request would have been refused that succeeded. */
export function findPermissions(record: JournalRecord, source: DecisionSource): Decision[] {
  if (record.response.status >= 400 || isReplacedByFault(record)) return []
  return firstOfEach(tryPolicies(record, source).filter(({ status }) => status >= 400))
}

/** Answers a request under each other value of each policy that it read. @returns those with which the status differs */
function tryPolicies(
  record: JournalRecord,
  source: DecisionSource,
): readonly (Decision & { readonly status: number })[] {
  const { settings, response } = record
  const past = PastRequest.open(record, source)
  if (!past || past.answer().status !== response.status) return []
  return otherValues(listUsedPolicies(record), settings).flatMap(({ id, value }) => {
    const { status, failure } = past.answer({ [id]: value })
    const isEarlier = failure && record.failure && isFoundEarlier(failure, record.failure)
    return status === response.status || isEarlier ? [] : [{ id, would_be: value, status }]
  })
}

function firstOfEach<D extends Decision>(decisions: readonly D[]): D[] {
  return decisions.filter(({ id }, at) => decisions.findIndex((one) => one.id === id) === at)
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
