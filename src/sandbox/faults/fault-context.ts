import type { World } from '../../api/endpoints.ts'
import { answer } from '../../http/answer.ts'
import type { EndpointContext } from '../../http/endpoint.ts'
import type { ApiResponse } from '../../http/messages.ts'
import { forkTables, type Tables } from '../../world/table/tables.ts'
import type { FaultContext, RoutedRequest } from '../hooks.ts'
import type { Sandbox } from '../sandbox.ts'

interface RequestExecution {
  /** Runs the endpoint as if there were no fault. */
  readonly runEndpoint: () => ApiResponse
  /** Runs a function and attributes its policy reads to the request in the journal. */
  readonly attribute: (run: () => ApiResponse) => ApiResponse
}

/** Creates the ways in which a fault can respond to a request. Each goes through the pipeline of the service. */
export function createFaultContext(
  { route, request }: RoutedRequest,
  sandbox: Sandbox,
  { runEndpoint, attribute }: RequestExecution,
): FaultContext {
  return {
    request,
    runEndpoint,
    reject(failure) {
      const authorize = (): never => {
        throw failure
      }
      return attribute(() => answer(route, request, sandbox, authorize) as ApiResponse)
    },
    respondFrom: (tables) =>
      attribute(() => answer(route, request, withTables(sandbox, tables)) as ApiResponse),
  }
}

/** A context that reads other rows. Keys, projects and policies are the current ones. */
function withTables(sandbox: Sandbox, tables: Tables): EndpointContext<World> {
  const { settings, directory, report } = sandbox
  const copy = sandbox.fork({ ...sandbox.loaded, tables: forkTables(tables) })
  // The policies that the copy reads are tracked for this request.
  copy.policyTracker = sandbox.policyTracker
  return {
    settings,
    directory,
    world: copy.world,
    throttle: (key) => sandbox.throttle(key),
    report,
  }
}
