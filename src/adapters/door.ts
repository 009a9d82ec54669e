import type { Base } from '../http/base.ts'
import type { Answer, Call, Head } from '../http/call.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { Path, PathMatch } from '../http/path.ts'
import { isFor, ledBy, paramsOf, type Route } from '../http/route.ts'
import type { Choose, Sandbox, Settle } from '../http/sandbox.ts'

type Params = Readonly<Record<string, string>>

/** Marks our handlers for those who know a shorter way than `run`; a symbol, since the code may be there twice. */
export const endpointMark: symbol = Symbol.for('understudy-api/endpoint')

/** An endpoint in its place, ready to answer: the same answer as by MSW's own door, without fetch objects. */
export interface EndpointDoor {
  readonly base: Base
  readonly route: { readonly endpoint: Pick<Endpoint<never>, 'id' | 'method'> }
  /** The path it has in common with the other methods of that path. */
  readonly path: Path
  /** How it answers a request of its path; null where another one does. */
  meet(method: string, found: PathMatch, head: Head): Meeting | null
}

/** A request and the endpoint that answers it. */
export interface Meeting {
  readonly params: Params
  /** The most bytes of a body. */
  readonly bodyLimit: number
  answer(call: Call): Answer | Promise<Answer>
}

/** The shorter way into a handler, where it is one of ours; a door is its own. */
export function doorOf(answering: object): EndpointDoor | null {
  if (answering instanceof Door) return answering
  return (Reflect.get(answering, endpointMark) as EndpointDoor | undefined) ?? null
}

/** As `meet`, for a whole request. */
export function meetingOf(door: EndpointDoor, method: string, head: Head): Meeting | null {
  const found = door.path.match(head.url)
  return found && door.meet(method, found, head)
}

/** How the endpoints of a service are answered. */
export interface Service<W, S extends Sandbox<W>> {
  readonly choose: Choose<S>
  readonly settle?: Settle<S>
  readonly answer: (
    route: Route<W>,
    params: Params,
    call: Call,
    sandbox: S,
  ) => Answer | Promise<Answer>
  /** Whether a body is worth reading: not for who will be refused anyway. */
  readonly isLetIn?: (method: string, head: Head) => boolean
}

/** A route, and the service that answers it. */
export class Door<W, S extends Sandbox<W>> implements EndpointDoor {
  readonly route: Route<W>
  readonly base: Base
  readonly #service: Service<W, S>

  constructor(route: Route<W>, base: Base, service: Service<W, S>) {
    this.route = route
    this.base = base
    this.#service = service
  }

  get path(): Path {
    return this.route.path
  }

  meet(method: string, found: PathMatch, head: Head): Meeting | null {
    const { route } = this
    if (!isFor(route.endpoint, method)) return null
    const sandbox = this.#service.choose(found.sandbox, head)
    const params = sandbox && paramsOf(route, method, found, sandbox.settings)
    if (!params) return null
    const isLetIn = this.#service.isLetIn?.(method, head) ?? true
    const limit = route.endpoint.bodyLimit ?? sandbox.settings['limits.body']
    return new SandboxMeeting(params, isLetIn ? limit : 0, { found, sandbox, door: this })
  }

  answer(params: Params, call: Call, met: Met<W, S>): Answer | Promise<Answer> {
    const service = this.#service
    const { found, sandbox } = met
    const settled = call.body === null ? sandbox : service.settle?.(found.sandbox, call, sandbox)
    if (settled === undefined || settled === sandbox) {
      return service.answer(this.route, params, call, sandbox)
    }
    if (!(settled instanceof Promise)) return this.#answerIn(settled, params, call, met)
    return settled.then((own) => this.#answerIn(own, params, call, met))
  }

  /** In another sandbox there may be other policies, and by them another endpoint on this path. */
  #answerIn(
    own: S,
    params: Params,
    call: Call,
    { found, sandbox }: Met<W, S>,
  ): Answer | Promise<Answer> {
    const led = own === sandbox ? null : ledBy(own.settings, this.route, call.method, found)
    if (!led) return this.#service.answer(this.route, params, call, sandbox)
    return this.#service.answer(led.route, led.params, call, own)
  }
}

/** What a request was met with. */
interface Met<W, S extends Sandbox<W>> {
  readonly found: PathMatch
  readonly sandbox: S
  readonly door: Door<W, S>
}

/** A request, and the sandbox that it is answered from. */
class SandboxMeeting<W, S extends Sandbox<W>> implements Meeting {
  readonly params: Params
  readonly bodyLimit: number
  readonly #met: Met<W, S>

  constructor(params: Params, bodyLimit: number, met: Met<W, S>) {
    this.params = params
    this.bodyLimit = bodyLimit
    this.#met = met
  }

  answer(call: Call): Answer | Promise<Answer> {
    return this.#met.door.answer(this.params, call, this.#met)
  }
}
