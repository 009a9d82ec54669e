import type { ApiHandler } from '../../adapters/endpoint-handler.ts'
import { createEndpointHandlers } from '../../adapters/handlers.ts'
import { answer } from '../../http/answer.ts'
import { toBaseUrl } from '../../http/base-url.ts'
import { type EndpointContext, emptyDirectory } from '../../http/context.ts'
import { Failure } from '../../http/failures.ts'
import type { ApiResponse } from '../../http/messages.ts'
import { createPathItems } from '../../http/route.ts'
import { endpointNotFound, suggestEndpoints } from '../../http/unknown-path.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import { type ControlCall, parseJsonBytes } from '../../scenarios/recording/control-steps.ts'
import type { Simulator } from '../../simulator.ts'
import { LimitError, UsageError } from '../../utils/usage-error.ts'
import type { ControlContext } from './control-endpoint.ts'
import { controlDocument } from './document.ts'
import { allControlEndpoints } from './endpoints.ts'
import { checkAccess, type Guard, isAllowed } from './guard.ts'

const pathItems = createPathItems(allControlEndpoints)

/**
 * The control API, each endpoint as a door. The policies of the service do not reach it: its errors always have the
 * same form.
 */
export function createControlHandlers(
  root: Simulator,
  { guard, generator, fixture, scenarios, report, onControl }: ControlOptions,
): ApiHandler[] {
  const settings = resolvePolicies()
  const document = (): object => controlDocument(allControlEndpoints, settings)
  const open = (simulator: Simulator): EndpointContext<ControlContext> => ({
    settings,
    directory: emptyDirectory,
    world: {
      simulator,
      root,
      loadGenerator: generator,
      readFixture: fixture,
      scenarios,
      openApiDocument: document,
    },
    throttle: () => 0,
    toFailure,
    report,
  })
  const own = open(root)
  return createEndpointHandlers(pathItems, toBaseUrl('*'), {
    resolver: {
      resolve(sandboxId) {
        if (sandboxId === undefined) return own
        const simulator = root.sandboxes.get(sandboxId)
        return simulator && open(simulator)
      },
    },
    async run(route, request, context) {
      const response = await answer(route, request, context, () => {
        checkAccess(request.method, request, guard, route.endpoint.scope)
        return {}
      })
      if (onControl && response.status < 300 && request.method !== 'GET') {
        const { simulator } = context.world
        const { endpoint, params } = route
        onControl({
          operation: endpoint.id,
          params,
          body: parseJsonBytes(request.body),
          simulator,
        })
      }
      // The request may have advanced the clock.
      root.sandboxes.endExpired()
      return response
    },
    acceptsBody: (method, head) => isAllowed(method, head, guard),
  })
}

/** A mistake of the caller: what was expected, what came, and in which field. */
function toFailure(error: unknown): Failure | null {
  if (!(error instanceof UsageError)) return null
  const { message, field } = error
  if (error instanceof LimitError) return new Failure('throttled', message)
  return new Failure('validation_error', message, field === null ? {} : { attr: field })
}

export interface ControlOptions {
  readonly guard: Guard
  /** Loads what fills what a world leaves to the factories. */
  readonly generator: ControlContext['loadGenerator']
  readonly fixture: ControlContext['readFixture']
  readonly scenarios: ControlContext['scenarios']
  /** Told of exceptions inside. */
  readonly report: (error: unknown) => void
  /** Told of each call that was carried out, but for those that only read. */
  readonly onControl?: ((call: ControlCall) => void) | undefined
}

/**
 * The answer to a path of the control API that it does not have: it names the endpoints that were probably meant.
 *
 * @param path without the sandbox
 * @example controlNotFound('POST', '/__admin/sandbox').headers['understudy-nearest'] // 'POST /__admin/sandboxes, …'
 */
export function controlNotFound(method: string, path: string): ApiResponse {
  const settings = resolvePolicies()
  return endpointNotFound(suggestEndpoints(method, path, allControlEndpoints, settings), settings)
}
