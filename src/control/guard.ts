import { Failure } from '../errors.ts'
import type { Call } from '../http/call.ts'

/** Who may use the control API. */
export interface Guard {
  /** Asked for as `Authorization: Bearer <token>` where there is one. */
  readonly token?: string | undefined
  /** Whether the server can be reached from other machines. */
  readonly isExposed: boolean
}

const reading = ['GET', 'HEAD', 'OPTIONS']

/**
 * Lets a call to the control API in: from this machine, or with the token, and never from another site's page.
 *
 * @throws Failure `permission_denied`, `not_authenticated` or `unsupported_media_type`
 */
export function admit(call: Call, { token, isExposed }: Guard): void {
  const host = call.headers.get('host') ?? new URL(call.url).host
  if (token !== undefined) requireToken(call, token)
  else if (isExposed)
    throw refused(
      'a token, since the server is reachable from other machines. Start it with --token',
    )
  else if (!isLoopback(host))
    throw refused(`the Host of this machine, got ${host}. Use localhost or 127.0.0.1`)
  refuseOtherSites(call, host)
  refuseOtherTypes(call)
}

function requireToken({ headers }: Call, token: string): void {
  if (headers.get('authorization') !== `Bearer ${token}`) {
    throw new Failure(
      'not_authenticated',
      'The control API asks for Authorization: Bearer and the token.',
    )
  }
}

/** A page may be on this machine too, at another port: then it is another site as well. */
function refuseOtherSites({ headers }: Call, host: string): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isOwn = origin === null || origin === `http://${host}` || origin === `https://${host}`
  if (!isOwn || site === 'cross-site' || site === 'same-site') {
    throw refused(`no page of another site, got the origin ${origin ?? site}`)
  }
}

/** A form of another site can send any type but this one. */
function refuseOtherTypes({ method, headers }: Call): void {
  if (reading.includes(method)) return
  const type = headers.get('content-type')
  if (type === null || type.split(';')[0]?.trim().toLowerCase() === 'application/json') return
  throw new Failure(
    'unsupported_media_type',
    `The control API takes application/json, got ${type}.`,
  )
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)
}

function refused(expected: string): Failure {
  return new Failure('permission_denied', `Failed to use the control API: expected ${expected}.`)
}
