import { Failure } from '../errors.ts'
import { resolveByPolicy } from '../policies/by-policy.ts'
import { type ApiCaller, authenticate, requireScope } from './access.ts'
import type { ApiRequest } from './call.ts'
import type { Endpoint } from './endpoint.ts'
import { type ProjectContext, resolveProjectContext } from './place.ts'
import type { EndpointContext } from './sandbox.ts'

/** Lets a request in: who asks, and where it leads. */
export type Authorize<W> = (
  endpoint: Endpoint<W>,
  params: Readonly<Record<string, string>>,
  call: ApiRequest,
  sandbox: EndpointContext<W>,
  body: () => unknown,
) => ProjectContext & { readonly caller?: ApiCaller }

/** By an API key, as every endpoint of the service is entered. */
export function authorizeByKey<W>(
  endpoint: Endpoint<W>,
  params: Readonly<Record<string, string>>,
  call: ApiRequest,
  sandbox: EndpointContext<W>,
  body: () => unknown,
): ProjectContext & { caller: ApiCaller } {
  const { settings, directory, world } = sandbox
  const caller = authenticate(call, settings, directory, body)
  requireScope(caller.key, resolveByPolicy(endpoint.scope, settings), settings)
  const place = resolveProjectContext(params, caller, settings, directory)
  if (place.organization) {
    endpoint.checkPermission?.({ organization: place.organization, method: call.method }, world)
  }
  const wait = sandbox.throttle(caller.key.value)
  if (wait > 0) throw throttledFailure(wait)
  return { caller, ...place }
}

/** The refusal of a request that came too soon. */
export function throttledFailure(seconds: number): Failure {
  const wait = `${seconds} second${seconds === 1 ? '' : 's'}`
  return new Failure('throttled', `Request was throttled. Expected available in ${wait}.`, {
    retryAfter: seconds,
  })
}
