import type { Door } from '../adapters/door.ts'
import { toDoors } from '../adapters/service.ts'
import { Failure } from '../errors.ts'
import { answer } from '../http/answer.ts'
import { toBase } from '../http/base.ts'
import { nobody } from '../http/nobody.ts'
import { toFamilies } from '../http/route.ts'
import type { Sandbox } from '../http/sandbox.ts'
import { settle } from '../policies/settings.ts'
import type { Simulator } from '../simulator.ts'
import { LimitError, UsageError } from '../usage-error.ts'
import { type CarriedOut, jsonOf } from './carried-out.ts'
import { controlDocument } from './document.ts'
import { controlEndpoints } from './endpoints.ts'
import { admit, type Guard, isAdmitted } from './guard.ts'
import type { World } from './world.ts'

const families = toFamilies(controlEndpoints)

/**
 * The control API, each endpoint as a door. The policies of the service do not reach it: its errors always have the
 * same form.
 */
export function controlDoors(
  root: Simulator,
  { guard, generator, fixture, scenarios, report, onControl }: ControlOptions,
): Door<World, Sandbox<World>>[] {
  const settings = settle()
  const document = (): object => controlDocument(controlEndpoints, settings)
  const open = (simulator: Simulator): Sandbox<World> => ({
    settings,
    directory: nobody,
    world: { simulator, root, generator, fixture, scenarios, document },
    throttle: () => 0,
    refusalOf,
    report,
  })
  const own = open(root)
  return toDoors(families, toBase('*'), {
    choose(named) {
      if (named === undefined) return own
      const simulator = root.sandboxes.get(named)
      return simulator && open(simulator)
    },
    async answer(route, params, call, sandbox) {
      const given = await answer(route, params, call, sandbox, () => {
        admit(call.method, call, guard, route.endpoint.scope)
        return {}
      })
      if (onControl && given.status < 300 && call.method !== 'GET') {
        const { simulator } = sandbox.world
        onControl({
          operation: route.endpoint.id,
          params,
          body: jsonOf(call.body),
          simulator,
        })
      }
      // The clock may have been moved on.
      root.sandboxes.endExpired()
      return given
    },
    isLetIn: (method, head) => isAdmitted(method, head, guard),
  })
}

/** A mistake of the caller: what was expected, what came, and in which field. */
function refusalOf(error: unknown): Failure | null {
  if (!(error instanceof UsageError)) return null
  const { message, field } = error
  if (error instanceof LimitError) return new Failure('throttled', message)
  return new Failure('validation_error', message, field === null ? {} : { attr: field })
}

export interface ControlOptions {
  readonly guard: Guard
  /** Loads what fills what a world leaves to the factories. */
  readonly generator: World['generator']
  readonly fixture: World['fixture']
  readonly scenarios: World['scenarios']
  /** Told of exceptions inside. */
  readonly report: (error: unknown) => void
  /** Told of each call that was carried out, but for those that only read. */
  readonly onControl?: ((call: CarriedOut) => void) | undefined
}
