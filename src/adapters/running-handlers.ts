import type { RequestHandler } from 'msw'
import { createNetworkError } from '../http/messages.ts'
import { type AsyncContext, createAsyncContext } from '../utils/async-context.ts'
import { UsageError } from '../utils/errors.ts'
import { abortOf, nextTurn } from '../utils/wait.ts'

type Run = RequestHandler['run']

/** What a handler runs for. */
export type RunArguments = Parameters<Run>[0] & {
  /** Whether `simulator.fetch` sent the request, and no client that a server or a worker intercepted */
  readonly isDirect?: boolean
}

type Refuse = (error: unknown) => void

/** So many equal requests wait for a handler only if it sends each of them for the one before. */
const maxWaiting = 500

/**
 * The handlers of users that run, so that none runs for a request that it sends itself. Node knows what sent a request, as
 * long as it stays in the process. A page only knows which requests wait for a handler.
 */
class RunningHandlers {
  /** The handlers that called the running code. Created when the first handler runs */
  #callers: AsyncContext<ReadonlySet<RequestHandler>> | null = null
  /** By handler, then by method and URL: how to refuse the requests that wait for it, the oldest first */
  readonly #waiting = new Map<RequestHandler, Map<string, Set<Refuse>>>()

  /** Whether a handler itself sent a request. */
  hasSent(handler: RequestHandler, { request, isDirect }: RunArguments): boolean {
    if (this.#callers) return this.#callers.getStore()?.has(handler) ?? false
    return isDirect === true && (this.#waiting.get(handler)?.has(nameOf(request)) ?? false)
  }

  /**
   * Runs a handler with a copy of the request: it may read the body, and leave the request to the next handler.
   *
   * @throws UsageError if it sends itself the request again and again, through the network
   */
  async run(handler: RequestHandler, args: RunArguments): ReturnType<Run> {
    // Handlers that send requests to each other for ever can be stopped by a timer.
    if (this.#isWithin(args)) await nextTurn()
    const { request, isDirect } = args
    const copy = request.body === null ? args : { ...args, request: request.clone() }
    const waiting = this.#waitingFor(handler, request)
    let refuse: Refuse = () => {}
    const refusal = new Promise<never>((_, reject) => {
      refuse = reject
    })
    waiting.add(refuse)
    if (waiting.size > maxWaiting) refuseAll(handler, request, waiting)
    const end = isDirect ? abortOf(request.signal)(() => refuse(request.signal.reason)) : undefined
    try {
      return await Promise.race([refusal, this.#callFrom(handler, () => handler.run(copy))])
    } finally {
      end?.()
      waiting.delete(refuse)
      this.#forget(handler, request, waiting)
    }
  }

  /** Whether a handler may have sent a request. */
  #isWithin({ isDirect }: RunArguments): boolean {
    if (this.#callers) return this.#callers.getStore() !== undefined
    return isDirect === true && this.#waiting.size > 0
  }

  #waitingFor(handler: RequestHandler, request: Request): Set<Refuse> {
    const byName = this.#waiting.get(handler) ?? new Map<string, Set<Refuse>>()
    const waiting = byName.get(nameOf(request)) ?? new Set()
    this.#waiting.set(handler, byName.set(nameOf(request), waiting))
    return waiting
  }

  #forget(handler: RequestHandler, request: Request, { size }: Set<Refuse>): void {
    const byName = this.#waiting.get(handler)
    if (size === 0) byName?.delete(nameOf(request))
    if (byName?.size === 0) this.#waiting.delete(handler)
  }

  #callFrom<T>(handler: RequestHandler, run: () => T): T {
    this.#callers ??= createAsyncContext()
    if (!this.#callers) return run()
    return this.#callers.run(new Set(this.#callers.getStore()).add(handler), run)
  }
}

/** One per process: a handler can be one of several simulators. */
export const runningHandlers: RunningHandlers = new RunningHandlers()

/** The first request is that of a client, and the others are those of the handler. */
function refuseAll(
  { info }: RequestHandler,
  request: Request,
  [first, ...others]: Iterable<Refuse>,
): void {
  const name = nameOf(request)
  first?.(
    new UsageError(
      `Failed to run the handler ${info.header}: expected a response to ${name}, got ${maxWaiting} more of these requests. If the handler sends them, call simulator.fetch(request) in it: it does not run for what it sends so.`,
    ),
  )
  for (const refuse of others) refuse(createNetworkError())
}

function nameOf({ method, url }: Request): string {
  return `${method} ${url}`
}
