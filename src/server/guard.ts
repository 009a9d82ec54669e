import process from 'node:process'
import { Failure } from '../http/failures.ts'
import { mediaTypeOf } from '../http/input.ts'
import { isSafeMethod, type RequestHead } from '../http/messages.ts'
import { isLoopback } from '../utils/network.ts'

export interface Guard {
  /** Returns whether an Authorization header contains the token. Undefined if the server has no token. */
  readonly verifyToken?: ((authorization: string | null) => boolean) | undefined
  /** Whether other machines can reach the server. */
  readonly isExposed: boolean
}

export function createGuard(host: string, token: string | undefined): Guard {
  const isExposed = !isLoopback(host)
  return { isExposed, ...(token !== undefined && { verifyToken: createTokenVerifier(token) }) }
}

/**
 * Allows a request to the admin API from this machine, or with the token, but never from a page of another site.
 *
 * @param isOpen whether reading is allowed to everybody, without a token, from any machine and under any name
 * @throws Failure `permission_denied`, `not_authenticated` or `unsupported_media_type`
 */
export function checkAccess(method: string, head: RequestHead, guard: Guard, isOpen = false): void {
  if (!isOpen || (method !== 'GET' && method !== 'HEAD')) {
    requireToken(head, guard)
    checkMachine(head, guard, adminApi)
  }
  checkSite(head, adminApi)
  rejectOtherContentTypes(method, head)
}

/**
 * Allows a page of the dashboard to open. The rules are those of the admin API, but without the token: a browser
 * cannot send one with a URL, and the page itself contains no data.
 *
 * @throws Failure `permission_denied`
 */
export function checkPageAccess(head: RequestHead, guard: Guard): void {
  checkMachine(head, guard, dashboard)
  checkSite(head, dashboard)
}

const adminApi = 'The admin API'
const dashboard = 'The dashboard'

/** Without a token, only this machine may call, and only by its own names. */
function checkMachine(
  head: RequestHead,
  { verifyToken, isExposed }: Guard,
  resource: string,
): void {
  if (verifyToken !== undefined) return
  const client = clientsOf(head).find((address) => !isLoopback(address))
  if (isExposed || client !== undefined) {
    const reason = isExposed
      ? 'because other machines can reach this server'
      : `because a proxy passes on requests of other machines, such as ${client}`
    throw accessDenied(`${resource} requires a token, ${reason}. Start the server with --token.`)
  }
  const host = hostOf(head)
  if (!isLoopback(host)) {
    throw accessDenied(
      `${resource} requires the host localhost or 127.0.0.1, got ${host}. Write one of them in the URL, or start the server with --token.`,
    )
  }
}

/** Whom a proxy asks for, if it says so in a usual header. The nearest one adds the last address. */
function clientsOf({ headers }: RequestHead): string[] {
  const [, named] =
    /^.*\bfor="?(\[[^\]]*\]|[^\s;,":]*)/is.exec(headers.get('forwarded') ?? '') ?? []
  return [headers.get('x-forwarded-for'), headers.get('x-real-ip'), named].flatMap((client) =>
    // An IPv4 address can be in the form of an IPv6 one.
    typeof client === 'string' ? [client.replace(/^.*,|\s|::ffff:/gi, '')] : [],
  )
}

function hostOf({ headers, url }: RequestHead): string {
  return headers.get('host') ?? new URL(url).host
}

function checkSite(head: RequestHead, resource: string): void {
  const host = hostOf(head)
  const origin = head.headers.get('origin')
  const site = head.headers.get('sec-fetch-site')
  const isSameOrigin =
    origin === null || origin === `http://${host}` || origin === `https://${host}`
  // A page of this machine at another port is another site, too.
  if (isSameOrigin && [null, 'same-origin', 'none'].includes(site)) return
  const source = origin === null ? `a ${site} request` : `the origin ${origin}`
  const advice =
    resource === dashboard
      ? ` Type http://${host}/__admin/ into the address bar, or open it from a bookmark.`
      : ''
  throw accessDenied(`${resource} cannot be accessed from another site, got ${source}.${advice}`)
}

function requireToken({ headers }: RequestHead, { verifyToken }: Guard): void {
  const authorization = headers.get('authorization')
  if (verifyToken?.(authorization) === false) {
    const isWrong = /^Bearer\s+\S/.test(authorization ?? '')
    throw new Failure(
      'not_authenticated',
      isWrong
        ? 'The token is wrong. Send the one that the server got with --token.'
        : 'Send the token of the admin API as "Authorization: Bearer <token>". On the command line, pass it with --token.',
    )
  }
}

/** Pages of other sites can send other content types without asking first. */
function rejectOtherContentTypes(method: string, { headers }: RequestHead): void {
  if (isSafeMethod(method)) return
  const size = headers.get('transfer-encoding') ?? headers.get('content-length') ?? '0'
  const type = headers.get('content-type') ?? (size === '0' ? null : 'a body without a type')
  if (type === null || mediaTypeOf({ headers }) === 'application/json') return
  throw new Failure('unsupported_media_type', `${adminApi} accepts application/json, got ${type}.`)
}

function accessDenied(message: string): Failure {
  return new Failure('permission_denied', message)
}

/** Compares the token in an Authorization header in constant time, so that the duration reveals nothing about it. */
function createTokenVerifier(token: string): (authorization: string | null) => boolean {
  // An import would load it for every server.
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto')
  // Hashes have the same length for any text, which `timingSafeEqual` requires.
  const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
  const expected = sha256(`Bearer ${token}`)
  return (authorization) => timingSafeEqual(sha256(authorization ?? ''), expected)
}
