import { HttpHandler, type RequestHandler } from 'msw'
import { unexpectedValue } from '../utils/usage-error.ts'

type RunArgs = Parameters<HttpHandler['run']>[0]
type Result = Awaited<ReturnType<HttpHandler['run']>>

/** The handlers of a user, which run before those of the simulator. */
export class OwnHandlers {
  /** Runs them as one MSW handler, which stays the same. */
  readonly handler: OwnHandler = new OwnHandler(this)
  readonly #initial: readonly RequestHandler[]
  readonly #failures = new Set<string>()
  #current: readonly RequestHandler[]

  /** @throws UsageError for a value that is no list of handlers */
  constructor(initial: readonly RequestHandler[] = []) {
    this.#initial = checkHandlers(initial, 'create a simulator', 'handlers')
    this.#current = this.#initial
  }

  get current(): readonly RequestHandler[] {
    return this.#current
  }

  /** Which of them threw, and what: a sentence for each. */
  get failures(): readonly string[] {
    return [...this.#failures]
  }

  /** Adds handlers in front of the others. @throws UsageError for a value that is no handler */
  use(handlers: readonly RequestHandler[]): void {
    this.#current = [...checkHandlers(handlers, 'use handlers'), ...this.#current]
  }

  /** Removes the handlers that were added. */
  reset(): void {
    this.#current = this.#initial
  }

  /** Responds to a request. @returns undefined if none of them does */
  async respond(request: Request): Promise<Response | undefined> {
    if (this.#current.length === 0) return undefined
    const response = (await this.run({ request, requestId: '' }))?.response
    return response && isPassthrough(response) ? undefined : response
  }

  /** Runs them in order, as MSW does: one without a response leaves the request to the next. */
  async run(args: RunArgs): Promise<Result> {
    let result: Result = null
    for (const handler of this.#current) {
      const next: unknown = await handler.run(args).catch(this.#fail.bind(this, handler))
      if (next !== null) result = next as Result
      if (result?.response) break
    }
    return result
  }

  #fail({ info }: RequestHandler, error: unknown): never {
    this.#failures.add(`Your handler ${info.header} threw ${String(error).split('\n', 1)[0]}.`)
    throw error
  }
}

/** The MSW handler of a list of handlers. */
export class OwnHandler extends HttpHandler {
  readonly own: OwnHandlers

  constructor(own: OwnHandlers) {
    super(/.+/, '*', () => {})
    this.own = own
  }

  override run(args: RunArgs): Promise<Result> {
    return this.own.run(args)
  }
}

/** MSW marks the response of `passthrough()` with a header. */
export function isPassthrough({ headers }: Response): boolean {
  return headers.get('x-msw-intention') === 'passthrough'
}

/** A handler of another copy of MSW is not an instance of the same class. */
function checkHandlers(
  handlers: readonly RequestHandler[],
  task: string,
  field: string | null = null,
): readonly RequestHandler[] {
  const isHandler = (one: RequestHandler | null) => typeof one?.run === 'function'
  if (Array.isArray(handlers) && handlers.every(isHandler)) return handlers
  throw unexpectedValue(task, 'a list of MSW handlers', handlers, undefined, field)
}
