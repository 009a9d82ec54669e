import {
  type ApiResponse,
  connectionReset,
  networkErrorResponse,
  type Pace,
} from '../http/messages.ts'
import { abortOf } from '../utils/wait.ts'

/** What is used of a `ClientRequest` of `node:http`, or of an `XMLHttpRequest`, that MSW intercepted. */
interface Client {
  once?(event: 'close', listener: () => void): void
  destroy?(error: Error): void
  readonly upload?: unknown
  readonly socketPath?: string
}

/**
 * Gives a request that MSW intercepted in Node what MSW leaves out: the signal of one of `node:http` aborts when its client
 * gives it up.
 *
 * @returns a function that breaks its connection as a server does, if the response says so: with a code by which clients
 *   decide to try again. It returns the response that MSW gets
 */
export function followClient(request: Request): (response: ApiResponse) => ApiResponse {
  const client = clientOf(request)
  // A page sees nothing of a body that breaks off, and MSW would never end its request.
  if (client?.upload) {
    return ({ pace, ...response }) => {
      const unbroken = pace && (async (...at: Parameters<Pace>) => (await pace(...at)) ?? Infinity)
      return response.cutAfter === undefined
        ? { ...response, pace: unbroken }
        : networkErrorResponse
    }
  }
  if (!client?.once) return (response) => response
  const end = new AbortController()
  client.once('close', () => end.abort())
  // jsdom has an AbortSignal of its own, whose `any` refuses that of the request.
  abortOf(request.signal)(() => end.abort(request.signal.reason))
  Object.defineProperty(request, 'signal', { value: end.signal })
  return (response) => {
    if (response.status === 0) client.destroy?.(connectionReset())
    return response
  }
}

/** Whether a request goes to a socket of this machine, such as that of a daemon, whatever its URL. */
export function isToSocket(request: Request): boolean {
  return Boolean(clientOf(request)?.socketPath)
}

/** Says which `XMLHttpRequest` sent a request, as MSW does in Node. */
export function setClient(request: Request, client: XMLHttpRequest): void {
  Object.defineProperty(request, Symbol('kRawRequest'), { value: client })
}

/** MSW keeps what it intercepted under a symbol, which only a dependency of it exports. */
function clientOf(request: Request): Client | undefined {
  const symbols = Object.getOwnPropertySymbols(request)
  const key = symbols.find(({ description }) => description === 'kRawRequest')
  return key && Reflect.get(request, key)
}
