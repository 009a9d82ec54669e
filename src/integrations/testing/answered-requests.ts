import type { RequestHandler } from 'msw'
import { isPassthrough } from '../../adapters/fetch.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { escapeControls, formatCount } from '../../utils/text.ts'
import { hasNock } from './other-interceptors.ts'

type RunHandler = RequestHandler['run']

/** The requests of the API that handlers of the user answered, so that the simulator did not receive them. */
export class AnsweredRequests {
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
      const end = this.#simulator.journal.followWritten(({ target }) => {
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
export function describeElsewhere(count: number): string[] {
  if (count === 0) return []
  return [
    `Meanwhile ${formatCount(count, 'request')} reached the simulators of other tests. A client that batches requests of concurrent tests sends them all from one of the tests.`,
  ]
}
