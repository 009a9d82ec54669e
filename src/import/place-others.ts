import type { ClientRequest } from '../mistakes/client-request.ts'
import type { TestExpectation } from '../scenarios/format/scenario.ts'
import type { FaultRule } from '../simulator/faults/fault.ts'
import type { FaultRequest } from '../simulator/faults/schema.ts'
import type { RowEdit } from '../world/edit/edit-rows.ts'
import { queryOf } from './failures.ts'

/** What a test expects, and the first request that breaks it. */
export interface Unmet {
  readonly request: ClientRequest
  readonly expectation: TestExpectation
  /** Whether it undid a change of others */
  readonly isUndone?: boolean
}

/** Lets others act right before the page that shows it, and before the client undoes it. */
export function placeOthers(
  faults: readonly FaultRequest[],
  requests: readonly ClientRequest[],
  unmet: readonly Unmet[],
): readonly FaultRequest[] {
  const undoing = unmet.filter(({ isUndone }) => isUndone).map(({ request }) => request)
  return faults.flatMap((fault) => {
    const met = isEditing(fault) ? metBy(fault, requests) : undefined
    if (!met) return [fault]
    const { phase = 'after-commit', effect } = fault as FaultRule
    const editsOf = ({ row }: ClientRequest) =>
      (effect.edit ?? []).filter((edit) => isOfRow(edit, row?.id))
    const write = undoing.find((request) => editsOf(request).length > 0)
    if (write) {
      const edit = editsOf(write)
      const rest = { ...addressOf(write, requests), method: ['PATCH', 'PUT'] } as const
      const late: FaultRule = { ...rest, phase: 'before', effect: { edit } }
      return met === write ? [late] : [{ ...addressOf(met, requests), phase, effect }, late]
    }
    const next = requests[requests.indexOf(met) + 1]
    const isBetween = phase === 'after-commit' && met.page && next?.page
    return isBetween && next.path === met.path && next.address !== met.address
      ? [{ ...addressOf(next, requests), phase: 'before', effect }]
      : [fault]
  })
}

export function isEditing(fault: FaultRequest): fault is FaultRule {
  return 'effect' in fault && fault.effect.edit !== undefined
}

function isOfRow(edit: RowEdit, id: number | undefined) {
  return (
    'update' in edit &&
    Object.values(edit.update).some((rows) => rows.some((row) => Object(row).id === id))
  )
}

function metBy({ operation, when }: FaultRule, requests: readonly ClientRequest[]) {
  const isOf = ({ record }: ClientRequest) =>
    [operation].flat().some((id) => id === record.operation)
  return requests.filter(isOf)[when?.skip ?? 0]
}

/** A pattern of a request: earlier ones to the same address are skipped. */
function addressOf(request: ClientRequest, requests: readonly ClientRequest[]) {
  const method = request.record.method as 'GET'
  const skip = requests
    .slice(0, requests.indexOf(request))
    .filter(({ address, record }) => address === request.address && record.method === method).length
  const when = { ...(skip > 0 && { skip }), times: 1 }
  return { method, path: request.sentPath, ...queryOf(request), when }
}
