import type { HttpHandler } from 'msw'
import type { Door } from './adapters/door.ts'
import { toHandlers } from './adapters/msw.ts'
import { answerBy, notFoundHandlers, toDoors } from './adapters/service.ts'
import type { World } from './beginning.ts'
import { families } from './endpoints.ts'
import { addressOf, type Base, toBase } from './http/base.ts'
import type { Answer, Head } from './http/call.ts'
import type { Choosing } from './http/sandbox.ts'
import { answerUnknown } from './not-found.ts'
import type { PolicySettings } from './policies/policies.ts'
import { rehearse } from './rehearse.ts'
import { toReport } from './report.ts'
import { WorldSandbox } from './sandbox.ts'
import { begin } from './sandboxes/begin.ts'
import type { SimulatorOptions } from './simulator-options.ts'
import { Clock } from './world/clock.ts'
import type { LoadedWorld } from './world/load.ts'

/** Where a request is answered; undefined where its address names a sandbox that is not there. */
export type Choose = (named: string | undefined, head: Head) => WorldSandbox | undefined

/**
 * What answers: a world, and the handlers that lead to it. All by which it is arranged, disturbed and looked at is
 * around it, in a simulator, and none of that is needed to answer.
 */
export class Service {
  readonly sandbox: WorldSandbox
  readonly base: Base
  /** Without sandboxes beside it, itself. */
  choosing: Choosing<WorldSandbox> = {
    choose: (named) => (named === undefined ? this.sandbox : undefined),
    settle: (_named, _call, chosen) => chosen,
  }
  #doors: Door<World, WorldSandbox>[] | null = null
  #handlers: HttpHandler[] | null = null

  constructor(sandbox: WorldSandbox, base: Base) {
    this.sandbox = sandbox
    this.base = base
  }

  /** Real MSW handlers, one for each endpoint: made when first asked for, then always the same. */
  get handlers(): HttpHandler[] {
    this.#handlers ??= [
      ...toHandlers(this.doors),
      ...notFoundHandlers(families, this.base, this.notFound.bind(this)),
    ]
    return this.#handlers
  }

  /** What stands behind the handlers: for who asks without MSW, as a server does. */
  get doors(): readonly Door<World, WorldSandbox>[] {
    this.#doors ??= toDoors(families, this.base, {
      choose: (named, head) => this.choosing.choose(named, head),
      settle: (named, call, chosen) => this.choosing.settle(named, call, chosen),
      answer: rehearse,
    })
    return this.#doors
  }

  /** Where it begins: http://localhost where its base names no origin. */
  get address(): string {
    return addressOf(this.base)
  }

  /** The origin of that. */
  get origin(): string {
    return addressOf({ ...this.base, prefix: '' })
  }

  /** Answers a request as a server does, unknown paths included. @throws TypeError where a fault breaks the connection */
  async fetch(input: Request | string | URL, init?: RequestInit): Promise<Response> {
    const isPath = typeof input === 'string' && input.startsWith('/')
    const request =
      input instanceof Request && !init
        ? input
        : new Request(isPath ? this.address + input : input, init)
    const response = await answerBy(this.doors, request, this.notFound.bind(this))
    if (response.type === 'error') {
      request.signal.throwIfAborted()
      throw new TypeError('Failed to fetch')
    }
    return response
  }

  /** Another one that begins with some rows, and is like this one in all that was not asked for. @throws UsageError */
  like(loaded: LoadedWorld, request: Parameters<typeof begin>[1]): Service {
    return new Service(begin({ loaded, like: this.sandbox }, request), this.base)
  }

  /** The answer to a path that it does not have; a header names the endpoints nearest to it. */
  notFound(method: string, head: Head): Answer {
    return answerUnknown(method, head, this.base, this.choosing.choose)
  }
}

/** A service that begins with a world. @throws UsageError for a clock, a journal or a base that cannot be */
export function openService(
  loaded: LoadedWorld,
  settings: PolicySettings,
  { baseUrl = '*', clock = 'real', journal, onError = console.error }: SimulatorOptions,
): Service {
  const report = toReport(onError)
  const sandbox = new WorldSandbox({ loaded, settings, clock: new Clock(clock), journal, report })
  return new Service(sandbox, toBase(baseUrl))
}
