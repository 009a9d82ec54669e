import {
  type AnyHandler,
  createMiddleware,
  type HandlerMiddleware,
} from '../../adapters/express/express.ts'
import type { ApiResponse } from '../../http/messages.ts'
import { endpointNotFound, suggestEndpoints } from '../../http/unknown-path.ts'
import { openScenarioLibrary } from '../../scenarios/library.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import type { Simulator } from '../../simulator.ts'
import { didYouMean } from '../../utils/usage-error.ts'
import { allControlEndpoints } from './endpoints.ts'
import { type ControlMiddlewareOptions, createControlHandlers } from './handlers.ts'

/** Creates the middleware of the control API. @param handlers come first */
export function createControlMiddleware(
  simulator: Simulator,
  handlers: readonly AnyHandler[],
  options: ControlMiddlewareOptions,
): HandlerMiddleware {
  const scenarios = openScenarioLibrary(options.scenarios)
  const control = createControlHandlers(allControlEndpoints, simulator, { ...options, scenarios })
  return createMiddleware([...handlers, ...control], options)
}

/** The response for an unknown path, without the sandbox. A header names the nearest operations, and the message a similar path. */
export function controlNotFound(method: string, path: string): ApiResponse {
  const settings = resolveSettings()
  // UNDERSTUDY_ADMIN_URL already ends with this part.
  const once = path.replace(/^(?:\/__admin){2,}(?=\/)/, '/__admin')
  const suggestions = suggestEndpoints(method, once, allControlEndpoints, settings)
  const paths = allControlEndpoints.map((endpoint) => endpoint.path)
  const nearest = once === path ? didYouMean(path, paths, 3) : once
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return endpointNotFound(suggestions, settings, undefined, `Endpoint not found.${hint}`)
}
