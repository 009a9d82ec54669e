import { Failure } from '../errors.ts'
import type { Head } from '../http/call.ts'
import { isLoopback } from '../http/loopback.ts'

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
export function admit(method: string, head: Head, guard: Guard): void {
  if (guard.token !== undefined) requireToken(head, guard.token)
  admitPage(head, guard)
  refuseOtherTypes(method, head)
}

/**
 * Lets in who wants a page of the dashboard, which itself tells nothing of the world: as the control API does, but
 * for the token, which a browser cannot send with an address that is typed.
 *
 * @throws Failure `permission_denied`
 */
export function admitPage(head: Head, { token, isExposed }: Guard): void {
  const host = head.headers.get('host') ?? new URL(head.url).host
  if (token === undefined) {
    if (isExposed)
      throw refused(
        'a token, since the server is reachable from other machines. Start it with --token',
      )
    if (!isLoopback(host))
      throw refused(`the Host of this machine, got ${host}. Use localhost or 127.0.0.1`)
  }
  refuseOtherSites(head, host)
}

/** Whether a call is let in, which is known before its body is read. */
export function isAdmitted(method: string, head: Head, guard: Guard): boolean {
  try {
    admit(method, head, guard)
    return true
  } catch {
    return false
  }
}

function requireToken({ headers }: Head, token: string): void {
  if (headers.get('authorization') !== `Bearer ${token}`) {
    throw new Failure(
      'not_authenticated',
      'The control API asks for Authorization: Bearer and the token.',
    )
  }
}

/** A page may be on this machine too, at another port: then it is another site as well. */
function refuseOtherSites({ headers }: Head, host: string): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isOwn = origin === null || origin === `http://${host}` || origin === `https://${host}`
  if (!isOwn || site === 'cross-site' || site === 'same-site') {
    throw refused(`no page of another site, got the origin ${origin ?? site}`)
  }
}

/** A form of another site can send any type but this one. */
function refuseOtherTypes(method: string, { headers }: Head): void {
  if (reading.includes(method)) return
  const type = headers.get('content-type')
  if (type === null || type.split(';')[0]?.trim().toLowerCase() === 'application/json') return
  throw new Failure(
    'unsupported_media_type',
    `The control API takes application/json, got ${type}.`,
  )
}

function refused(expected: string): Failure {
  return new Failure('permission_denied', `Failed to use the control API: expected ${expected}.`)
}
