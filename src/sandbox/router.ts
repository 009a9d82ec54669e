import type { HttpHandler } from 'msw'
import { notFoundHandlers, OwnHandlers, toMswHandlers } from '../adapters/msw.ts'
import { endpoints, pathItems, type World } from '../api/endpoints.ts'
import { findRoute } from '../api/find-route.ts'
import type { SandboxResolver } from '../http/endpoint.ts'
import { failureResponse } from '../http/failure-response.ts'
import { Failure } from '../http/failures.ts'
import type { ApiRequest, ApiResponse, RequestHead } from '../http/messages.ts'
import {
  type ApiHandler,
  createEndpointHandlers,
  type EndpointRunner,
  type ResolvedRoute,
} from '../http/route.ts'
import { endpointNotFound, suggestEndpoints } from '../http/unknown-path.ts'
import {
  apiPath,
  type BaseUrl,
  formatBaseUrl,
  isApiPath,
  queryString,
  requestTarget,
  splitSandboxPath,
  toBaseUrl,
} from '../http/url.ts'
import { TrackedValues } from '../settings/by-setting.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { SettingValues } from '../settings/setting.ts'
import { createErrorReporter } from '../utils/report-error.ts'
import { Clock } from '../world/clock/clock.ts'
import type { LoadedWorld } from '../world/load/build-world.ts'
import { JournalRecord } from './journal/journal.ts'
import type { Explain } from './pipeline.ts'
import { Sandbox } from './sandbox.ts'
import type { SimulatorOptions } from './simulator-options.ts'

/**
 * Routes requests to the endpoints of a sandbox. This is the part of a simulator that a browser page loads first.
 * Faults, journal access and scenarios load on demand.
 */
export class Router implements EndpointRunner<World, Sandbox>, SandboxResolver<Sandbox> {
  readonly sandbox: Sandbox
  readonly base: BaseUrl
  /** Adds a header that explains each response, if it is set. */
  explain: Explain<Sandbox> | null
  /** The handlers of the user, which come first. */
  readonly own: OwnHandlers
  /** Replaced by a simulator, which adds sandboxes. */
  resolver: SandboxResolver<Sandbox> = this
  #endpointHandlers: readonly ApiHandler[] | null = null
  #handlers: HttpHandler[] | null = null

  constructor(
    sandbox: Sandbox,
    base: BaseUrl,
    explain: Explain<Sandbox> | null = null,
    own: OwnHandlers = new OwnHandlers([]),
  ) {
    this.sandbox = sandbox
    this.base = base
    this.explain = explain
    this.own = own
  }

  resolve(sandboxId: string | undefined): Sandbox | undefined {
    return sandboxId === undefined ? this.sandbox : undefined
  }

  run(
    route: ResolvedRoute<World>,
    request: ApiRequest,
    sandbox: Sandbox,
  ): ApiResponse | Promise<ApiResponse> {
    return sandbox.pipeline.handle(route, request, this.explain)
  }

  /** Real MSW handlers: one for all of the user, then one for each path. Created on first use, then always the same. */
  get handlers(): HttpHandler[] {
    this.#handlers ??= [
      this.own,
      ...toMswHandlers(this.endpointHandlers),
      ...notFoundHandlers(this.base, this.notFound.bind(this)),
    ]
    return this.#handlers
  }

  /** The handlers behind the MSW handlers, for a server. */
  get endpointHandlers(): readonly ApiHandler[] {
    this.#endpointHandlers ??= createEndpointHandlers(pathItems, this.base, this)
    return this.#endpointHandlers
  }

  /** The base URL, with http://localhost for any origin. */
  get url(): string {
    return formatBaseUrl(this.base)
  }

  /** The origin of the base URL. */
  get origin(): string {
    return formatBaseUrl({ ...this.base, prefix: '' })
  }

  /** The response to an unknown path or an unknown sandbox. The journal records unknown paths of the API. */
  notFound(method: string, head: RequestHead): ApiResponse {
    const [target = '/'] = requestTarget(head.url).slice(this.base.prefix.length).split('?')
    const { sandboxId, path } = splitSandboxPath(target)
    const sandbox = this.resolver.resolve(sandboxId, head)
    if (!sandbox) {
      const detail = `Sandbox ${sandboxId} not found: ${unknownSandboxReason}.`
      return failureResponse(new Failure('not_found', detail), resolveSettings())
    }
    const { journal, settingTracker } = sandbox
    settingTracker.takeReads()
    // A path of the API is unknown if the settings disable its operation.
    findRoute({ method, target }, sandbox.settings)
    const suggestions = suggestEndpoints(method, apiPath(path), endpoints, settingTracker.untracked)
    const request = { method, target: requestTarget(head.url), headers: head.headers }
    const call = isApiPath(path) && { ...request, query: queryString(head.url) }
    const response = endpointNotFound(path, suggestions, sandbox.settings, call || undefined)
    const isControl = /^\/__admin(\/|$)/.test(path)
    if (isControl || (journal.isOff && !this.explain)) return response
    // The body is never read, so it can have any size.
    const record = new JournalRecord(journal.nextId(), null, request, sandbox)
    record.attach(response, settingTracker, [])
    sandbox.record(record.complete({ body: null }, response, 0))
    return this.explain?.(response, record, sandbox) ?? response
  }
}

/** Why no sandbox has an id, if nothing else is known of it. */
export const unknownSandboxReason = 'it was never created, or has ended'

/** Opens a router for a world. @throws UsageError for an invalid clock, journal limit or base URL */
export function openRouter(
  loaded: LoadedWorld,
  settings: SettingValues,
  { baseUrl = '*', clock = 'real', journal, handlers, onError = console.error }: SimulatorOptions,
  /** A page does not load it first. */
  explain?: Explain<Sandbox> | null,
): Router {
  const report = createErrorReporter(onError)
  const rest = { clock: new Clock(clock), journal, report }
  const sandbox = new Sandbox({ loaded, settingTracker: new TrackedValues(settings), ...rest })
  return new Router(sandbox, toBaseUrl(baseUrl), explain, new OwnHandlers(handlers ?? []))
}
