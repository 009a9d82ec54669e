import { createHash, timingSafeEqual } from 'node:crypto'
import type { ScopeRule } from '../../http/authenticate.ts'
import { Failure } from '../../http/failures.ts'
import type { RequestHead } from '../../http/messages.ts'
import type { Resolvable } from '../../policies/by-policy.ts'
import { isLoopback } from '../../utils/network.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'

/** Who may use the control API. */
export interface Guard {
  /** Whether a header Authorization holds the token, where one is asked for as `Bearer <token>`. */
  readonly verifyToken?: ((authorization: string | null) => boolean) | undefined
  /** Whether the server can be reached from other machines. */
  readonly isExposed: boolean
}

/** Makes what tells of a header Authorization whether it holds a token. */
type CreateTokenVerifier = (token: string) => (authorization: string | null) => boolean

/**
 * Who may use the control API of a server.
 *
 * @param check compares tokens in constant time: other machines may ask
 * @throws UsageError for a token that nobody can send
 */
export function createGuard(
  host: string,
  token: string | undefined,
  check: CreateTokenVerifier,
): Guard {
  const isExposed = !isLoopback(host)
  if (token === undefined) return { isExposed }
  if (/^[!-~](?:[ -~]*[!-~])?$/.test(token)) return { verifyToken: check(token), isExposed }
  const expected = 'a token of letters, digits and signs, without space around them'
  throw unexpectedValue('guard the control API', expected, token)
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/**
 * Lets a call to the control API in: from this machine, or with the token, and never from another site's page. What
 * is for anyone to read needs no token, and no machine.
 *
 * @throws Failure `permission_denied`, `not_authenticated` or `unsupported_media_type`
 */
export function checkAccess(
  method: string,
  head: RequestHead,
  guard: Guard,
  scope?: Resolvable<ScopeRule>,
): void {
  if (scope === 'anyone' && isRead(method)) checkHostAndOrigin(head, guard)
  else {
    requireToken(head, guard)
    checkPageAccess(head, guard)
    rejectOtherContentTypes(method, head)
  }
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/**
 * Lets in who wants a page of the dashboard, which itself tells nothing of the world: as the control API does, but
 * for the token, which a browser cannot send with an address that is typed.
 *
 * @throws Failure `permission_denied`
 */
export function checkPageAccess(head: RequestHead, guard: Guard): void {
  if (guard.verifyToken === undefined && guard.isExposed) {
    throw accessDenied(
      'a token, since the server is reachable from other machines. Start it with --token',
    )
  }
  checkHostAndOrigin(head, guard)
}

function checkHostAndOrigin(head: RequestHead, { verifyToken, isExposed }: Guard): void {
  const host = head.headers.get('host') ?? new URL(head.url).host
  if (verifyToken === undefined && !isExposed && !isLoopback(host)) {
    throw accessDenied(`the Host of this machine, got ${host}. Use localhost or 127.0.0.1`)
  }
  rejectCrossSite(head, host)
}

/** Whether a call is let in, which is known before its body is read. */
export function isAllowed(method: string, head: RequestHead, guard: Guard): boolean {
  try {
    checkAccess(method, head, guard)
    return true
  } catch {
    return false
  }
}

function requireToken({ headers }: RequestHead, { verifyToken }: Guard): void {
  if (verifyToken?.(headers.get('authorization')) === false) {
    throw new Failure(
      'not_authenticated',
      'The control API asks for Authorization: Bearer and the token.',
    )
  }
}

/** A page may be on this machine too, at another port: then it is another site as well. */
function rejectCrossSite({ headers }: RequestHead, host: string): void {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isOwn = origin === null || origin === `http://${host}` || origin === `https://${host}`
  if (!isOwn || site === 'cross-site' || site === 'same-site') {
    throw accessDenied(`no page of another site, got the origin ${origin ?? site}`)
  }
}

/** A form of another site can send any type but this one. */
function rejectOtherContentTypes(method: string, { headers }: RequestHead): void {
  if (safeMethods.includes(method)) return
  const type = headers.get('content-type')
  if (type === null || type.split(';')[0]?.trim().toLowerCase() === 'application/json') return
  throw new Failure(
    'unsupported_media_type',
    `The control API takes application/json, got ${type}.`,
  )
}

function accessDenied(expected: string): Failure {
  return new Failure('permission_denied', `Failed to use the control API: expected ${expected}.`)
}

/**
 * Whether a header Authorization holds a token. It takes as long for any other, so that nobody who can reach the
 * server learns by the time how far a guess is right.
 *
 * @example tokenCheck('secret')('Bearer secret') // true
 */
export function createTokenVerifier(token: string): (authorization: string | null) => boolean {
  const wanted = sha256(`Bearer ${token}`)
  return (authorization) => timingSafeEqual(sha256(authorization ?? ''), wanted)
}

/** Of one length, whatever is given. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
