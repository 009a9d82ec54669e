import { type HttpHandler, http, passthrough } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'

const passthroughAll = http.all('*', () => passthrough())
const passthroughLocal = http.all(/^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?\//, () =>
  passthrough(),
)

/**
 * Intercepts the requests that a function sends. Functions can run concurrently, or inside one another: each has its
 * own handlers. Code outside reaches the network as usual.
 */
class Interception {
  #running = 0
  #server: SetupServer | null = null

  /** Runs a function with handlers. Requests that no handler matches go through to this machine, and fail elsewhere. */
  async run<T>(
    handlers: readonly HttpHandler[],
    run: (server: SetupServer) => T | Promise<T>,
  ): Promise<T> {
    const server = this.#enter()
    try {
      return await server.boundary(async () => {
        server.resetHandlers(...handlers, passthroughLocal)
        return run(server)
      })()
    } finally {
      this.#leave()
    }
  }

  /** Whether these handlers are in use here. */
  isActive(handlers: readonly HttpHandler[]): boolean {
    const [first] = handlers
    return this.#server?.listHandlers().some((handler) => handler === first) ?? false
  }

  #enter(): SetupServer {
    this.#running++
    if (this.#server) return this.#server
    const server = setupServer(passthroughAll)
    // The names of MSW 2 and of MSW 3.
    const options = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
    server.listen(options)
    this.#server = server
    return server
  }

  #leave(): void {
    this.#running--
    if (this.#running > 0) return
    this.#server?.close()
    this.#server = null
  }
}

/** One per process, which has one network. MSW patches it at the first `run`, and restores it after the last. */
export const interception: Interception = new Interception()
