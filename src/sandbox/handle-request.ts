import type { World } from '../api/endpoints.ts'
import { answer } from '../http/answer.ts'
import { isMultipart, multipartToForm } from '../http/body.ts'
import type { ApiRequest, ApiResponse } from '../http/messages.ts'
import type { ResolvedRoute } from '../http/route.ts'
import { directEdit } from './history/history.ts'
import type { FaultHook, RoutedRequest } from './hooks.ts'
import { PendingRecord } from './journal/record.ts'
import type { ExplainResponse, Sandbox } from './sandbox.ts'

/**
 * Handles a request in a sandbox: applies faults, runs the endpoint, lets second actors write, and adds the request to
 * the journal. It never throws: errors become responses.
 */
export function handleRequest(
  route: ResolvedRoute<World>,
  request: ApiRequest,
  sandbox: Sandbox,
  explain: ExplainResponse | null = null,
): ApiResponse | Promise<ApiResponse> {
  if (isMultipart(request, sandbox.settings)) {
    return multipartToForm(request).then((form) =>
      handleParsed({ route, request: form }, sandbox, explain),
    )
  }
  return handleParsed({ route, request }, sandbox, explain)
}

function handleParsed(
  routed: RoutedRequest,
  sandbox: Sandbox,
  explain: ExplainResponse | null,
): ApiResponse | Promise<ApiResponse> {
  const { route, request } = routed
  const { journal, faults } = sandbox
  const record = new PendingRecord(journal.nextId(), route.endpoint.id, request, sandbox)
  const start = performance.now()
  const response = faults
    ? runWithFaults(faults, routed, sandbox, record)
    : runEndpoint(routed, sandbox, record)
  const addToJournal = (completed: ApiResponse) => {
    journal.add(record.complete(request, completed, performance.now() - start))
    return explain ? explain(completed, record, sandbox) : completed
  }
  return response instanceof Promise ? response.then(addToJournal) : addToJournal(response)
}

/** Runs the endpoint, then lets second actors write. */
function runEndpoint(routed: RoutedRequest, sandbox: Sandbox, record: PendingRecord): ApiResponse {
  const { route, request } = routed
  const response = attribute(() => answer(route, request, sandbox) as ApiResponse, sandbox, record)
  sandbox.actors?.afterRequest(routed)
  return response
}

/** Runs the endpoint through the fault that matches the request, if one does. */
function runWithFaults(
  faults: FaultHook,
  routed: RoutedRequest,
  sandbox: Sandbox,
  record: PendingRecord,
): ApiResponse | Promise<ApiResponse> {
  const fault = faults.match(routed)
  if (!fault) return runEndpoint(routed, sandbox, record)
  record.fault = fault
  const { route, request } = routed
  return fault.apply({
    request,
    runEndpoint: () => runEndpoint(routed, sandbox, record),
    respond: (context = sandbox, authorize) =>
      attribute(() => answer(route, request, context, authorize) as ApiResponse, sandbox, record),
  })
}

/** Attributes policy reads and writes to this request. Other requests may have run while a fault delayed it. */
function attribute(run: () => ApiResponse, sandbox: Sandbox, record: PendingRecord): ApiResponse {
  const { policyTracker, history } = sandbox
  policyTracker.takeReads()
  history.cause = { entry: record.id }
  const { count } = history
  const response = run()
  history.cause = directEdit
  record.attach(response, policyTracker, history.writesSince(count))
  return response
}
