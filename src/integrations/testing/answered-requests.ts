import type { RequestHandler } from 'msw'
import { isPassthrough } from '../../adapters/handle-fetch.ts'
import type { Simulator } from '../../simulator.ts'
import { escapeControls } from '../../utils/escape.ts'

type Run = RequestHandler['run']

/** The requests of the API that handlers of the user answered, so that the simulator did not receive them. */
export class AnsweredRequests {
  readonly #simulator: Simulator
  /** A sentence for the first request of each handler */
  readonly #sentences = new Map<string, string>()

  constructor(simulator: Simulator) {
    this.#simulator = simulator
    // They also answer `simulator.fetch`, which no server of MSW sees.
    const { own } = simulator
    own.run = this.#following(own.run.bind(own))
  }

  /** @returns a handler that does the same, and is followed */
  follow(handler: RequestHandler): RequestHandler {
    return Object.create(handler, { run: { value: this.#following(handler.run.bind(handler)) } })
  }

  describe(): string[] {
    return [...this.#sentences.values()]
  }

  #following<Followed extends Run>(run: Followed): Followed {
    const followed = async (args: Parameters<Run>[0]): ReturnType<Run> => {
      const result = await run(args)
      if (result?.response) this.#add(result.handler, result.response, args.request)
      return result
    }
    return followed as Followed
  }

  #add({ info }: RequestHandler, response: Response, request: Request): void {
    const { method, url } = request
    const isOfApi = this.#simulator.endpointHandlers.some(
      (endpoint) => endpoint.match(method, url, request) !== null,
    )
    // MSW prints the pattern of http.all.
    const handler = info.header.replace('/.+/', 'ALL')
    if (!isOfApi || this.#sentences.has(handler)) return
    const name = `${method} ${new URL(url).pathname}`
    const done = isPassthrough(response) ? `let ${name} through` : `answered ${name}`
    const sentence = `Your handler ${handler} ${done} before the simulator.`
    this.#sentences.set(handler, escapeControls(sentence))
  }
}
