import type { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestHandler } from 'msw'
import { createNetworkError } from '../http/messages.ts'
import { UsageError } from '../utils/errors.ts'
import { abortOf, nextTurn } from '../utils/wait.ts'

type Run = RequestHandler['run']

/** What a handler runs for. */
export type RunArguments = Parameters<Run>[0] & {
  /** Whether `simulator.fetch` sent the request, and no client that a server or a worker intercepted */
  readonly isDirect?: boolean
}

interface HandlerRun {
  readonly handler: RequestHandler
  /** The method and the URL of its request */
  readonly name: string
  readonly refuse: (error: unknown) => void
}

/** So many equal requests wait for a handler only if it sends each of them for the one before. */
const maxWaiting = 500

/**
 * The handlers of users that run, so that none runs for a request that it sends itself. Node knows what sent a request, as
 * long as it stays in the process. A page only knows which requests wait for a handler.
 */
class RunningHandlers {
  /** The handlers that called the running code. Created when the first handler runs */
  #callers: AsyncLocalStorage<ReadonlySet<RequestHandler>> | null = null
  /** The oldest first */
  readonly #runs = new Set<HandlerRun>()

  /** Whether a handler itself sent a request. */
  hasSent(handler: RequestHandler, { request, isDirect }: RunArguments): boolean {
    if (this.#callers) return this.#callers.getStore()?.has(handler) ?? false
    return isDirect === true && this.#runsFor(handler, nameOf(request)).length > 0
  }

  /**
   * Runs a handler with a copy of the request: it may read the body, and leave the request to the next handler.
   *
   * @throws UsageError if it sends itself the request again and again, through the network
   */
  async run(handler: RequestHandler, args: RunArguments): ReturnType<Run> {
    const { request, isDirect } = args
    const callers = this.#callers?.getStore()
    // Handlers that send requests to each other for ever can be stopped by a timer.
    if (callers || (isDirect && this.#runs.size > 0)) await nextTurn()
    const copy = request.body === null ? args : { ...args, request: request.clone() }
    const name = nameOf(request)
    let end = (): void => {}
    const result = new Promise<Awaited<ReturnType<Run>>>((resolve, refuse) => {
      const run = { handler, name, refuse }
      const stopFollowing = isDirect && abortOf(request.signal)(() => refuse(request.signal.reason))
      this.#runs.add(run)
      end = () => {
        this.#runs.delete(run)
        if (stopFollowing) stopFollowing()
      }
      const runs = this.#runsFor(handler, name)
      if (runs.length > maxWaiting) refuseAll(runs)
      this.#callers ??= createAsyncContext()
      const call = () => handler.run(copy)
      const called = this.#callers?.run(new Set(callers).add(handler), call) ?? call()
      called.then(resolve, refuse)
    })
    return await result.finally(end)
  }

  #runsFor(handler: RequestHandler, name: string): HandlerRun[] {
    return [...this.#runs].filter((run) => run.handler === handler && run.name === name)
  }
}

/** One per process: a handler can be one of several simulators. */
export const runningHandlers: RunningHandlers = new RunningHandlers()

/** The first request is that of a client, and the others are those of the handler. */
function refuseAll([first, ...others]: readonly HandlerRun[]): void {
  first?.refuse(
    new UsageError(
      `Failed to run the handler ${first.handler.info.header}: expected a response to ${first.name}, got ${maxWaiting} more of these requests. If the handler sends them, call simulator.fetch(request) in it: it does not run for what it sends so.`,
    ),
  )
  for (const { refuse } of others) refuse(createNetworkError())
}

function nameOf({ method, url }: Request): string {
  return `${method} ${url}`
}

/** Null in a page. A context makes each promise of the process slower from its first use on. */
function createAsyncContext<T>(): AsyncLocalStorage<T> | null {
  const { getBuiltinModule } = globalThis.process ?? {}
  const hooks = getBuiltinModule?.('node:async_hooks')
  return hooks ? new hooks.AsyncLocalStorage() : null
}
