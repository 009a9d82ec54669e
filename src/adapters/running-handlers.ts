import type { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestHandler } from 'msw'

type Run = RequestHandler['run']

/** What a handler runs for. */
export type RunArguments = Parameters<Run>[0] & {
  /** Whether `simulator.fetch` sent the request, and no client that a server or a worker intercepted */
  readonly isDirect?: boolean
}

/**
 * The handlers of users that run, so that none runs for a request that it sends itself. Node knows what sent a request, as
 * long as it stays in the process. A page only knows which requests wait for a handler.
 */
class RunningHandlers {
  /** The handlers that called the running code. Created when the first handler runs */
  #callers: AsyncLocalStorage<ReadonlySet<RequestHandler>> | null = null
  /** The requests that wait for a handler */
  readonly #runs = new Set<{ readonly handler: RequestHandler; readonly name: string }>()

  /** Whether a handler itself sent a request. */
  hasSent(handler: RequestHandler, { request, isDirect }: RunArguments): boolean {
    if (this.#callers) return this.#callers.getStore()?.has(handler) ?? false
    const name = nameOf(request)
    return (
      isDirect === true &&
      [...this.#runs].some((run) => run.handler === handler && run.name === name)
    )
  }

  /** Runs a handler with a copy of the request: it may read the body, and leave the request to the next handler. */
  async run(handler: RequestHandler, args: RunArguments): ReturnType<Run> {
    const { request } = args
    const copy = request.body === null ? args : { ...args, request: request.clone() }
    const run = { handler, name: nameOf(request) }
    this.#runs.add(run)
    try {
      this.#callers ??= createAsyncContext()
      const callers = new Set(this.#callers?.getStore()).add(handler)
      const call = () => handler.run(copy)
      return await (this.#callers?.run(callers, call) ?? call())
    } finally {
      this.#runs.delete(run)
    }
  }
}

/** One per process: a handler can be one of several simulators. */
export const runningHandlers: RunningHandlers = new RunningHandlers()

function nameOf({ method, url }: Request): string {
  return `${method} ${url}`
}

/** Null in a page. A context makes each promise of the process slower from its first use on. */
function createAsyncContext<T>(): AsyncLocalStorage<T> | null {
  const { getBuiltinModule } = globalThis.process ?? {}
  const hooks = getBuiltinModule?.('node:async_hooks')
  return hooks ? new hooks.AsyncLocalStorage() : null
}
