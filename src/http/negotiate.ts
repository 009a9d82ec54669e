import { Failure } from '../errors.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { ApiRequest } from './call.ts'

/**
 * Whether the caller takes JSON, the only form of an answer (observed §1, §7).
 *
 * @throws Failure `not_acceptable` by the header Accept; `not_found` by a suffix or `?format=`, where the
 *   policy `paths.format` has them
 */
export function negotiate(
  call: ApiRequest,
  params: Readonly<Record<string, string>>,
  settings: PolicySettings,
): void {
  const accept = call.headers.get('accept')
  if (accept !== null && accept !== '*/*' && !acceptsJson(accept))
    throw new Failure('not_acceptable')
  if (settings['paths.format'] === 'off') return
  const format = params.format ?? new URLSearchParams(call.query).getAll('format').at(-1) ?? null
  if (format !== null && format !== '' && format !== 'json') throw new Failure('not_found')
}

function acceptsJson(accept: string): boolean {
  return accept
    .split(',')
    .map((range) => range.split(';')[0]?.trim().toLowerCase())
    .some((range) => range === '*/*' || range === 'application/*' || range === 'application/json')
}
