import { endpoints } from '../../api/endpoints.ts'
import { mutablePaths, responseShape } from '../../sandbox/faults/mutants.ts'
import {
  type FaultEffect,
  type MutantKind,
  type Mutation,
  mutationOf,
} from '../../sandbox/faults/rule.ts'
import { describeAppliedFault } from '../../sandbox/journal/explain-response.ts'
import type { JournalRecord } from '../../sandbox/journal/journal.ts'
import type { DecisionSource } from '../../sandbox/journal/past-request.ts'
import type { Reason } from './response-reasons.ts'

/** The reason of what a fault did, or of what was done by hand at a breakpoint. */
export function faultReason(record: JournalRecord, source: DecisionSource): Reason {
  const { fault, breakpoint } = record
  const sentence = fault
    ? `${describeAppliedFault(record, fault, source)}.`
    : 'The connection broke.'
  const isByHand = breakpoint !== undefined && breakpoint.id === fault?.id
  const by = `a ${isByHand ? 'breakpoint' : 'fault rule'} of this simulator`
  return { id: `fault.${fault?.id}`, sentence, evidence: 'assumed', source: by, documentation: [] }
}

function findMutation({ fault }: JournalRecord): Mutation | undefined {
  return fault?.effects.includes('mutate') ? mutationOf(fault.effect as FaultEffect) : undefined
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
