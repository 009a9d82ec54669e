import {
  type AnyHandler,
  createMiddleware,
  type HandlerMiddleware,
} from '../../adapters/express/express.ts'
import { sendFailure } from '../../adapters/express/node-response.ts'
import type { ScenarioLibrary } from '../../scenarios/format/scenario.ts'
import type { Simulator } from '../../simulator.ts'
import { type ControlMiddlewareOptions, createControlHandlers } from './handlers.ts'
import { healthOperations } from './health.ts'
import { toEndpoints } from './operation.ts'

/** Health needs none. */
const noScenarios: ScenarioLibrary = { list: async () => [], read: async () => undefined }

/**
 * Creates the middleware of the control API. It loads with its first request, since it has many operations, except for
 * the health, for which each start of a server waits.
 *
 * @param handlers come before those of the control API
 */
export function lazyControl(
  simulator: Simulator,
  handlers: readonly AnyHandler[],
  options: ControlMiddlewareOptions,
): HandlerMiddleware {
  const healthOptions = { ...options, scenarios: noScenarios }
  const endpoints = toEndpoints(healthOperations)
  const health = options.handlers?.length
    ? null
    : createMiddleware(createControlHandlers(endpoints, simulator, healthOptions), options)
  let control: HandlerMiddleware | null = null
  const load = async (): Promise<HandlerMiddleware> => {
    const { createControlMiddleware } = await import('./control-middleware.ts')
    control ??= createControlMiddleware(simulator, handlers, options)
    return control
  }
  return (request, response, next) => {
    const loadAndRun = (): void => {
      load()
        .then((loaded) => loaded(request, response, next))
        .catch((error) => sendFailure(response, error, options.report))
    }
    if (control) control(request, response, next)
    else if (health) health(request, response, loadAndRun)
    else loadAndRun()
  }
}
