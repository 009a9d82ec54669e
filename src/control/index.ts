import { EndpointHandler } from '../adapters/msw.ts'
import { answer } from '../http/answer.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { toBase } from '../http/path.ts'
import { toFamilies, toRoutes } from '../http/route.ts'
import type { Sandbox } from '../http/sandbox.ts'
import { settle } from '../policies/settings.ts'
import type { Directory } from '../world/directory.ts'
import { admit, type Guard } from './guard.ts'
import { readHealth } from './health.ts'
import { readWorld } from './read-world.ts'
import { replaceWorld } from './replace-world.ts'
import { resetWorld } from './reset.ts'
import type { World } from './world.ts'

/** Every endpoint of the control API. */
export const controlEndpoints: readonly Endpoint<World>[] = [
  readHealth,
  readWorld,
  replaceWorld,
  resetWorld,
]

/**
 * The control API as MSW handlers. The policies of the service do not reach it: its errors always have the
 * same form.
 */
export function controlHandlers(
  world: World,
  guard: Guard,
  report: (error: unknown) => void,
): EndpointHandler<World>[] {
  const sandbox: Sandbox<World> = {
    settings: settle(),
    directory: nobody,
    world,
    throttle: () => 0,
    report,
  }
  const base = toBase('*')
  return toRoutes(toFamilies(controlEndpoints), base).map(
    (route) =>
      new EndpointHandler(
        route,
        base,
        () => sandbox,
        (given, params, call, inside) =>
          answer(given, params, call, inside, () => {
            admit(call, guard)
            return {}
          }),
      ),
  )
}

/** The control API knows no users or projects. */
const nobody: Directory = {
  key: () => undefined,
  user: () => undefined,
  project: () => undefined,
  organization: () => undefined,
  currentProject: () => undefined,
  hasDashboardItem: () => false,
}
