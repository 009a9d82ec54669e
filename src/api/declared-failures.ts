import type { Endpoint } from '../http/endpoint.ts'
import { failureResponse } from '../http/failure-response.ts'
import { Failure, type FailureName } from '../http/failures.ts'
import { choose } from '../settings/per-setting.ts'
import type { SettingValues } from '../settings/setting.ts'

/** The failures that endpoints do not declare, because they depend only on the path, the query and the key. */
export function commonFailures(endpoint: Endpoint, settings: SettingValues): FailureName[] {
  const { path, query = {} } = endpoint
  const hasParent = path.includes('_id')
  const isPage = 'limit' in query
  const isKeyInBody = settings['keys.places'] !== 'header'
  return [
    'not_acceptable',
    'not_authenticated',
    'authentication_failed',
    'permission_denied',
    'throttled',
    // Also of a format other than json.
    'not_found',
    'server_error',
    ...namesIf(isPage && settings['lists.limit.invalid'] === 'refused', 'validation_error'),
    // Every body is parsed where it can contain the key, and before the project or organization of the path is found.
    ...namesIf(hasParent || isKeyInBody, 'parse_error', 'unsupported_media_type'),
    ...namesIf(isKeyInBody, 'body_too_large'),
  ]
}

function namesIf(condition: boolean, ...names: FailureName[]): FailureName[] {
  return condition ? names : []
}

/** The statuses that the OpenAPI document lists for an endpoint, with the failures that have each. Success has none. */
export function declaredStatuses(
  endpoint: Endpoint,
  settings: SettingValues,
): ReadonlyMap<number, readonly FailureName[]> {
  const names = new Set([
    ...commonFailures(endpoint, settings),
    ...choose(endpoint.errors, settings),
  ])
  const statuses = new Map<number, FailureName[]>([[choose(endpoint.status, settings), []]])
  const add = (name: FailureName, failure: Failure): void => {
    const { status } = failureResponse(failure, settings)
    const known = statuses.get(status) ?? []
    statuses.set(status, known.includes(name) ? known : [...known, name])
  }
  for (const name of names) {
    add(name, new Failure(name))
    // By setting an insufficient key gets the response of a missing resource.
    if (name === 'permission_denied') add(name, new Failure(name, '', { isKeyInsufficient: true }))
  }
  return new Map([...statuses].sort(([one], [other]) => one - other))
}
