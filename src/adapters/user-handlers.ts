import type { AsyncLocalStorage } from 'node:async_hooks'
import type { HttpHandler, RequestHandler } from 'msw'
import { isSimulatedNetworkError } from '../http/messages.ts'
import { unexpectedValue } from '../utils/errors.ts'
import { http } from './msw-http.ts'

type Result = Awaited<ReturnType<HttpHandler['run']>>

/** All handlers of a user as one. */
export type UserHandler = HttpHandler & { readonly users: UserHandlers }

/** The handlers of a user, which run before those of the simulator. */
export class UserHandlers {
  /** What they threw, by method and path. */
  readonly failures: Map<string, unknown> = new Map()
  /** Those that stay when the others are removed. */
  readonly lasting: readonly RequestHandler[]
  current: readonly RequestHandler[]

  constructor(lasting: readonly RequestHandler[]) {
    this.lasting = lasting
    this.current = lasting
  }

  /** All as one MSW handler. MSW captures a stack for each, which most simulators do not need. */
  toHandler(): UserHandler {
    const run = (args: RunArguments) => this.run(args)
    return Object.assign(
      http.all('*', () => {}),
      { users: this, run },
    )
  }

  /** Runs them in order, as MSW does: one without a response leaves the request to the next. */
  async run(args: RunArguments): Promise<Result> {
    let result: Result = null
    for (const handler of this.current) {
      if (runningHandlers.hasSent(handler, args)) continue
      try {
        const next = (await runningHandlers.run(handler, args)) as Result
        if (next) result = next
      } catch (error) {
        if (!isSimulatedNetworkError(error) && !args.request.signal.aborted)
          this.failures.set(handler.info.header, error)
        throw error
      }
      if (result?.response) break
    }
    return result
  }
}

/**
 * A handler of another copy of MSW is not an instance of the same class.
 *
 * @throws UsageError for a value that is no list of MSW handlers
 */
export function checkHandlers(
  handlers: readonly RequestHandler[],
  task: string,
  expected = 'a list of MSW handlers',
): readonly RequestHandler[] {
  // One of a WebSocket runs, too, but describes no request.
  const isHandler = (handler: RequestHandler | null) =>
    typeof handler?.run === 'function' && handler.info !== undefined
  const isList = Array.isArray(handlers) && handlers.every(isHandler)
  if (isList) return handlers
  throw unexpectedValue(task, expected, handlers, undefined, 'handlers')
}

type RunArguments = Parameters<RequestHandler['run']>[0] & {
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
  readonly #runs = new Set<{ readonly handler: RequestHandler; readonly name: string }>()

  hasSent(handler: RequestHandler, { request, isDirect }: RunArguments): boolean {
    if (this.#callers) return this.#callers.getStore()?.has(handler) ?? false
    const name = nameOf(request)
    return (
      isDirect === true &&
      [...this.#runs].some((run) => run.handler === handler && run.name === name)
    )
  }

  /** Runs a handler with a copy of the request: it may read the body, and leave the request to the next handler. */
  async run(handler: RequestHandler, args: RunArguments): ReturnType<RequestHandler['run']> {
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

function nameOf({ method, url }: Request) {
  return `${method} ${url}`
}

/** Null in a page. A context makes each promise of the process slower from its first use on. */
function createAsyncContext<T>(): AsyncLocalStorage<T> | null {
  const { getBuiltinModule } = globalThis.process ?? {}
  const hooks = getBuiltinModule?.('node:async_hooks')
  return hooks ? new hooks.AsyncLocalStorage() : null
}
