import { AsyncLocalStorage } from 'node:async_hooks'
import module from 'node:module'
import type { RequestHandler } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import type { Simulator } from '../../simulator/simulator.ts'
import { isLoopback } from '../../utils/network.ts'
import { escapeControls } from '../../utils/text.ts'
import { nextTurn } from '../../utils/wait.ts'
import { findMswServers, type MswServers, type SocketRequest } from './msw-servers.ts'
import { checkMsw } from './msw-version.ts'
import { OtherHandlers, refuseUnclear } from './other-requests.ts'
import { withPlainErrors } from './plain-errors.ts'
import { followSentRequests, RequestsOnTheirWay, type SentRequest } from './sent-requests.ts'

/** How long a function that ends waits for its last requests, in turns of the event loop. */
const turns = { least: 2, most: 50 } as const

/** What a function, and the code that it calls, is answered by. */
interface Context {
  readonly simulator: Simulator
  /** That of the function that this one runs in */
  readonly outer: Context | undefined
  /** In the order in which they run, without those of a server of the project */
  readonly handlers: RequestHandler[]
}

const stopped =
  'A server of MSW was closed during a test. This stops all servers that listened before, and their handlers. ' +
  'Add handlers with server.use() to the server that listens already, instead of starting another.'

/**
 * Intercepts the requests that a function sends. Functions can run concurrently, or inside one another: each has its
 * own handlers. What code outside sends belongs to the function that runs, if there is a single one, and is refused if there are
 * several. If a server of MSW that belongs to the project listens, it stays in charge, and has the handlers of the simulator
 * behind its own.
 */
export class Interception {
  readonly #current = new AsyncLocalStorage<Context>()
  readonly #servers: MswServers
  #own: (OtherHandlers & { readonly server: SetupServer }) | null = null
  /** What `active()` of the servers was when the own server began to listen; null if it does not listen. */
  #listening: unknown = null
  #isClosing = false
  readonly #running = new Set<Context>()
  readonly #onTheirWay = new RequestsOnTheirWay<Context>()
  #isFollowing = false
  #restore = (): void => {}

  constructor(servers?: MswServers) {
    withPlainErrors(checkMsw)
    this.#servers = servers ?? withPlainErrors(findMswServers)
  }

  /**
   * Runs a function with the handlers of a simulator. Requests that no handler matches follow `onUnhandledRequest` of the
   * project's own server. Without one, they go through to this machine, and fail elsewhere.
   */
  async run<T>(simulator: Simulator, run: () => T | Promise<T>): Promise<T> {
    const { passthroughAdmin, passthroughLocal, explainUnknownPath } = this.#opened
    const others = [passthroughAdmin, passthroughLocal, explainUnknownPath]
    const handlers = [...simulator.handlers, ...others]
    const context = { simulator, handlers, outer: this.#current.getStore() }
    this.#enter(context)
    try {
      return await this.#current.run(context, run)
    } finally {
      // The timer of a request that still waits would delay the end of the process.
      simulator.faults.endWaits()
      await this.#untilArrived(context)
      this.#leave(context)
    }
  }

  /** Whether this simulator answers requests here. */
  isActive(simulator: Simulator): boolean {
    return this.#current.getStore()?.simulator === simulator
  }

  #enter(context: Context): void {
    if (!this.#isFollowing) followSentRequests(this.#onSent.bind(this))
    this.#isFollowing = true
    this.#running.add(context)
    if (this.#running.size === 1) {
      this.#restore = this.#servers.change({
        inContextOf: this.#inContextOf.bind(this),
        changeHandlers: this.#changeHandlers.bind(this),
        onClose: this.#replaceClosed.bind(this),
      })
    }
    try {
      this.#listen()
      this.#servers.onSocketRequest(this.#onSocketRequest)
      // Without it, `import { request } from 'node:http'` and `import * as http` are not what MSW replaced.
      module.syncBuiltinESMExports?.()
    } catch (error) {
      this.#leave(context)
      throw error
    }
  }

  #leave(context: Context): void {
    this.#running.delete(context)
    if (this.#running.size > 0) return
    this.#restore()
    // Closing it would stop a server of the project that took its place.
    if (this.#listening !== null && this.#listening === this.#servers.active()) this.#close()
    module.syncBuiltinESMExports?.()
  }

  /** Waits for the requests that were sent last: MSW does not have them yet, and would let them through. */
  async #untilArrived(context: Context): Promise<void> {
    for (let turn = 0; turn < turns.most; turn++) {
      if (turn >= turns.least && !this.#onTheirWay.isOnItsWay(context)) break
      await nextTurn()
    }
    this.#onTheirWay.forget(context)
  }

  /** A client begins to send a request, in the async context of the code that calls it. */
  #onSent(request: SentRequest): void {
    const context = this.#current.getStore()
    if (!context) return
    if (this.#running.size === 0) this.#refuseLate(request, context)
    else if (this.#servers.readsSockets) this.#onTheirWay.add(request, context)
    else if (request.isMissed ?? isOfApi(request, context)) refuseSent(request, notIntercepted)
  }

  /** Refuses a request of a client that MSW 3 does not intercept. Its own listeners come first. */
  readonly #onSocketRequest = async ({ request, controller }: SocketRequest): Promise<void> => {
    if (!this.#onTheirWay.has(request)) return
    await nextTurn()
    if (!this.#onTheirWay.has(request)) return
    this.#onTheirWay.take(request)
    const { method, url } = request
    refuseSent({ method, url, refuse: (error) => controller.errorWith(error) }, notIntercepted)
  }

  /** Refuses a request of a function that has ended, unless a server of the project may answer it. */
  #refuseLate(request: SentRequest, context: Context): void {
    if (!isOfApi(request, context) && this.#servers.active() !== undefined) return
    const { simulator } = context
    const ended =
      simulator.name === null ? 'The function' : `The test ${JSON.stringify(simulator.name)}`
    refuseSent(
      request,
      `${ended} had ended when its code sent it. Await it before the end, or abort it.`,
    )
  }

  /** Handles a request in the async context of the code that sent it. */
  #inContextOf<T>(request: Request, handle: () => T): T {
    if (!this.#servers.readsSockets) return handle()
    const runInContext = this.#onTheirWay.take(request)
    return runInContext ? runInContext(handle) : this.#current.run(undefined as never, handle)
  }

  /** What answers a request of this code. Undefined if that is not known: several functions run, and none called it. */
  get #context(): Context | undefined {
    const known = this.#current.getStore()
    if (known) return known
    const outer = new Set([...this.#running].map((context) => context.outer))
    const [only, ...others] = [...this.#running].filter((context) => !outer.has(context))
    return others.length === 0 ? only : undefined
  }

  /** One server for all, since each adds an async context to the process that stays, and slows every promise down. */
  #listen(): void {
    if (this.#servers.active() !== undefined) return
    if (this.#listening !== null) this.#close()
    // For WebSockets, by the names of MSW 2 and of MSW 3.
    const options = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
    this.#opened.server.listen(options)
    this.#listening = this.#servers.active()
  }

  /** The server of this package, and its handlers. At import, MSW may still be on its way. */
  get #opened(): OtherHandlers & { readonly server: SetupServer } {
    if (this.#own) return this.#own
    const handlers = new OtherHandlers()
    this.#own = Object.assign(handlers, { server: setupServer(handlers.passthroughAll) })
    return this.#own
  }

  #close(): void {
    this.#isClosing = true
    this.#opened.server.close()
    this.#isClosing = false
    this.#listening = null
  }

  #replaceClosed(): void {
    if (this.#isClosing) return
    if (this.#listening === null) console.error(stopped)
    this.#listen()
  }

  #changeHandlers(handlers: readonly RequestHandler[]): RequestHandler[] {
    const context = this.#context
    const { passthroughAll, passthroughLocal, refuseAll } = this.#opened
    const isOwn = handlers.includes(passthroughAll)
    if (!context) {
      const unclear = refuseUnclear([...this.#running].map(({ simulator }) => simulator))
      return isOwn ? [unclear, passthroughLocal, refuseAll] : [...handlers, unclear]
    }
    if (isOwn) return [...context.handlers, refuseAll]
    const { userHandlers } = context.simulator
    const rest = context.handlers.filter(
      (handler) => handler !== userHandlers && handler !== passthroughLocal,
    )
    return [userHandlers, ...handlers, ...rest]
  }
}

function isOfApi({ url }: SentRequest, { simulator }: Context): boolean {
  return simulator.match(url, { url, headers: new Headers() }) !== null
}

const notIntercepted =
  'MSW did not answer it: a handler let it through, or MSW does not intercept its client, such as the package undici, or a function that was kept before the test, as by `const { get } = require("node:http")`. Call fetch or http.get, or use a server: the fixture `server`, or `exec`.'

/** Refuses a request to another machine before it leaves this one. */
function refuseSent(request: Pick<SentRequest, 'method' | 'url' | 'refuse'>, why: string): void {
  const { host, origin, pathname } = new URL(request.url)
  if (isLoopback(host)) return
  const message = `${request.method} ${origin}${pathname} was refused. ${why}`
  console.error(escapeControls(message))
  request.refuse(new Error(message))
}

/** One per process, which has one network. MSW patches it at the first `run`, and restores it after the last. */
export const interception: Interception = new Interception()
