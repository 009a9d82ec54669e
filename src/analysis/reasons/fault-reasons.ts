import { endpoints } from '../../api/endpoints.ts'
import { bodyText } from '../../http/messages.ts'
import { mutablePaths, responseShape } from '../../sandbox/faults/mutants.ts'
import {
  type FaultEffect,
  type MutantKind,
  type Mutation,
  mutationOf,
} from '../../sandbox/faults/rule.ts'
import { describeAppliedFault } from '../../sandbox/journal/explain-response.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import { type DecisionSource, PastRequest } from '../../sandbox/journal/past-request.ts'
import type { Reason } from './response-reasons.ts'

/** The reason of what a fault did, or of what was done by hand at a breakpoint. */
export function faultReason(record: JournalRecord): Reason {
  const { fault, breakpoint } = record
  const sentence = fault ? `${describeAppliedFault(record, fault)}.` : 'The connection broke.'
  const isByHand = breakpoint !== undefined && breakpoint.id === fault?.id
  const source = `a ${isByHand ? 'breakpoint' : 'fault rule'} of this simulator`
  return { id: `fault.${fault?.id}`, sentence, evidence: 'assumed', source, documentation: [] }
}

/** Whether a fault changed a successful response. */
export function isMutatedResponse(record: JournalRecord): boolean {
  return findMutation(record) !== undefined
}

/** Whether a read returned other rows than those of its time. */
export function isStale(record: JournalRecord, source: DecisionSource): boolean {
  if (!(record.fault?.effect as FaultEffect | undefined)?.stale) return false
  const fresh = PastRequest.open(record, source)?.answer()
  return fresh !== undefined && bodyText(fresh.body) !== bodyText(record.response.body)
}

function findMutation({ fault, response }: JournalRecord): Mutation | undefined {
  return response.status < 300 ? mutationOf((fault?.effect ?? {}) as FaultEffect) : undefined
}

/** The fields that a change of the whole body is about. */
const mutatedFields: Partial<Record<MutantKind, readonly string[]>> = {
  empty_page: ['next', 'results'],
  large_id: ['id'],
  next_parameters: ['next'],
}

/** Whether a fault changed a field. @param name the path of the field, such as `results.0.content` */
export function isMutated(name: string, record: JournalRecord): boolean {
  const { kind, field } = findMutation(record) ?? {}
  const endpoint = endpoints.find(({ id }) => id === record.operation)
  if (!kind || !endpoint) return false
  const path = name.replace(/^(?:results\.)?\d+\./, '')
  const paths = mutablePaths(kind, endpoint, responseShape(endpoint, record.settings))
  const isField = kind !== 'extra_field' && paths.includes(path) && (field ?? path) === path
  return isField || (paths.length > 0 && mutatedFields[kind]?.includes(name) === true)
}
