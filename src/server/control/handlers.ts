import type { AnyHandler, ExpressOptions } from '../../adapters/express/express.ts'
import { answer } from '../../http/answer.ts'
import {
  type Endpoint,
  type EndpointContext,
  emptyDirectory,
  type SandboxResolver,
} from '../../http/endpoint.ts'
import { Failure } from '../../http/failures.ts'
import { type ApiRequest, isChunked } from '../../http/messages.ts'
import { type ApiHandler, createEndpointHandlers, createPathItems } from '../../http/route.ts'
import { toBaseUrl } from '../../http/url.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import type { Simulator } from '../../simulator.ts'
import { abortOf } from '../../utils/abort.ts'
import { AsyncQueue, encodeText } from '../../utils/async-queue.ts'
import { maxListedIssues } from '../../utils/issues.ts'
import { inspectValue, LimitError, UsageError } from '../../utils/usage-error.ts'
import { wait } from '../../utils/wait.ts'
import { checkAccess, type Guard, isAllowed } from './guard.ts'
import type { ControlContext } from './operation.ts'

interface ControlOptions extends Pick<ControlContext, 'scenarios' | 'closed'> {
  readonly guard: Guard
  /** Called with unexpected errors. The client receives a 500. */
  readonly report: (error: unknown) => void
}

/** The options of a server that concern the control API. */
export interface ControlMiddlewareOptions
  extends Omit<ControlOptions, 'scenarios'>,
    ExpressOptions {
  /** A folder of scenarios */
  readonly scenarios?: string
  /** Handlers of the user, which can answer before the control API */
  readonly handlers?: readonly AnyHandler[]
}

/**
 * Creates the handlers of operations of the control API. Settings of the service do not apply to it, so its errors
 * always have the same format.
 */
export function createControlHandlers(
  endpoints: readonly Endpoint<ControlContext>[],
  root: Simulator,
  { guard, scenarios, closed, report }: ControlOptions,
): ApiHandler[] {
  const keepAlive = new KeepAlive()
  return createEndpointHandlers(createPathItems(endpoints), toBaseUrl('*'), {
    resolver: createResolver(root, report, (simulator) => ({
      simulator,
      root,
      scenarios,
      closed,
    })),
    async run(route, request, context) {
      const { endpoint } = route
      const { method } = request
      const response = await answer(route, request, context, () => {
        checkAccess(method, request, guard, endpoint.scope)
        if (endpoint.body) checkEncoding(request)
        return {}
      })
      // The request may have advanced the clock.
      root.sandboxes.endExpired()
      const { body, headers } = response
      if (!isChunked(body) || headers['content-type'] !== 'text/event-stream') return response
      return { ...response, body: keepAlive.watch(body, closed, method === 'GET') }
    },
    acceptsBody: (method, head) => isAllowed(method, head, guard),
  })
}

function checkEncoding({ headers }: ApiRequest): void {
  const encoding = headers.get('content-encoding')
  if (encoding === null || /^(?:identity)?$/i.test(encoding)) return
  const got = inspectValue(encoding)
  throw new Failure(
    'unsupported_media_type',
    `Failed to read the body: expected no Content-Encoding, got ${got}. Send the body as it is.`,
  )
}

/**
 * Sends comments to event streams, so that proxies do not close them as idle. All streams share one timer. When the
 * server closes, endless streams end.
 */
class KeepAlive {
  /** In milliseconds. The HTML standard advises about 15 seconds. */
  interval = 15_000
  /** The open streams, and whether each is endless. */
  readonly #streams = new Map<AsyncQueue, boolean>()

  /**
   * @param events whole events in each chunk
   * @param closed aborts when the server closes
   * @param isEndless whether the events have no end, unlike those of a replay
   */
  watch(
    events: AsyncIterable<Uint8Array>,
    closed: AbortSignal,
    isEndless: boolean,
  ): AsyncIterable<Uint8Array> {
    const open = (): AsyncIterator<Uint8Array> => {
      const queue = events[Symbol.asyncIterator]()
      if (queue instanceof AsyncQueue && this.#streams.set(queue, isEndless).size === 1) {
        void this.#run(closed)
      }
      return queue
    }
    return { [Symbol.asyncIterator]: open }
  }

  /** Ends with the last stream. A stream that has more to send, or whose client reads slowly, needs no comment. */
  async #run(closed: AbortSignal): Promise<void> {
    const comment = encodeText(': keep-alive\n\n')
    while (this.#streams.size > 0 && (await wait(this.interval, abortOf(closed)))) {
      for (const each of this.#streams.keys()) if (!each.offer(comment)) this.#streams.delete(each)
    }
    for (const [each, isEndless] of this.#streams) if (isEndless) each.end()
    this.#streams.clear()
  }
}

/** Resolves sandboxes for endpoints to which the settings of the service do not apply. */
export function createResolver<W>(
  root: Simulator,
  report: (error: unknown) => void,
  toWorld: (simulator: Simulator) => W,
): SandboxResolver<EndpointContext<W>> {
  const settings = resolveSettings()
  const toContext = (simulator: Simulator): EndpointContext<W> => ({
    settings,
    directory: emptyDirectory,
    world: toWorld(simulator),
    throttle: () => 0,
    toFailure,
    report,
  })
  const rootContext = toContext(root)
  return {
    resolve(id) {
      if (id === undefined) return rootContext
      const simulator = root.sandboxes.get(id)
      return simulator && toContext(simulator)
    },
  }
}

function toFailure(error: unknown): Failure | null {
  if (!(error instanceof UsageError)) return null
  const { message, field, details } = error
  if (error instanceof LimitError) return new Failure('throttled', message)
  const issues = details.slice(0, maxListedIssues)
  return new Failure('validation_error', message, {
    ...(field !== null && { attr: field }),
    ...(issues.length > 0 && { issues }),
  })
}
