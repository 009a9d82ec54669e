import type { World } from '../../api/endpoints.ts'
import { answer } from '../../http/answer.ts'
import type { ApiResponse } from '../../http/messages.ts'
import type { EndpointContext } from '../../http/sandbox.ts'
import { forkTables, type Tables } from '../../world/table/tables.ts'
import type { FaultContext } from '../hooks.ts'
import type { RoutedRequest } from '../request-pattern.ts'
import type { Sandbox } from '../sandbox.ts'

interface RequestExecution {
  readonly sandbox: Sandbox
  /** Carries the request out as if there were no fault. */
  readonly commit: () => ApiResponse
  /** Runs what answers, and keeps for the journal what it reads. */
  readonly observe: (give: () => ApiResponse) => ApiResponse
}

/** A request, and the ways in which a fault can have it answered: each is the service's own way. */
export function createFaultContext(
  { route, params, call }: RoutedRequest,
  { sandbox, commit, observe }: RequestExecution,
): FaultContext {
  return {
    call,
    commit,
    reject(failure) {
      const enter = (): never => {
        throw failure
      }
      return observe(() => answer(route, params, call, sandbox, enter) as ApiResponse)
    },
    respondFrom: (tables) =>
      observe(() => answer(route, params, call, withStaleTables(sandbox, tables)) as ApiResponse),
  }
}

/** A sandbox with other rows, to read from: its keys, projects, policies and clock are those of now. */
function withStaleTables(sandbox: Sandbox, tables: Tables): EndpointContext<World> {
  const { noted, clock, settings, directory } = sandbox
  const loaded = { ...sandbox.loaded, tables: forkTables(tables) }
  const past = sandbox.like({ loaded, settings: noted.untracked, clock })
  // What it reads of the policies is read for this request.
  past.noted = noted
  return {
    settings,
    directory,
    world: past.world,
    throttle: (key) => sandbox.throttle(key),
    report: sandbox.report,
  }
}
