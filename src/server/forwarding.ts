import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { isolateForwardedPage } from '../adapters/express/isolate-page.ts'
import {
  hasBody,
  type NodeRequest,
  readWholeBody,
  requestOrigin,
  requestUrl,
} from '../adapters/express/node-request.ts'
import { keyFieldName } from '../http/authorize.ts'
import type { HeaderPair } from '../http/exchange.ts'
import { Failure } from '../http/failures.ts'
import { isOmitted } from '../http/messages.ts'
import { requestTarget, sandboxPrefix, splitSandboxPath } from '../http/url.ts'
import {
  type ConnectionFailure,
  describeConnectionError,
  describeForeignPage,
  isLoopback,
  unreachableMessage,
} from '../utils/network.ts'
import { isKeyFieldName } from '../utils/redaction/secrets.ts'
import { unexpectedValue } from '../utils/usage-error.ts'
import { sendFailure, sendOn, toHeaderPairs } from './proxy.ts'

export interface ForwardOptions {
  /** The origin of a service that gets the requests outside the API, such as `http://127.0.0.1:8000`. */
  readonly forward?: string
  /** Whether that service gets the keys of the API, too. By default it does not. */
  readonly forwardKeys?: boolean
  /** Hosts that may be forwarded although they are not of this machine, such as those of `exec --intercept`. */
  readonly forwardHosts?: readonly string[]
  /**
   * Called after each request for that service. The status is 0 if the client got no whole response. `refusal` says why
   * this server answered the request itself and did not forward it.
   */
  readonly onForward?: (
    method: string,
    url: string,
    status: number,
    ms: number,
    refusal?: string,
  ) => void
}

interface ForwardingContext extends ForwardOptions {
  readonly bodyLimit?: number
  /** Whether other machines, or clients behind a proxy, may send any Host header. */
  readonly isNamed: boolean
}

/** Parses the origin to forward to. @throws UsageError for any other text, and for the address of the server itself */
export function parseForward(
  text: string,
  host: string,
  port: number,
  task = 'forward requests',
): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    const expected = 'the origin of a service, such as http://127.0.0.1:8000'
    throw unexpectedValue(task, expected, text)
  }
  const names = [host.includes(':') ? `[${host}]` : host, url.hostname]
  const isAny = host === '0.0.0.0' || host === '::'
  const isNear = isAny || (names.includes('localhost') && isLoopback(host))
  const isHere = names[0] === names[1] || (isNear && isLoopback(url.hostname))
  if (isHere && port !== 0 && Number(url.port || (url.protocol === 'https:' ? 443 : 80)) === port) {
    throw unexpectedValue('forward requests', 'another server than this one', text)
  }
  return url
}

/** Passes requests outside the API to another service, and its responses back, as they arrive. */
export class Forwarding {
  readonly #target: URL
  readonly #context: ForwardingContext

  constructor(target: URL, context: ForwardingContext) {
    this.#target = target
    this.#context = context
  }

  forward(request: NodeRequest, response: ServerResponse): void {
    const { method = 'GET', url = '/' } = request
    const start = performance.now()
    const refusal: [text?: string] = []
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : 0
      this.#context.onForward?.(method, url, status, performance.now() - start, ...refusal)
    })
    this.#send(request, response).catch((error) => {
      if (error instanceof Failure && error.detail !== undefined) refusal.push(error.detail)
      if (response.headersSent || response.destroyed || request.errored) response.destroy()
      else sendFailure(response, error instanceof Failure ? error : this.#unreachable(error))
    })
  }

  /** @throws Failure for a request that is not forwarded; Node's errors if the service does not respond */
  async #send(request: NodeRequest, response: ServerResponse): Promise<void> {
    this.#checkPage(request)
    const { headers, url = '/', httpVersion } = request
    const via = `${httpVersion} ${headers.host ?? 'understudy'}`
    if (headers.via?.split(/,\s*/).includes(via)) {
      const detail = `${this.#target.origin} sends requests back to this server. Forward to another service.`
      throw new Failure('server_error', detail, { code: 'loop_detected' })
    }
    const path = splitSandboxPath(/^https?:/i.test(url) ? requestTarget(url) : url).path
    const rewriteLocation = this.#locationRewriter(request)
    const body = await this.#readBody(request)
    await sendOn(request, response, {
      target: this.#target,
      path: this.#context.forwardKeys ? path : removeKeyFromQuery(path),
      host: this.#target.host,
      addsForwarded: true,
      headers: [
        ...this.#headersToSend(request, body !== null),
        ['via', headers.via === undefined ? via : `${headers.via}, ${via}`],
        ...(body ? [['content-length', String(body.length)] as const] : []),
      ],
      ...(body && { body: Readable.from([body]) }),
      onResponse(received, pairs, writeHead) {
        const rewritten = pairs.map(([name, value]): HeaderPair => {
          return [name, /^location$/i.test(name) ? rewriteLocation(value) : value]
        })
        writeHead(isolateForwardedPage(rewritten))
        received.pipe(response)
      },
    })
  }

  /** A page of another site must not reach the service through this server. */
  #checkPage({ headers, socket }: NodeRequest): void {
    const { host = 'localhost' } = headers
    const isAllowed = this.#context.forwardHosts?.includes(host.replace(/\.?(:\d+)?$/, ''))
    const isNamed = isAllowed || this.#context.isNamed || 'encrypted' in socket
    const problem =
      !isNamed && !isLoopback(host)
        ? `The forwarded service requires the host localhost or 127.0.0.1, got ${host}.`
        : describeForeignPage(headers, 'The forwarded service', isNamed ? host : undefined)
    if (problem !== null) throw new Failure('permission_denied', problem)
  }

  /** The headers of a request without its keys. Only proxies that are trusted may say whom they forward. */
  #headersToSend({ rawHeaders }: NodeRequest, isBodyRead: boolean): HeaderPair[] {
    const { forwardKeys } = this.#context
    const dropped = [
      'via',
      ...(forwardKeys ? [] : ['(proxy-)?authorization']),
      ...['forwarded', 'x-forwarded-.*'],
      ...(isBodyRead ? ['content-length', 'transfer-encoding'] : []),
    ]
    const isDropped = new RegExp(`^(?:${dropped.join('|')})$`, 'i')
    return toHeaderPairs(rawHeaders)
      .filter(([name]) => !isDropped.test(name))
      .map(([name, value]) =>
        !forwardKeys && /^referer$/i.test(name) ? [name, removeKeyFromQuery(value)] : [name, value],
      )
  }

  /** Reads the body of a request to remove its keys. Null if there is no need to read it. */
  async #readBody(request: NodeRequest): Promise<Uint8Array | null> {
    const { forwardKeys, bodyLimit = 64 * 1024 * 1024 } = this.#context
    const type = request.headers['content-type'] ?? ''
    // The API looks for a key in bodies of these types.
    const isInspected = !forwardKeys && /json|form|\*\/\*/i.test(type)
    if (!hasBody(request) || !(isInspected || request.readableEnded)) return null
    const body = await readWholeBody(request, bodyLimit)
    if (isOmitted(body)) {
      const detail = `The body has more than ${bodyLimit} bytes, too many to remove keys from it. Start the server with forwardKeys (--forward-keys) to send it as it is.`
      throw new Failure('body_too_large', detail)
    }
    const bytes = body ?? new Uint8Array()
    const rest = isInspected ? removeKey(bytes, type) : bytes
    if (rest) return rest
    const detail = `The body contains a key of this API, which is not forwarded. Send it in the header Authorization, or start the server with forwardKeys (--forward-keys).`
    throw new Failure('permission_denied', detail)
  }

  /** A redirect within the service stays behind this server. */
  #locationRewriter(request: NodeRequest): (location: string) => string {
    const ownOrigin = requestOrigin(request)
    const { sandboxId } = splitSandboxPath(requestTarget(requestUrl(request)))
    const prefix = sandboxId === undefined ? '' : `${sandboxPrefix}/${sandboxId}`
    return (location) => {
      const origin = location.startsWith(`${this.#target.origin}/`) ? this.#target.origin : ''
      const path = location.slice(origin.length)
      return /^\/(?!\/)/.test(path) ? (origin && ownOrigin) + prefix + path : location
    }
  }

  #unreachable(error: ConnectionFailure): Failure {
    const { origin } = this.#target
    const advice = 'Start it, or forward to another service.'
    const detail =
      describeConnectionError(origin, error, advice) ??
      unreachableMessage(origin, `a broken connection (${error.code})`, advice)
    return new Failure('server_error', detail, { code: 'bad_gateway' })
  }
}

/** Removes the parameters that hold a key. The others stay as they were sent. */
function removeKeyFromQuery(path: string): string {
  const start = path.indexOf('?')
  if (start < 0) return path
  const query = removePairs(path.slice(start + 1))
  return path.slice(0, start) + (query === '' ? '' : `?${query}`)
}

/**
 * Removes the fields that hold a key from a body. All other bytes stay as they were sent: writing parsed JSON again would
 * change numbers. Returns undefined if the body contains a key that cannot be removed.
 */
function removeKey(body: Uint8Array, contentType: string): Uint8Array | undefined {
  // One character for each byte.
  const text = Buffer.from(body).toString('latin1')
  if (/urlencoded/i.test(contentType)) return Buffer.from(removePairs(text), 'latin1')
  if (!containsKeyName(text)) return body
  try {
    JSON.parse(text)
    const rest = removeMembers(text)
    JSON.parse(rest, (name) => {
      if (isKeyFieldName(name)) throw new Error(name)
    })
    return Buffer.from(rest, 'latin1')
  } catch {
    return undefined
  }
}

/** Whether a text contains the name of the field, also with escapes of JSON or a multipart header, or as UTF-16. */
function containsKeyName(text: string): boolean {
  const decoded = text
    .replaceAll('\0', '')
    .replace(/(?:\\u00|%)([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decoded.toLowerCase().includes(keyFieldName)
}

/** Cuts the members with simple values out of valid JSON, then the commas that this leaves before a brace. */
function removeMembers(json: string): string {
  const string = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`
  const member = new RegExp(`(${string})(\\s*:\\s*(?:${string}|[^\\s,{}[\\]"]+)\\s*,?)?`, 'g')
  return json
    .replace(member, (all, name, value) => (value && isKeyFieldName(JSON.parse(name)) ? '' : all))
    .replace(new RegExp(`${string}|,\\s*(?=\\})`, 'g'), (token) =>
      token.startsWith(',') ? '' : token,
    )
}

function removePairs(query: string): string {
  const hasKey = (pair: string) => [...new URLSearchParams(pair).keys()].some(isKeyFieldName)
  const pairs = query.split('&')
  return pairs.filter((pair) => !hasKey(pair)).join('&')
}
