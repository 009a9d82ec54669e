import type { Endpoint } from '../http/endpoint.ts'
import type { FailureName } from '../http/failures.ts'
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
