import process from 'node:process'
import { Failure } from '../http/failures.ts'
import { mediaTypeOf } from '../http/input.ts'
import { type ApiRequest, isSafeMethod } from '../http/messages.ts'
import { isLoopback } from '../utils/network.ts'

type SentHead = Pick<ApiRequest, 'headers' | 'target'>

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
export function checkAccess(method: string, head: SentHead, guard: Guard, isOpen = false): void {
  const isAnybody = isOpen && (method === 'GET' || method === 'HEAD')
  if (!isAnybody) {
    requireToken(head, guard)
    checkMachine(head, guard, adminApi)
  }
  checkSite(head, adminApi, isAnybody || guard.verifyToken !== undefined)
  rejectOtherContentTypes(method, head)
}

/**
 * Allows a page of the dashboard to open. The rules are those of the admin API, but without the token: a browser
 * cannot send one with a URL, and the page itself contains no data.
 *
 * @throws Failure `permission_denied`
 */
export function checkPageAccess(head: SentHead, guard: Guard): void {
  checkMachine(head, guard, dashboard)
  checkSite(head, dashboard, guard.verifyToken !== undefined)
}

const adminApi = 'The admin API'
const dashboard = 'The dashboard'

/** Without a token, only this machine may call. */
function checkMachine(head: SentHead, { verifyToken, isExposed }: Guard, resource: string) {
  if (verifyToken !== undefined) return
  const client = clientsOf(head).find((address) => !isLoopback(address))
  if (isExposed || client !== undefined) {
    const reason = isExposed
      ? 'because other machines can reach this server'
      : `because a proxy passes on requests of other machines, such as ${client}`
    const detail = `${resource} requires a token, ${reason}. Start the server with --token.`
    throw new Failure('permission_denied', detail)
  }
}

/** Whom proxies ask for, if they say so in usual headers. The nearest one can be behind another. */
function clientsOf({ headers }: SentHead) {
  const named = headers.get('forwarded')?.match(/\bfor\s*=\s*"?(?:\[[^\]]*\]|[^\s;,":]*)/gi) ?? []
  const lists = [headers.get('x-forwarded-for'), headers.get('x-real-ip')]
  const clients = [...named, ...lists.flatMap((list) => list?.split(',') ?? [])]
  // An IPv4 address can be in the form of an IPv6 one.
  return clients.map((client) => client.replace(/^for\s*=\s*"?|\s|::ffff:/gi, ''))
}

function checkSite(head: SentHead, resource: string, isNamed: boolean) {
  const host = hostOf(head)
  // A page of this machine at another port is another site, too.
  const problem = describeForeignPage(head, resource, isNamed, host, false)
  if (problem === null) return
  const advice =
    resource === dashboard && (isNamed || isLoopback(host))
      ? ` Type http://${host}/__admin/ into the address bar, or open it from a bookmark.`
      : ''
  throw new Failure('permission_denied', problem + advice)
}

/** The host that a client names: that of a full URL, which proxies get, wins over the header. HTTP/1.0 needs none */
function hostOf({ headers, target }: SentHead) {
  return /^https?:\/\/([^/?#]*)/i.exec(target)?.[1] ?? headers.get('host') ?? 'none'
}

/**
 * Explains why a page may not send a request. Null for pages that may, and for clients: only browsers say the origin of a page,
 * or else how near it is.
 *
 * @param server what the page would use: "the proxy"
 * @param isNamed whether the server may have any name. Otherwise that of a page could lead to this machine
 * @param ownHost the host whose pages may send it
 * @param isShared whether pages of this machine may, too, whatever their port
 */
export function describeForeignPage(
  head: SentHead,
  server: string,
  isNamed: boolean,
  ownHost?: string,
  isShared = true,
): string | null {
  const { headers } = head
  const host = hostOf(head)
  const isLocal = isLoopback(host)
  // The message must not show a password in the host or the origin.
  if (!isNamed && !isLocal)
    return `${server} requires the host localhost or 127.0.0.1, got ${host.replace(/.*@/, '')}. Write one of them in the URL${isShared ? '' : ', or start the server with --token'}.`
  const [origin, site] = [headers.get('origin'), headers.get('sec-fetch-site') ?? 'none']
  const [, page = ''] = /^https?:\/\/(.+)$/.exec(origin ?? '') ?? []
  const near = ['none', 'same-origin', isShared && isLocal ? 'same-site' : 'none']
  const isOwn = page !== '' && (page === ownHost || (isShared && isLoopback(page)))
  if (origin === null ? near.includes(site) : isOwn) return null
  const shown = origin?.replace(/\/\/.*@/, '//')
  const source = origin === null ? `a ${site} request` : `the origin ${shown}`
  return `${server} cannot be accessed from another site, got ${source}.`
}

function requireToken({ headers }: SentHead, { verifyToken }: Guard) {
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
function rejectOtherContentTypes(method: string, { headers }: SentHead) {
  if (isSafeMethod(method)) return
  const size = headers.get('transfer-encoding') ?? headers.get('content-length') ?? '0'
  const type = headers.get('content-type') ?? (size === '0' ? null : 'a body without a type')
  if (type === null || mediaTypeOf({ headers }) === 'application/json') return
  throw new Failure('unsupported_media_type', `${adminApi} accepts application/json, got ${type}.`)
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
