import { AsyncLocalStorage } from 'node:async_hooks'
import { http, passthrough, RequestHandler } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { isPassthrough } from '../../adapters/fetch.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { UsageError } from '../../utils/errors.ts'
import { escapeControls } from '../../utils/escape.ts'
import { findMswServers, type MswServers } from './msw-servers.ts'
import { checkMsw, findObstacles, secondInterception } from './obstacles.ts'
import { hasInterceptors, hasNock, OtherInterceptors } from './other-interceptors.ts'
import {
  explainUnknownPath,
  passthroughControl,
  passthroughLocal,
  refuseAll,
} from './other-requests.ts'
import { withPlainErrors } from './plain-errors.ts'

const passthroughAll = http.all('*', () => passthrough())

/** What a function, and the code that it calls, is answered by. */
interface Context {
  readonly simulator: Simulator
  /** In the order in which they run, without those of a server of the project */
  readonly handlers: RequestHandler[]
}

/** The requests of a function. */
interface Run {
  /** How many requests the simulator received */
  received: number
  /** How many requests all simulators had received before */
  readonly before: number
  /** Whether the servers of the project had been stopped before */
  readonly isAfterStop: boolean
  readonly answered: AnsweredRequests
  /** What kept requests from the simulator, as far as it is known */
  obstacles: readonly string[]
  hasEnded: boolean
}

const stopped =
  'A server of MSW was closed during a test. This stops all servers that listened before, and their handlers. ' +
  'Add handlers with server.use() to the server that listens already, instead of starting another.'

/**
 * Intercepts the requests that a function sends. Functions can run concurrently, or inside one another: each has its
 * own handlers. Code outside reaches the network as usual. If a server of MSW that belongs to the project listens, it
 * stays in charge, and has the handlers of the simulator behind its own.
 */
export class Interception {
  readonly #current = new AsyncLocalStorage<Context>()
  readonly #runs = new WeakMap<Simulator, Run>()
  readonly #servers: MswServers | null
  readonly #server: SetupServer = setupServer(passthroughAll)
  /** What `active()` of the servers was when `#server` began to listen; null if it does not listen. */
  #listening: unknown = null
  #isClosing = false
  /** Whether a server was closed that belongs to the project, and none listens since. */
  #isStopped = false
  /** What `active()` was when `#fetch` was looked up. */
  #source: unknown = null
  /** The `fetch` whose requests are intercepted. */
  #fetch = globalThis.fetch
  #isSecond = false
  readonly #others = new OtherInterceptors()
  #running = 0
  #restore = (): void => {}
  /** How many requests all simulators received. */
  #received = 0

  constructor(servers: MswServers | null = findMswServers()) {
    withPlainErrors(checkMsw)
    this.#servers = servers
  }

  /**
   * Runs a function with the handlers of a simulator. Requests that no handler matches follow `onUnhandledRequest` of the
   * project's own server. Without one, they go through to this machine, and fail elsewhere.
   *
   * @param isCounted whether the requests count for other simulators, which those of a sweep do not
   */
  async run<T>(simulator: Simulator, run: () => T | Promise<T>, isCounted = true): Promise<T> {
    this.#enter()
    const record: Run = {
      received: 0,
      before: this.#received,
      isAfterStop: this.#isStopped,
      answered: this.#runs.get(simulator)?.answered ?? new AnsweredRequests(simulator),
      obstacles: [],
      hasEnded: false,
    }
    this.#runs.set(simulator, record)
    const stop = simulator.journal.followRecords(() => {
      if (isCounted) record.received += 1
      if (isCounted) this.#received += 1
    })
    try {
      const others = [passthroughControl, passthroughLocal, explainUnknownPath]
      const handlers = [...simulator.handlers, ...others]
      const context = { simulator, handlers }
      return await this.#current.run(context, this.#servers ? run : this.#inBoundary(context, run))
    } finally {
      if (isCounted) this.check(simulator)
      record.hasEnded = true
      // The timer of a request that is still held would delay the end of the process.
      simulator.faults.release()
      stop()
      this.#leave()
    }
  }

  /** How many requests reached other simulators since `run` started with this one. */
  countElsewhere(simulator: Simulator): number {
    const run = this.#runs.get(simulator)
    return run ? this.#received - run.before - run.received : 0
  }

  /** Where requests may have gone that did not reach the simulator: a sentence for each way. */
  explainMissing(simulator: Simulator): string[] {
    const run = this.#runs.get(simulator)
    if (!run) return []
    this.check(simulator)
    return [
      ...describeElsewhere(this.countElsewhere(simulator)),
      ...run.answered.describe(),
      ...(run.isAfterStop ? [stopped] : []),
      ...(run.received === 0 ? run.obstacles : []),
    ]
  }

  /** Looks up what keeps requests from the simulator. Hooks after the test can remove it. */
  check(simulator: Simulator): void {
    const run = this.#runs.get(simulator)
    if (!run || run.hasEnded || run.received > 0 || run.obstacles.length > 0) return
    const isKnown = this.#source === this.#active
    const fetch = isKnown ? this.#fetch : globalThis.fetch
    run.obstacles = findObstacles({ fetch, isSecond: this.#isSecond })
  }

  /** Whether this simulator answers requests here. */
  isActive(simulator: Simulator): boolean {
    return this.#current.getStore()?.simulator === simulator
  }

  #enter(): void {
    this.#running++
    if (this.#running === 1) {
      this.#restore =
        this.#servers?.change({
          changeHandlers: this.#changeHandlers.bind(this),
          isAnswered: this.#isAnswered.bind(this),
          onClose: this.#replaceClosed.bind(this),
        }) ?? (() => {})
    }
    try {
      this.#listen()
    } catch (error) {
      this.#leave()
      throw error
    }
  }

  #leave(): void {
    this.#running--
    if (this.#running > 0) return
    this.#restore()
    // Closing it would stop a server of the project that took its place.
    if (this.#listening !== null && this.#listening === this.#servers?.active()) this.#close()
  }

  /** One server for all, since each adds an async context to the process that stays, and slows every promise down. */
  #listen(): void {
    const isListening = this.#listening !== null
    const active = this.#servers?.active()
    if (this.#servers ? active !== undefined : isListening) {
      if (active !== this.#listening) this.#isStopped = false
      this.#keepFetch()
      return
    }
    if (isListening) this.#close()
    // MSW removes these traces when any server is closed.
    this.#isSecond ||= hasInterceptors()
    if (this.#isSecond) this.#others.follow()
    // For WebSockets, by the names of MSW 2 and of MSW 3.
    const options = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
    try {
      this.#server.listen(options)
    } catch (error) {
      throw this.#isSecond ? new UsageError(secondInterception()) : error
    }
    this.#listening = this.#servers?.active()
    this.#keepFetch()
  }

  get #active(): unknown {
    return this.#servers?.active() ?? this.#server
  }

  /** Keeps the `fetch` of a server, until another listens: what replaces it can stay for several tests. */
  #keepFetch(): void {
    if (this.#source === this.#active) return
    this.#source = this.#active
    this.#fetch = globalThis.fetch
  }

  #close(): void {
    this.#isClosing = true
    this.#server.close()
    this.#isClosing = false
    this.#listening = null
    this.#source = null
  }

  #replaceClosed(): void {
    if (this.#isClosing) return
    if (this.#listening === null && !this.#isStopped) {
      this.#isStopped = true
      console.error(stopped)
    }
    this.#listen()
  }

  /** Whether another library has answered a request: the client does not get what the simulator would do. */
  #isAnswered(request: Request): boolean {
    if (!this.#others.haveAnswered(request)) return false
    const simulator = this.#current.getStore()?.simulator
    if (simulator) this.#runs.get(simulator)?.answered.addOther(request)
    return true
  }

  #changeHandlers(handlers: readonly RequestHandler[]): RequestHandler[] {
    const context = this.#current.getStore()
    if (!context) return [...handlers]
    if (handlers.includes(passthroughAll)) return [...context.handlers, refuseAll]
    const { userHandlers } = context.simulator
    const answered = this.#runs.get(context.simulator)?.answered
    const followed = handlers.map((handler) =>
      handler instanceof RequestHandler ? (answered?.follow(handler) ?? handler) : handler,
    )
    const rest = context.handlers.filter(
      (handler) => handler !== userHandlers && handler !== passthroughLocal,
    )
    return [userHandlers, ...followed, ...rest]
  }

  /** For a future MSW whose servers cannot be found. Servers of the project are then not in charge. */
  #inBoundary<T>({ handlers }: Context, run: () => T): () => T {
    return this.#server.boundary(() => {
      this.#server.resetHandlers(...handlers, refuseAll)
      return run()
    })
  }
}

type RunHandler = RequestHandler['run']

/** The requests of the API that handlers of the user answered, so that the simulator did not receive them. */
class AnsweredRequests {
  readonly #simulator: Simulator
  /** A sentence for the first request of each handler */
  readonly #sentences = new Map<string, string>()

  constructor(simulator: Simulator) {
    this.#simulator = simulator
    // They also answer `simulator.fetch`, which no server of MSW sees.
    const { userHandlers } = simulator
    userHandlers.run = this.#following(userHandlers.run.bind(userHandlers))
  }

  /** @returns a handler that does the same, and is followed */
  follow(handler: RequestHandler): RequestHandler {
    return Object.create(handler, { run: { value: this.#following(handler.run.bind(handler)) } })
  }

  describe(): string[] {
    return [...this.#sentences.values()]
  }

  #following<Followed extends RunHandler>(run: Followed): Followed {
    const followed = async (args: Parameters<RunHandler>[0]): ReturnType<RunHandler> => {
      const { pathname } = new URL(args.request.url)
      let isPassedOn = false
      const end = this.#simulator.journal.followSummaries(({ target }) => {
        if (target.startsWith(pathname)) isPassedOn = true
      })
      const result = await run(args).finally(end)
      if (result?.response && !isPassedOn) this.#add(result.handler, result.response, args.request)
      return result
    }
    return followed as Followed
  }

  /** Adds a request that another library answered. */
  addOther(request: Request): void {
    if (!this.#isOfApi(request)) return
    const [library, cure] = hasNock()
      ? ['nock', 'Remove its interceptor, as with nock.cleanAll().']
      : ['Another library', 'Two copies of msw can do this: run npm ls msw.']
    const sentence = `${library} answered ${nameOf(request)} before the simulator, which did not carry it out. ${cure}`
    this.#sentences.set(library, escapeControls(sentence))
  }

  #isOfApi(request: Request): boolean {
    return this.#simulator.match(request.url, request) !== null
  }

  #add(from: RequestHandler, response: Response, request: Request): void {
    // A project can add `simulator.handlers` to its own.
    if (this.#simulator.handlers.some((handler) => handler === from)) return
    // MSW prints the pattern of http.all.
    const handler = from.info.header.replace('/.+/', 'ALL')
    if (!this.#isOfApi(request) || this.#sentences.has(handler)) return
    const name = nameOf(request)
    const done = isPassthrough(response) ? `let ${name} through` : `answered ${name}`
    const sentence = `Your handler ${handler} ${done} before the simulator. Remove it, or call simulator.use(...simulator.handlers).`
    this.#sentences.set(handler, escapeControls(sentence))
  }
}

function nameOf({ method, url }: Request): string {
  return `${method} ${new URL(url).pathname}`
}

/** A client that collects requests of several tests sends them from one of these tests, whose simulator gets them all. */
function describeElsewhere(count: number): string[] {
  if (count === 0) return []
  const requests = count === 1 ? '1 request' : `${count} requests`
  return [
    `Meanwhile ${requests} reached the simulators of other tests. A client that batches requests of concurrent tests sends them all from one of the tests.`,
  ]
}

/** One per process, which has one network. MSW patches it at the first `run`, and restores it after the last. */
export const interception: Interception = new Interception()
