import type { HttpHandler, RequestHandler } from 'msw'
import { isSimulatedNetworkError } from '../http/messages.ts'
import { unexpectedValue } from '../utils/errors.ts'
import { http } from './msw-http.ts'
import { type RunArguments, runningHandlers } from './running-handlers.ts'

type Result = Awaited<ReturnType<HttpHandler['run']>>

/** The handlers of a user, which run before those of the simulator, as one MSW handler that stays the same. */
export interface UserHandlers extends HttpHandler {
  /** What they threw, by method and path. */
  readonly failures: Map<string, unknown>
  /** Those that stay when the others are removed. */
  readonly lasting: readonly RequestHandler[]
  current: readonly RequestHandler[]
  run(args: RunArguments): Promise<Result>
}

export function createUserHandlers(lasting: readonly RequestHandler[]): UserHandlers {
  const failures = new Map<string, unknown>()
  const users: UserHandlers = Object.assign(
    http.all('*', () => {}),
    { failures, lasting, current: lasting },
  )
  // In order, as MSW runs them: one without a response leaves the request to the next.
  users.run = async (args: RunArguments) => {
    let result: Result = null
    for (const handler of users.current) {
      if (runningHandlers.hasSent(handler, args)) continue
      try {
        const next = (await runningHandlers.run(handler, args)) as Result
        if (next) result = next
      } catch (error) {
        if (!isSimulatedNetworkError(error) && !args.request.signal.aborted)
          failures.set(handler.info.header, error)
        throw error
      }
      if (result?.response) break
    }
    return result
  }
  return users
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
