import { type HttpHandler, http, passthrough } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { pathItems } from '../../api/endpoints.ts'
import { matchesPath } from '../../sandbox/request-pattern.ts'
import type { Simulator } from '../../simulator.ts'
import { isLoopback } from '../../utils/network.ts'

const passthroughAll = http.all('*', () => passthrough())
const passthroughLocal = http.all(
  ({ request }) => isLoopback(new URL(request.url).host),
  () => passthrough(),
)

/** Never matches. Prints a hint for a path of the API below another prefix, which the simulator does not handle. */
const explainUnknownPath = http.all(
  ({ request }) => {
    const { origin, pathname } = new URL(request.url)
    const meant = findPrefixedPath(pathname)
    if (meant !== null) {
      console.error(
        `The simulator has no operation at ${origin}${pathname}. Did you mean ${meant}?`,
      )
    }
    return false
  },
  () => {},
)

/** @example findPrefixedPath('/v1/projects/1/annotations/') // '/api/projects/1/annotations/' */
function findPrefixedPath(path: string): string | null {
  const segments = path.split('/').slice(1)
  const paths = segments.map((_, index) => {
    const rest = segments.slice(index)
    return `/api/${rest.slice(rest[0] === 'api' ? 1 : 0).join('/')}`
  })
  const isKnown = (one: string) => pathItems.some(({ pattern }) => matchesPath(one, pattern.text))
  return paths.find((one) => one !== path && isKnown(one)) ?? null
}

/**
 * Intercepts the requests that a function sends. Functions can run concurrently, or inside one another: each has its
 * own handlers. Code outside reaches the network as usual.
 */
export class Interception {
  #running = 0
  #server: SetupServer | null = null
  /** How many requests all simulators received. */
  #received = 0
  readonly #counts = new WeakMap<Simulator, { own: number; readonly before: number }>()

  /**
   * Runs a function with the handlers of a simulator. Requests that no handler matches go through to this machine, and
   * fail elsewhere.
   *
   * @param isCounted whether the requests count for other simulators, which those of a sweep do not
   */
  async run<T>(
    simulator: Simulator,
    run: (server: SetupServer) => T | Promise<T>,
    isCounted = true,
  ): Promise<T> {
    const server = this.#enter()
    const count = { own: 0, before: this.#received }
    this.#counts.set(simulator, count)
    const stop = simulator.journal.followRecords(() => {
      if (isCounted) count.own += 1
      if (isCounted) this.#received += 1
    })
    try {
      return await server.boundary(async () => {
        server.resetHandlers(...simulator.handlers, passthroughLocal, explainUnknownPath)
        return run(server)
      })()
    } finally {
      // The timer of a request that is still held would delay the end of the process.
      simulator.breakpoints.clear()
      stop()
      this.#leave()
    }
  }

  /** How many requests reached other simulators since `run` started with this one. */
  countElsewhere(simulator: Simulator): number {
    const count = this.#counts.get(simulator)
    return count ? this.#received - count.before - count.own : 0
  }

  /** Whether these handlers are in use here. */
  isActive(handlers: readonly HttpHandler[]): boolean {
    const [first] = handlers
    return this.#server?.listHandlers().some((handler) => handler === first) ?? false
  }

  /** One server for all, since each adds an async context to the process that stays, and slows every promise down. */
  #enter(): SetupServer {
    this.#running++
    this.#server ??= setupServer(passthroughAll)
    // The names of MSW 2 and of MSW 3.
    const options = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
    if (this.#running === 1) this.#server.listen(options)
    return this.#server
  }

  #leave(): void {
    this.#running--
    if (this.#running === 0) this.#server?.close()
  }
}

/** One per process, which has one network. MSW patches it at the first `run`, and restores it after the last. */
export const interception: Interception = new Interception()
