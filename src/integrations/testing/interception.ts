import { type HttpHandler, http, passthrough } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'

const passthroughAll = http.all('*', () => passthrough())
const passthroughLocal = http.all(/^https?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?\//, () =>
  passthrough(),
)

/**
 * Requests of this process, answered by handlers for as long as something runs. What runs at the same time, or
 * within, has handlers of its own; who is outside asks the network as ever.
 */
class Interception {
  #running = 0
  #server: SetupServer | null = null

  /**
   * Runs with handlers. Of what they do not answer, requests to this machine pass, and others fail.
   *
   * @returns what running returns
   */
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

  /** Whether these handlers answer here already. */
  isActive(handlers: readonly HttpHandler[]): boolean {
    const [first] = handlers
    return this.#server?.listHandlers().some((one) => one === first) ?? false
  }

  #enter(): SetupServer {
    this.#running++
    if (this.#server) return this.#server
    const server = setupServer(passthroughAll)
    // msw 3 has another name for it.
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

/** One to a process, as its network is: patched when the first begins, given back when the last has ended. */
export const interception: Interception = new Interception()
