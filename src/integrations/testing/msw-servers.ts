import type { RequestHandler } from 'msw'
import * as mswNode from 'msw/node'
import { UsageError } from '../../utils/errors.ts'
import { mswVersion } from './msw-version.ts'

/** Changes the handlers of a server for one request. */
type ChangeHandlers = (handlers: readonly RequestHandler[]) => RequestHandler[]

/**
 * All servers of this copy of MSW, those of the project included. MSW has no public way to reach them. They share one
 * source of requests, which follows the server that listened last.
 */
export interface MswServers {
  /** Whether requests come from sockets, as since MSW 3, and not from the calls of clients */
  readonly readsSockets: boolean
  /** The source of requests now: stays the same until another server listens. Undefined if no server does. */
  active(): unknown
  /** Calls a listener for each request that MSW 3 reads from a socket. Of those of a client that it does not intercept, nothing else knows. */
  onSocketRequest(listener: (request: SocketRequest) => void): void
  /** Changes each server. @returns a function that ends this */
  change(changes: ServerChanges): () => void
}

/** A request that MSW 3 read from a socket. */
export interface SocketRequest {
  readonly request: Request
  readonly controller: { errorWith(error: Error): void }
}

/** What emits them. It is under this symbol in a list that all copies of MSW 3 share. */
interface SocketRequests {
  on(type: 'request', listener: (request: SocketRequest) => void): unknown
  listeners(type: 'request'): readonly unknown[]
}
const socketRequests = Symbol.for('node-http-request-source')

interface ServerChanges {
  /** Runs what handles a request. */
  inContextOf<T>(request: Request, handle: () => T): T
  readonly changeHandlers: ChangeHandlers
  /** Called when a server was closed, which stops all servers that share its source. */
  onClose(): void
}

/** The source that servers share. */
interface Source {
  readonly emitter: { listeners(type: 'frame'): readonly unknown[] }
  queue(frame: Frame): Promise<void>
  disable(): unknown
}

interface Frame {
  readonly protocol: string
  readonly data: { readonly request: Request }
  getHandlers(controller: unknown): RequestHandler[]
}

/** @throws UsageError for a version of MSW that has none: without it, requests would pass by the simulator */
export function findMswServers(exported: object = mswNode): MswServers {
  const options = Reflect.get(exported, 'defaultNetworkOptions') as
    | { sources?: Source[] }
    | undefined
  const source = options?.sources?.[0]
  if (source?.emitter && 'queue' in source) return withSource(source)
  throw new UsageError(
    `msw ${mswVersion()} is not known: its servers are not where those of msw 2.13 or newer, or 3 are. Install one of them: npm install --save-dev msw@2`,
  )
}

function withSource(source: Source): MswServers {
  const { queue, disable } = source
  const queued = new WeakSet<Request>()
  return {
    readsSockets: Number.parseInt(mswVersion(), 10) >= 3,
    onSocketRequest(listener) {
      const registry = Reflect.get(globalThis, '__MSW_INTERCEPTORS_REGISTRY')
      const requests: SocketRequests | undefined = registry?.get(socketRequests)
      if (requests && !requests.listeners('request').includes(listener))
        requests.on('request', listener)
    },
    active: () => source.emitter.listeners('frame')[0],
    change({ inContextOf, changeHandlers, onClose }) {
      const queueRequest = async (frame: Frame): Promise<void> => {
        const { getHandlers, data } = frame
        // After two servers have started, MSW runs the handlers of the latest twice for each request.
        if (queued.has(data.request)) return
        queued.add(data.request)
        frame.getHandlers = (controller) => changeHandlers(getHandlers.call(frame, controller))
        return queue.call(source, frame)
      }
      source.queue = (frame) =>
        frame.protocol === 'http'
          ? inContextOf(frame.data.request, () => queueRequest(frame))
          : queue.call(source, frame)
      source.disable = () => {
        const result = disable.call(source)
        onClose()
        return result
      }
      return () => void Object.assign(source, { queue, disable })
    },
  }
}
