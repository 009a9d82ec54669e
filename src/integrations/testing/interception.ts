import { AsyncLocalStorage } from 'node:async_hooks'
import module from 'node:module'
import type { RequestHandler } from 'msw'
import type { Simulator } from '../../simulator/simulator.ts'
import { escapeControls } from '../../utils/text.ts'
import { nextTurn } from '../../utils/wait.ts'
import { replaceKeptFetch } from './kept-fetch.ts'
import { type Answers, MswNetwork } from './msw-network.ts'
import {
  afterEnd,
  isLocal,
  isOfApi,
  nameOf,
  OtherHandlers,
  refuseLate,
  refuseUnclear,
} from './other-requests.ts'
import { followSentRequests, type SentRequest } from './sent-requests.ts'

/** How long a function that ends waits for its last requests, in turns of the event loop. */
const turns = { least: 2, most: 50 } as const

/** A function that runs, such as a test, and what answers the code that it calls, even after its end. */
interface Run {
  readonly simulator: Simulator
  readonly outer: Run | undefined
}

/** A header that a request has between its client and MSW 3, which both are in this process. */
const senderHeader = 'understudy-sender'

/**
 * Intercepts the requests that a function sends. Functions can run concurrently, or inside one another: each has its
 * own handlers. What code outside sends belongs to the function that runs, if there is a single one, and is refused if there are
 * several. If a server of MSW that belongs to the project listens, it stays in charge, and has the handlers of the simulator
 * behind its own.
 */
export class Interception implements Answers {
  readonly #network: MswNetwork
  readonly #current = new AsyncLocalStorage<Run>()
  readonly #running = new Set<Run>()
  /**
   * Who sent the requests that MSW 3 did not get yet. It reads them from sockets, which clients keep for the code that sends
   * the next request: so each says by a header in which async context it was sent.
   */
  readonly #senders = new Map<string, { run: Run; inContext: <T>(handle: () => T) => T }>()
  #sent = 0
  #others: OtherHandlers | null = null

  constructor(network: MswNetwork = new MswNetwork()) {
    this.#network = network
  }

  /**
   * Runs a function with the handlers of a simulator. Requests that no handler matches follow `onUnhandledRequest` of the
   * project's own server. Without one, they go through to this machine, and fail elsewhere.
   */
  async run<T>(simulator: Simulator, run: () => T | Promise<T>): Promise<T> {
    const entered: Run = { simulator, outer: this.#current.getStore() }
    this.#enter(entered)
    try {
      return await this.#current.run(entered, run)
    } finally {
      // The timer of a request that still waits would delay the end of the process.
      simulator.faults.endWaits()
      await this.#untilArrived(entered)
      this.#leave(entered)
    }
  }

  isActive(simulator: Simulator): boolean {
    return this.#current.getStore()?.simulator === simulator
  }

  #enter(run: Run) {
    if (!this.#others) followSentRequests(this.#onSent.bind(this))
    // At import, MSW may still be on its way.
    this.#others ??= new OtherHandlers()
    this.#running.add(run)
    if (this.#running.size === 1) this.#network.intercept(this)
    try {
      this.#network.listen(this)
      // Without it, `import { request } from 'node:http'` and `import * as http` are not what MSW replaced.
      module.syncBuiltinESMExports?.()
    } catch (error) {
      this.#leave(run)
      throw error
    }
  }

  #leave(run: Run) {
    this.#running.delete(run)
    if (this.#running.size > 0) return
    this.#network.end()
    module.syncBuiltinESMExports?.()
  }

  /** Waits for the requests that were sent last: MSW does not have them yet, and would let them through. */
  async #untilArrived(run: Run) {
    const ofRun = () => [...this.#senders].filter(([, sender]) => sender.run === run)
    for (let turn = 0; turn < turns.most; turn++) {
      if (turn >= turns.least && ofRun().length === 0) break
      await nextTurn()
    }
    // Those that never came, such as of a client that is not intercepted.
    for (const [id] of ofRun()) this.#senders.delete(id)
  }

  /** A client begins to send a request, in the async context of the code that calls it. */
  #onSent(request: SentRequest) {
    const run = this.#current.getStore()
    if (!run) return
    if (!this.#running.has(run)) this.#refuseLate(request, run)
    else if (this.#network.readsSockets) {
      this.#sent += 1
      const id = String(this.#sent)
      this.#senders.set(id, { run, inContext: AsyncLocalStorage.snapshot() })
      request.setHeader(senderHeader, id)
    } else if (request.isMissed ?? isOfApi(run.simulator, request.url)) {
      if (!isLocal(request.url)) refuseSent(request, notIntercepted)
    }
  }

  /** Refuses a request of a client that MSW 3 does not intercept. Its own listeners come first. */
  readonly onSocketRequest: Answers['onSocketRequest'] = async ({ request, controller }) => {
    const { headers, method, url } = request
    if (!headers.has(senderHeader)) return
    await nextTurn()
    if (!headers.has(senderHeader)) return
    this.#takeSender(request)
    const refuse = (error: Error) => controller.errorWith(error)
    if (!isLocal(url)) refuseSent({ method, url, refuse }, notIntercepted)
  }

  /** Refuses a request of a function that has ended: one to the API wherever it goes, others as they would be before. */
  #refuseLate(request: SentRequest, { simulator }: Run) {
    const isAllowed = this.#network.hasProjectServer || isLocal(request.url)
    if (isAllowed && !isOfApi(simulator, request.url)) return
    refuseSent(request, afterEnd(simulator))
  }

  /** Takes from a request what says who sent it. Undefined if that is not known */
  #takeSender({ headers }: Request) {
    const id = headers.get(senderHeader) ?? ''
    headers.delete(senderHeader)
    const sender = this.#senders.get(id)
    this.#senders.delete(id)
    return sender
  }

  /** Handles a request in the async context of the code that sent it. */
  inContextOf<T>(request: Request, handle: () => T): T {
    if (!this.#network.readsSockets) return handle()
    const sender = this.#takeSender(request)
    return sender ? sender.inContext(handle) : this.#current.run(undefined as never, handle)
  }

  /** What a request of this code belongs to. Undefined if that is not known: several functions run, and none called it. */
  #findRun(): Run | undefined {
    const known = this.#current.getStore()
    if (known) return known
    const outer = new Set([...this.#running].map((run) => run.outer))
    const [only, ...others] = [...this.#running].filter((run) => !outer.has(run))
    return others.length === 0 ? only : undefined
  }

  handlersFor(ofProject: readonly RequestHandler[] | null): RequestHandler[] {
    const run = this.#findRun()
    const others = this.#others ?? new OtherHandlers()
    const { passthroughAdmin, passthroughLocal, explainUnknownPath, refuseAll } = others
    const last = ofProject ?? [passthroughLocal, refuseAll]
    if (!run) {
      const unclear = refuseUnclear([...this.#running].map(({ simulator }) => simulator))
      return ofProject ? [...ofProject, unclear] : [unclear, ...last]
    }
    const { handlers } = run.simulator
    if (!this.#running.has(run)) return [refuseLate(run.simulator), ...last]
    if (!ofProject) {
      return [...handlers, passthroughAdmin, passthroughLocal, explainUnknownPath, refuseAll]
    }
    const [ofUser, rest] = [handlers.slice(0, 1), handlers.slice(1)]
    return [...ofUser, ...ofProject, ...rest, passthroughAdmin, explainUnknownPath]
  }
}

const notIntercepted =
  "MSW did not answer it: a handler let it through, or its client is the package undici, or keeps a function that it found too early. For fetch, import this package before the client, in Vitest by setupFiles: ['understudy-api/vitest'], or give the client one that looks up the present one, as by createClient({ fetch: (...args) => fetch(...args) }). For others, use a server: the fixture `server`, `listen(simulator)`, or `exec`."

function refuseSent(request: Pick<SentRequest, 'method' | 'url' | 'refuse'>, why: string) {
  const message = `${nameOf(request)} was refused. ${why}`
  console.error(escapeControls(message))
  request.refuse(new Error(message))
}

/** One per process, which has one network. MSW patches it at the first `run`, and restores it after the last. */
export const interception: Interception = new Interception()
replaceKeptFetch()
