import { Failure } from '../errors.ts'
import { resolve } from '../policies/by-policy.ts'
import { authenticate, type Caller, requireScope } from './access.ts'
import type { Call } from './call.ts'
import type { Endpoint } from './endpoint.ts'
import { locate, type Place } from './place.ts'
import type { Sandbox } from './sandbox.ts'

/** Lets a request in: who asks, and where it leads. */
export type Enter<W> = (
  endpoint: Endpoint<W>,
  params: Readonly<Record<string, string>>,
  call: Call,
  sandbox: Sandbox<W>,
  body: () => unknown,
) => Place & { readonly caller?: Caller }

/** By an API key, as every endpoint of the service is entered. */
export function enterByKey<W>(
  endpoint: Endpoint<W>,
  params: Readonly<Record<string, string>>,
  call: Call,
  sandbox: Sandbox<W>,
  body: () => unknown,
): Place & { caller: Caller } {
  const { settings, directory, world } = sandbox
  const caller = authenticate(call, settings, directory, body)
  requireScope(caller.key, resolve(endpoint.scope, settings), settings)
  const place = locate(params, caller, settings, directory)
  if (place.organization) {
    endpoint.admit?.({ organization: place.organization, method: call.method }, world)
  }
  const wait = sandbox.throttle(caller.key.value)
  if (wait > 0) throw throttled(wait)
  return { caller, ...place }
}

/** The refusal of a request that came too soon. */
export function throttled(seconds: number): Failure {
  const wait = `${seconds} second${seconds === 1 ? '' : 's'}`
  return new Failure('throttled', `Request was throttled. Expected available in ${wait}.`, {
    retryAfter: seconds,
  })
}
