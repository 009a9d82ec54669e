// The only way into MSW, which has no public one. It would have to answer these questions:
// 1. Does a server of the project listen, and since when? Servers share one source of requests, which follows the latest.
// 2. Which handlers and which async context does a request have, if others than its server decide that? The source queues it.
// 3. When was a server closed? That stops the source, and with it all servers.
// 4. How does a response end that its client leaves unread? MSW 2 copies it for listeners, and a copied stream ends with both.
// 5. Which requests does MSW 3 read from sockets of clients that it does not intercept? It gives them to all its copies.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { RequestHandler } from 'msw'
import * as mswNode from 'msw/node'
import { UsageError } from '../../utils/errors.ts'
import { nextTurn } from '../../utils/wait.ts'
import { keptFetch } from './kept-fetch.ts'

/** What decides about the requests of this process. */
export interface Answers {
  inContextOf<T>(request: Request, handle: () => T): T
  /** The handlers of a request. @param ofProject those of a server of the project; null if none listens */
  handlersFor(ofProject: readonly RequestHandler[] | null): RequestHandler[]
  /** Called for each request that MSW 3 reads from a socket. Of those of a client that it does not intercept, nothing else knows. */
  readonly onSocketRequest: (request: SocketRequest) => void
}

interface SocketRequest {
  readonly request: Request
  readonly controller: { errorWith(error: Error): void }
}

interface Source {
  readonly emitter: { listeners(type: 'frame'): readonly unknown[] }
  queue(frame: Frame): Promise<void>
  disable(): unknown
}

interface Frame {
  readonly protocol: string
  readonly data: { readonly request: Request }
  readonly events: {
    on(
      type: 'response:mocked' | 'response:bypass',
      listener: (event: { readonly response: Response }) => void,
    ): unknown
  }
  getHandlers(controller: unknown): RequestHandler[]
}

/** What emits the requests of sockets. It is under this symbol in a list that all copies of MSW 3 share. */
interface SocketRequests {
  on(type: 'request', listener: (request: SocketRequest) => void): unknown
  listeners(type: 'request'): readonly unknown[]
}
const socketRequests = Symbol.for('node-http-request-source')

const stopped =
  'A server of MSW was closed during a test. This stops all servers that listened before, and their handlers. ' +
  'Add handlers with server.use() to the server that listens already, instead of starting another.'

/**
 * The requests of this process, as MSW intercepts them. If a server of the project listens, it stays in charge. Else one of
 * this package does: one for all, since each adds an async context to the process that stays, and slows every promise down.
 */
export class MswNetwork {
  /** Whether requests come from sockets, as since MSW 3, and not from the calls of clients */
  readonly readsSockets: boolean
  readonly #source: Source
  #own: mswNode.SetupServer | null = null
  /** The source of the own server, while it listens. */
  #listening: unknown = null
  #isClosing = false
  #restore = () => {}

  /** @throws UsageError for a version of MSW that is not known: without it, requests would pass by the simulator */
  constructor(exported: object = mswNode) {
    const version = mswVersion()
    const options: { sources?: Source[] } | undefined = Reflect.get(
      exported,
      'defaultNetworkOptions',
    )
    const source = options?.sources?.[0]
    if (!source?.emitter || !('queue' in source)) {
      throw new UsageError(
        `msw ${version} is not known: its servers are not where those of msw 2.13 or newer, or 3 are. Install one of them: npm install --save-dev msw@2`,
      )
    }
    this.#source = source
    this.readsSockets = Number.parseInt(version, 10) >= 3
  }

  /** Whether a server of the project answers requests. */
  get hasProjectServer(): boolean {
    const active = this.#active()
    return active !== undefined && active !== this.#listening
  }

  /** Lets all requests be answered. `listen` starts, and `end` ends it. */
  intercept(answers: Answers): void {
    const source = this.#source
    const { queue, disable } = source
    const queued = new WeakSet<object>()
    const queueRequest = async (frame: Frame) => {
      const { getHandlers, data } = frame
      // After two servers have started, MSW runs the handlers of the latest twice for each request.
      if (queued.has(data.request)) return
      queued.add(data.request)
      if (!this.readsSockets) endUnread(frame)
      const isOwn = this.#active() === this.#listening
      frame.getHandlers = (controller) =>
        answers.handlersFor(isOwn ? null : getHandlers.call(frame, controller))
      return queue.call(source, frame)
    }
    source.queue = (frame) =>
      frame.protocol === 'http'
        ? answers.inContextOf(frame.data.request, () => queueRequest(frame))
        : queue.call(source, frame)
    source.disable = () => {
      const result = disable.call(source)
      this.#replaceClosed()
      return result
    }
    const { isIntercepted } = keptFetch
    keptFetch.isIntercepted = (input) => !queued.has(Object(input))
    this.#restore = () => {
      Object.assign(source, { queue, disable })
      keptFetch.isIntercepted = isIntercepted
    }
  }

  /** Starts the own server, unless one of the project listens. A test may have closed it. */
  listen({ onSocketRequest }: Answers): void {
    this.#listen()
    const registry = Reflect.get(globalThis, '__MSW_INTERCEPTORS_REGISTRY')
    const requests: SocketRequests | undefined = registry?.get(socketRequests)
    if (requests && !requests.listeners('request').includes(onSocketRequest))
      requests.on('request', onSocketRequest)
  }

  end(): void {
    this.#restore()
    // Closing it would stop a server of the project that took its place.
    if (this.#listening !== null && this.#listening === this.#active()) this.#close()
  }

  #active() {
    return this.#source.emitter.listeners('frame')[0]
  }

  #listen() {
    if (this.#active() !== undefined) return
    if (this.#listening !== null) this.#close()
    this.#own ??= mswNode.setupServer()
    // For WebSockets, by the names of MSW 2 and of MSW 3.
    const options = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
    this.#own.listen(options)
    this.#listening = this.#active()
  }

  #close() {
    this.#isClosing = true
    this.#own?.close()
    this.#isClosing = false
    this.#listening = null
  }

  #replaceClosed() {
    if (this.#isClosing) return
    if (this.#listening === null) console.error(stopped)
    this.#listen()
  }
}

/** Ends the copy of a response for listeners when they had their turn, and did not begin to read it. */
function endUnread({ events }: Frame) {
  const end = async ({ response }: { readonly response: Response }) => {
    await nextTurn()
    if (response.body && !response.bodyUsed && !response.body.locked)
      await response.body.cancel().catch(() => {})
  }
  events.on('response:mocked', end)
  events.on('response:bypass', end)
}

/** The version of msw that this package uses. Empty if its files are not found, as in a bundle */
function mswVersion() {
  try {
    const file = createRequire(import.meta.url).resolve('msw/package.json')
    return JSON.parse(readFileSync(file, 'utf8')).version
  } catch {
    return ''
  }
}
