import type {
  BreakpointInfo,
  BreakpointRequest,
  FulfilledResponse,
  HeldRequestInfo,
  RequestChanges,
} from '../sandbox/breakpoints/breakpoint-request.ts'
import { type ControlClient, RemoteError } from './client.ts'

/** The breakpoints of a simulator in another process, and the requests that they hold. */
export interface BreakpointState {
  /** Differs after each change. */
  readonly version: number
  readonly breakpoints: readonly BreakpointInfo[]
  readonly held: readonly HeldRequestInfo[]
}

/** Whether to wait before the breakpoints are read. */
export interface BreakpointWait {
  /** The longest time to wait until a request is held, in milliseconds, up to 50,000. Defaults to 0. */
  readonly wait_ms?: number
  /** The version of an earlier state: waits until anything changes instead. */
  readonly after?: number
}

/** A request that waits at a breakpoint of a server. It ends once. */
export interface RemoteHeldRequest extends HeldRequestInfo {
  /** Lets the request go on, as it is or with changes. */
  continue(changes?: RequestChanges): Promise<void>
  /** Responds in place of the service. */
  fulfill(response?: FulfilledResponse): Promise<void>
  /** Breaks the connection. */
  drop(): Promise<void>
}

interface Abortable {
  /** Ends the wait. */
  readonly signal?: AbortSignal
}

interface NextOptions extends Abortable {
  /** Called with the breakpoint, whose `warning` says why it can never hold a request. */
  readonly onAdd?: (breakpoint: BreakpointInfo) => void
}

/** The breakpoints of a simulator in another process. */
export interface RemoteBreakpoints {
  /** Adds a breakpoint, which holds matching requests. */
  add(request: BreakpointRequest): Promise<BreakpointInfo>
  list(): Promise<BreakpointInfo[]>
  /** Lists the requests that are held, the oldest first. */
  held(): Promise<RemoteHeldRequest[]>
  /** Reads the breakpoints and the requests that they hold, now or after a wait. */
  read(wait?: BreakpointWait, options?: Abortable): Promise<BreakpointState>
  /**
   * Holds the next matching request.
   *
   * @returns the request when it arrives
   * @throws RemoteError if the breakpoint is removed before
   */
  next(request?: BreakpointRequest, options?: NextOptions): Promise<RemoteHeldRequest>
  /** Removes a breakpoint. The requests that it holds continue. Returns false for an unknown id. */
  remove(id: string): Promise<boolean>
  /** Removes all breakpoints. The requests that they hold continue. */
  clear(): Promise<void>
  /** Lets a held request go on, by its id. */
  continue(id: number, changes?: RequestChanges): Promise<void>
  /** Responds to a held request in place of the service, by its id. */
  fulfill(id: number, response?: FulfilledResponse): Promise<void>
  /** Breaks the connection of a held request, by its id. */
  drop(id: number): Promise<void>
}

/** How long one request waits for a held one, in milliseconds. */
const pollTime = 50_000

const hasRequests = ({ breakpoints, held }: BreakpointState): boolean =>
  breakpoints.every(({ id }) => id) && held.every(({ request }) => request.headers)

export function remoteBreakpoints(client: ControlClient): RemoteBreakpoints {
  const end = (operation: 'continueRequest' | 'fulfillRequest', id: number, body: object = {}) =>
    client.call<void>(operation, { params: { id }, body })
  const read: RemoteBreakpoints['read'] = (query = {}, init = {}) =>
    client.call('listBreakpoints', { query, init, has: hasRequests })
  const breakpoints: RemoteBreakpoints = {
    read,
    add: (body) => client.call('addBreakpoint', { body, has: ({ id }: BreakpointInfo) => id }),
    list: async () => (await read()).breakpoints as BreakpointInfo[],
    held: async () => (await read()).held.map(toHeld),
    remove: (id) => client.remove('removeBreakpoint', { id }),
    clear: () => client.call('clearBreakpoints'),
    continue: (id, changes) => end('continueRequest', id, changes),
    fulfill: (id, response) => end('fulfillRequest', id, response),
    drop: (id) => client.call('dropRequest', { params: { id } }),
    async next(request, { signal, onAdd } = {}) {
      signal?.throwIfAborted()
      const when = { ...request?.when, times: 1 }
      const added = await breakpoints.add({ ...request, when })
      const { id } = added
      onAdd?.(added)
      try {
        return await findHeld(id, signal)
      } catch (error) {
        if (!signal?.aborted) throw error
        await breakpoints.remove(id)
        throw signal.reason
      }
    },
  }
  return breakpoints

  function toHeld(info: HeldRequestInfo): RemoteHeldRequest {
    const { id } = info
    return {
      ...info,
      continue: (changes) => breakpoints.continue(id, changes),
      fulfill: (response) => breakpoints.fulfill(id, response),
      drop: () => breakpoints.drop(id),
    }
  }

  async function findHeld(id: string, signal?: AbortSignal): Promise<RemoteHeldRequest> {
    let query: BreakpointWait = {}
    for (;;) {
      const state = await read(query, signal ? { signal } : {})
      signal?.throwIfAborted()
      const held = state.held.find(({ breakpoint }) => breakpoint === id)
      if (held) return toHeld(held)
      if (!state.breakpoints.some((breakpoint) => breakpoint.id === id)) {
        throw new RemoteError(`${id} is gone: it was removed, or its request has ended already.`)
      }
      query = { after: state.version, wait_ms: pollTime }
    }
  }
}
