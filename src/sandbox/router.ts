import type { HttpHandler } from 'msw'
import type { EndpointHandler } from '../adapters/endpoint-handler.ts'
import { handleFetch, notFoundHandlers, toEndpointHandlers } from '../adapters/handlers.ts'
import { toMswHandlers } from '../adapters/msw.ts'
import type { World } from '../api/endpoints.ts'
import { pathItems } from '../api/endpoints.ts'
import { type BaseUrl, formatBaseUrl, toBaseUrl } from '../http/base-url.ts'
import type { ApiResponse, RequestHead } from '../http/messages.ts'
import type { SandboxResolver } from '../http/sandbox.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { createErrorReporter } from '../utils/report-error.ts'
import { Clock } from '../world/clock/clock.ts'
import type { LoadedWorld } from '../world/load/load-world.ts'
import { handleRequest } from './handle-request.ts'
import { respondNotFound } from './respond-not-found.ts'
import { Sandbox } from './sandbox.ts'
import { deriveSandbox } from './sandboxes/sandbox-request.ts'
import type { SimulatorOptions } from './simulator-options.ts'

/** Where a request is answered; undefined where its address names a sandbox that is not there. */
export type ResolveSandbox = (named: string | undefined, head: RequestHead) => Sandbox | undefined

/**
 * What answers: a world, and the handlers that lead to it. All by which it is arranged, disturbed and looked at is
 * around it, in a simulator, and none of that is needed to answer.
 */
export class Router {
  readonly sandbox: Sandbox
  readonly base: BaseUrl
  /** Without sandboxes beside it, itself. */
  resolver: SandboxResolver<Sandbox> = {
    resolve: (named) => (named === undefined ? this.sandbox : undefined),
    resolveByBody: (_named, _call, chosen) => chosen,
  }
  #doors: EndpointHandler<World, Sandbox>[] | null = null
  #handlers: HttpHandler[] | null = null

  constructor(sandbox: Sandbox, base: BaseUrl) {
    this.sandbox = sandbox
    this.base = base
  }

  /** Real MSW handlers, one for each endpoint: made when first asked for, then always the same. */
  get handlers(): HttpHandler[] {
    this.#handlers ??= [
      ...toMswHandlers(this.endpointHandlers),
      ...notFoundHandlers(pathItems, this.base, this.notFound.bind(this)),
    ]
    return this.#handlers
  }

  /** What stands behind the handlers: for who asks without MSW, as a server does. */
  get endpointHandlers(): readonly EndpointHandler<World, Sandbox>[] {
    this.#doors ??= toEndpointHandlers(pathItems, this.base, {
      choose: (named, head) => this.resolver.resolve(named, head),
      settle: (named, call, chosen) => this.resolver.resolveByBody(named, call, chosen),
      answer: handleRequest,
    })
    return this.#doors
  }

  /** Where it begins: http://localhost where its base names no origin. */
  get address(): string {
    return formatBaseUrl(this.base)
  }

  /** The origin of that. */
  get origin(): string {
    return formatBaseUrl({ ...this.base, prefix: '' })
  }

  /** Answers a request as a server does, unknown paths included. @throws TypeError where a fault breaks the connection */
  async fetch(input: Request | string | URL, init?: RequestInit): Promise<Response> {
    const isPath = typeof input === 'string' && input.startsWith('/')
    const request =
      input instanceof Request && !init
        ? input
        : new Request(isPath ? this.address + input : input, init)
    const response = await handleFetch(this.endpointHandlers, request, this.notFound.bind(this))
    if (response.type === 'error') {
      request.signal.throwIfAborted()
      throw new TypeError('Failed to fetch')
    }
    return response
  }

  /** Another one that begins with some rows, and is like this one in all that was not asked for. @throws UsageError */
  like(loaded: LoadedWorld, request: Parameters<typeof deriveSandbox>[1]): Router {
    return new Router(deriveSandbox({ loaded, template: this.sandbox }, request), this.base)
  }

  /** The answer to a path that it does not have; a header names the endpoints nearest to it. */
  notFound(method: string, head: RequestHead): ApiResponse {
    return respondNotFound(method, head, this.base, this.resolver.resolve)
  }
}

/** A service that begins with a world. @throws UsageError for a clock, a journal or a base that cannot be */
export function openRouter(
  loaded: LoadedWorld,
  settings: PolicySettings,
  { baseUrl = '*', clock = 'real', journal, onError = console.error }: SimulatorOptions,
): Router {
  const report = createErrorReporter(onError)
  const sandbox = new Sandbox({ loaded, settings, clock: new Clock(clock), journal, report })
  return new Router(sandbox, toBaseUrl(baseUrl))
}
