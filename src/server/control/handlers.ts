import { type ApiHandler, createEndpointHandlers } from '../../adapters/endpoint-handler.ts'
import { answer } from '../../http/answer.ts'
import { type EndpointContext, emptyDirectory, type SandboxResolver } from '../../http/endpoint.ts'
import { Failure } from '../../http/failures.ts'
import type { ApiResponse } from '../../http/messages.ts'
import { createPathItems } from '../../http/route.ts'
import { endpointNotFound, suggestEndpoints } from '../../http/unknown-path.ts'
import { toBaseUrl } from '../../http/url.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import type { ControlCall } from '../../scenarios/recording/run-recorder.ts'
import type { Simulator } from '../../simulator.ts'
import { tryParseJson } from '../../utils/json.ts'
import { didYouMean, LimitError, UsageError } from '../../utils/usage-error.ts'
import type { ControlContext } from './control-endpoint.ts'
import { allControlEndpoints, controlDocument } from './endpoints.ts'
import { checkAccess, type Guard, isAllowed } from './guard.ts'

const pathItems = createPathItems(allControlEndpoints)

export interface ControlOptions extends Pick<ControlContext, 'scenarios'> {
  readonly guard: Guard
  /** Called with unexpected errors. The client receives a 500. */
  readonly report: (error: unknown) => void
  /** Called after each successful request that is not a GET. */
  readonly onControl?: ((call: ControlCall) => void) | undefined
}

/**
 * Creates the handlers of the control API. Policies of the service do not apply to it, so its errors always have the
 * same format.
 */
export function createControlHandlers(
  root: Simulator,
  { guard, scenarios, report, onControl }: ControlOptions,
): ApiHandler[] {
  const openApiDocument = (): object => controlDocument(allControlEndpoints, resolvePolicies())
  return createEndpointHandlers(pathItems, toBaseUrl('*'), {
    resolver: createResolver(root, report, (simulator) => ({
      simulator,
      root,
      scenarios,
      openApiDocument,
    })),
    async run(route, request, context) {
      const { endpoint, params } = route
      const { method } = request
      const response = await answer(route, request, context, () => {
        checkAccess(method, request, guard, endpoint.scope)
        return {}
      })
      if (onControl && response.status < 300 && method !== 'GET') {
        const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
        const body = tryParseJson(new TextDecoder().decode(bytes))?.value
        onControl({ operation: endpoint.id, params, body, simulator: context.world.simulator })
      }
      // The request may have advanced the clock.
      root.sandboxes.endExpired()
      return response
    },
    acceptsBody: (method, head) => isAllowed(method, head, guard),
  })
}

/** Resolves sandboxes for endpoints to which the policies of the service do not apply. */
export function createResolver<W>(
  root: Simulator,
  report: (error: unknown) => void,
  toWorld: (simulator: Simulator) => W,
): SandboxResolver<EndpointContext<W>> {
  const settings = resolvePolicies()
  const toContext = (simulator: Simulator): EndpointContext<W> => ({
    settings,
    directory: emptyDirectory,
    world: toWorld(simulator),
    throttle: () => 0,
    toFailure,
    report,
  })
  const rootContext = toContext(root)
  return {
    resolve(id) {
      if (id === undefined) return rootContext
      const simulator = root.sandboxes.get(id)
      return simulator && toContext(simulator)
    },
  }
}

function toFailure(error: unknown): Failure | null {
  if (!(error instanceof UsageError)) return null
  const { message, field } = error
  if (error instanceof LimitError) return new Failure('throttled', message)
  return new Failure('validation_error', message, field === null ? {} : { attr: field })
}

/** The response for an unknown path, without the sandbox. A header names the nearest operations, and the message a similar path. */
export function controlNotFound(method: string, path: string): ApiResponse {
  const settings = resolvePolicies()
  const suggestions = suggestEndpoints(method, path, allControlEndpoints, settings)
  const paths = allControlEndpoints.map((endpoint) => endpoint.path)
  const nearest = didYouMean(path, paths, 3)
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return endpointNotFound(suggestions, settings, undefined, `Endpoint not found.${hint}`)
}
