import { isOmitted } from '../../http/messages.ts'
import { type PolicyId, type PolicySettings, policies } from '../../policies/policies.ts'
import type { PolicyValue } from '../../policies/policy.ts'
import type { PolicyOverrides } from '../../policies/settings.ts'
import {
  listReadPolicies,
  type PolicyReads,
  TrackedSettings,
} from '../../policies/tracked-settings.ts'
import type { JournalPolicy } from './entry.ts'
import { parseFailure, tellingPolicies } from './explain-response.ts'
import { type DecisionSource, findRoute, PastRequest } from './past-request.ts'
import type { JournalRecord } from './record.ts'

/** These say only which status a refusal has. They are named if no policy decides that the request is refused. */
const statusPolicies: readonly PolicyId[] = ['keys.missing.status', 'keys.insufficient.status']

/**
 * Finds the policies that decided a refusal: with another value of any one of them, `would_be`, the status would have
 * been another. If some values would have accepted the request, only their policies are returned. A value with which an
 * earlier check would have refused the request does not count. The request is answered again under each other value of
 * each policy that was read, in copies of the rows as they were then.
 *
 * @returns an empty list if no policy decided, if a fault did, or if these rows are no longer known
 */
export function findDecisions(
  record: JournalRecord,
  source: DecisionSource,
): readonly { readonly id: PolicyId; readonly would_be: string | number }[] {
  const { settings, response, fault, requestBody } = record
  if (response.status < 400 || fault) return []
  if (response.status === 413 && isOmitted(requestBody)) {
    return [{ id: 'limits.body', would_be: requestBody.omitted }]
  }
  const past = PastRequest.open(record, source)
  if (past?.answer().status !== response.status) return []
  const place = findCheck(past)
  const differing = past.readPolicies.flatMap((id: PolicyId) =>
    Object.keys(policies[id].values)
      .filter((value) => value !== 'integer' && value !== settings[id])
      .map((would_be) => ({ id, would_be, status: past.answer({ [id]: would_be }).status }))
      .filter(({ status }) => status !== response.status)
      .filter(
        ({ id, would_be, status }) => status < 400 || findCheck(past, { [id]: would_be }) >= place,
      ),
  )
  const accepting = differing.filter(({ status }) => status < 400)
  const reasons = differing.filter(({ id }) => !statusPolicies.includes(id))
  const found = [accepting, reasons].find(({ length }) => length > 0) ?? differing
  return found.filter(({ id }, index) => found.findIndex((first) => first.id === id) === index)
}

const syntax = ['request_too_large', 'unsupported_media_type', 'parse_error']

/** The failures of the checks, in their order: before the scope is read, then up to the project, then after it. */
const checks: readonly (readonly string[])[] = [
  ['not_acceptable', 'not_found', ...syntax],
  ['permission_denied', ...syntax, 'not_found'],
  ['permission_denied', 'method_not_allowed', 'not_found'],
]

/** Finds which check refuses a request under other policies, as a number that grows with the order of the checks. */
function findCheck(past: PastRequest, change: PolicyOverrides = {}): number {
  const telling = { ...change, ...tellingPolicies }
  const code = parseFailure(past.answer(telling).text)?.code
  if (code === undefined) return -1
  let part = 0
  past.answer(telling, (route) => {
    const { checkPermission: _, find: __, scope, ...endpoint } = route.endpoint
    const probe = {
      ...endpoint,
      ...{ params: {}, query: {}, body: null },
      get scope() {
        part = 1
        return scope
      },
      handle() {
        part = 2
      },
    }
    return { ...route, endpoint: probe }
  })
  const codes = checks[part] as readonly string[]
  const index = codes.indexOf(code)
  return part * 10 + (index < 0 ? codes.length : index)
}

/** Lists the policies that a response depends on, with their settings at the time of the request. */
export function usedPolicies(record: JournalRecord): JournalPolicy[] {
  const { policyReads, settings } = record
  const routingReads = routingPolicies(record)
  return listReadPolicies(policyReads?.or(routingReads) ?? routingReads).map((id) =>
    describePolicy(id, settings),
  )
}

export function describePolicy(id: PolicyId, settings: PolicySettings): JournalPolicy {
  const setting = settings[id]
  const values: Readonly<Record<string, PolicyValue>> = policies[id].values
  const { evidence, source } = (values[setting] ?? values.integer) as PolicyValue
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
