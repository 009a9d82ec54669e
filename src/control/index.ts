import type { EndpointHandler } from '../adapters/door.ts'
import { toEndpointHandlers } from '../adapters/service.ts'
import { Failure } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { toBaseUrl } from '../http/base.ts'
import { emptyDirectory } from '../http/nobody.ts'
import { createPathItems } from '../http/route.ts'
import type { EndpointContext } from '../http/sandbox.ts'
import { resolvePolicies } from '../policies/settings.ts'
import type { Simulator } from '../simulator.ts'
import { LimitError, UsageError } from '../usage-error.ts'
import { type ControlCall, parseJsonBytes } from './carried-out.ts'
import { controlDocument } from './document.ts'
import { allControlEndpoints } from './endpoints.ts'
import { checkAccess, type Guard, isAllowed } from './guard.ts'
import type { ControlContext } from './world.ts'

const pathItems = createPathItems(allControlEndpoints)

/**
 * The control API, each endpoint as a door. The policies of the service do not reach it: its errors always have the
 * same form.
 */
export function createControlHandlers(
  root: Simulator,
  { guard, generator, fixture, scenarios, report, onControl }: ControlOptions,
): EndpointHandler<ControlContext, EndpointContext<ControlContext>>[] {
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
  return toEndpointHandlers(pathItems, toBaseUrl('*'), {
    choose(named) {
      if (named === undefined) return own
      const simulator = root.sandboxes.get(named)
      return simulator && open(simulator)
    },
    async answer(route, params, call, sandbox) {
      const given = await answer(route, params, call, sandbox, () => {
        checkAccess(call.method, call, guard, route.endpoint.scope)
        return {}
      })
      if (onControl && given.status < 300 && call.method !== 'GET') {
        const { simulator } = sandbox.world
        onControl({
          operation: route.endpoint.id,
          params,
          body: parseJsonBytes(call.body),
          simulator,
        })
      }
      // The clock may have been moved on.
      root.sandboxes.endExpired()
      return given
    },
    isLetIn: (method, head) => isAllowed(method, head, guard),
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
