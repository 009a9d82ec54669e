import type { World } from '../api/endpoints.ts'
import { answer } from '../http/answer.ts'
import { isMultipart, multipartToForm } from '../http/body.ts'
import type { ApiRequest, ApiResponse } from '../http/messages.ts'
import type { EndpointRoute } from '../http/route.ts'
import { createFaultContext } from './faults/fault-context.ts'
import { directEdit } from './history/history.ts'
import { createPendingRecord, type PendingRecord } from './journal/record.ts'
import type { Sandbox } from './sandbox.ts'

type Params = Readonly<Record<string, string>>

/** A request that was led to its endpoint. */
interface Asked {
  readonly route: EndpointRoute<World>
  readonly params: Params
  readonly call: ApiRequest
}

/**
 * Answers a request in a sandbox: disturbed by its faults, written into its journal, and followed by its second
 * actors. It never throws.
 */
export function handleRequest(
  route: EndpointRoute<World>,
  params: Params,
  call: ApiRequest,
  sandbox: Sandbox,
): ApiResponse | Promise<ApiResponse> {
  if (isMultipart(call, sandbox.settings)) {
    return multipartToForm(call).then((form) => play({ route, params, call: form }, sandbox))
  }
  return play({ route, params, call }, sandbox)
}

function play(asked: Asked, sandbox: Sandbox): ApiResponse | Promise<ApiResponse> {
  const { route, call } = asked
  const { journal, faults } = sandbox
  const draft = createPendingRecord(journal.nextId(), route.endpoint.id, call, sandbox)
  const began = performance.now()
  const given = faults.isEmpty ? commit(asked, sandbox, draft) : disturb(asked, sandbox, draft)
  const keep = (known: ApiResponse) => {
    journal.add(draft.complete(call, known, performance.now() - began))
    return known
  }
  return given instanceof Promise ? given.then(keep) : keep(given)
}

/** Carries a request out. */
function commit(asked: Asked, sandbox: Sandbox, draft: PendingRecord): ApiResponse {
  const { route, params, call } = asked
  const { actors } = sandbox
  const count = begin(sandbox, draft)
  const given = answer(route, params, call, sandbox) as ApiResponse
  end(sandbox, draft, count)
  if (!actors.isEmpty) actors.afterRequest(asked)
  return given
}

/** Asks the faults first. */
function disturb(
  asked: Asked,
  sandbox: Sandbox,
  draft: PendingRecord,
): ApiResponse | Promise<ApiResponse> {
  const fault = sandbox.faults.match(asked)
  if (!fault) return commit(asked, sandbox, draft)
  draft.fault = fault
  const observe = (give: () => ApiResponse): ApiResponse => {
    const count = begin(sandbox, draft)
    const given = give()
    end(sandbox, draft, count)
    return given
  }
  return fault.apply(
    createFaultContext(asked, { sandbox, observe, commit: () => commit(asked, sandbox, draft) }),
  )
}

/** From here on reads of policies and writes are those of a request: while a fault waited, others came. */
function begin({ noted, history }: Sandbox, { id }: PendingRecord): number {
  noted.takeReads()
  history.cause = { entry: id }
  return history.count
}

/** Notes what it read and wrote. */
function end({ noted, history }: Sandbox, draft: PendingRecord, count: number): void {
  history.cause = directEdit
  draft.attach(noted, history.since(count))
}
