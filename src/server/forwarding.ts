import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import type { ProxyServer } from 'httpxy'
import {
  hasBody,
  type NodeRequest,
  readWholeBody,
  requestOrigin,
  requestUrl,
} from '../adapters/express/node-request.ts'
import { writeResponse } from '../adapters/express/run-endpoint.ts'
import { Failure, failureResponse } from '../http/failures.ts'
import { requestTarget, sandboxPrefix, splitSandboxPath } from '../http/url.ts'
import { resolvePolicies } from '../policies/settings.ts'
import {
  type ConnectionFailure,
  describeConnectionError,
  describeForeignPage,
  isLoopback,
  unreachableMessage,
} from '../utils/network.ts'
import { unexpectedValue } from '../utils/usage-error.ts'
import { mayHoldKey, removeKey, removeKeyFromQuery } from './key-removal.ts'

export interface ForwardOptions {
  /** The origin of a service that gets the requests outside the API, such as `http://127.0.0.1:8000`. */
  readonly forward?: string
  /** Whether that service gets the keys of the API, too. By default it does not. */
  readonly forwardKeys?: boolean
  /** Hosts that may be forwarded although they are not of this machine, such as those of `exec --intercept`. */
  readonly forwardHosts?: readonly string[]
  /** Called after each forwarded request. The status is 0 if the client got no whole response. */
  readonly onForward?: (method: string, url: string, status: number, ms: number) => void
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
  #proxy: Promise<ProxyServer> | null = null

  constructor(target: URL, context: ForwardingContext) {
    this.#target = target
    this.#context = context
  }

  forward(request: NodeRequest, response: ServerResponse): void {
    const { method = 'GET', url = '/' } = request
    const start = performance.now()
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : 0
      this.#context.onForward?.(method, url, status, performance.now() - start)
    })
    this.#send(request, response).catch((error) => {
      if (response.headersSent || response.destroyed || request.errored) response.destroy()
      else sendFailure(response, error instanceof Failure ? error : this.#unreachable(error))
    })
  }

  /** @throws Failure for a request that is not forwarded; Node's errors if the service does not respond */
  async #send(request: NodeRequest, response: ServerResponse): Promise<void> {
    this.#checkPage(request)
    const { headers } = request
    const { url = '/', httpVersion } = request
    const via = `${httpVersion} ${headers.host ?? 'understudy'}`
    if (headers.via?.split(/,\s*/).includes(via)) {
      const detail = `${this.#target.origin} sends requests back to this server. Forward to another service.`
      throw new Failure('server_error', detail, { code: 'loop_detected' })
    }
    headers.via = headers.via === undefined ? via : `${headers.via}, ${via}`
    // Upgrades concern one connection: a WebSocket is not forwarded, and HTTP/2 is not offered. Node has sent 100 Continue.
    for (const name of ['upgrade', 'http2-settings', 'expect']) delete headers[name]
    headers.connection = /\bclose\b/i.test(headers.connection ?? '') ? 'close' : 'keep-alive'
    const path = splitSandboxPath(/^https?:/i.test(url) ? requestTarget(url) : url).path
    request.url = this.#context.forwardKeys ? path : removeKeyFromQuery(path)
    const body = await this.#readBody(request)
    const proxy = await this.#openProxy()
    await proxy.web(request, response, body ? { buffer: Readable.from([body]) } : {})
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

  /** Removes the keys of a request. Returns its body if it had to be read, else null. */
  async #readBody(request: NodeRequest): Promise<Uint8Array | null> {
    const { headers } = request
    const { forwardKeys, bodyLimit = 64 * 1024 * 1024 } = this.#context
    if (!forwardKeys) {
      delete headers.authorization
      delete headers['proxy-authorization']
    }
    const type = headers['content-type'] ?? ''
    const isInspected = !forwardKeys && mayHoldKey(type)
    if (!hasBody(request) || !(isInspected || request.readableEnded)) return null
    const body = await readWholeBody(request, bodyLimit)
    if (body === 'too_large') {
      const detail = `The body has more than ${bodyLimit} bytes, too many to remove keys from it. Start the server with forwardKeys (--forward-keys) to send it as it is.`
      throw new Failure('body_too_large', detail)
    }
    const bytes = isInspected ? removeKey(body ?? new Uint8Array(), type) : body
    if (bytes === undefined) {
      const detail = `The body contains a key of this API, which is not forwarded. Send it in the header Authorization, or start the server with forwardKeys (--forward-keys).`
      throw new Failure('permission_denied', detail)
    }
    delete headers['transfer-encoding']
    headers['content-length'] = String(bytes?.length ?? 0)
    return bytes
  }

  #openProxy(): Promise<ProxyServer> {
    const { protocol, hostname, port } = urlToHttpOptions(this.#target)
    this.#proxy ??= import('httpxy').then(({ createProxyServer }) => {
      const proxy = createProxyServer({
        target: { protocol, hostname, port } as { protocol: string },
        headers: { host: this.#target.host },
        xfwd: true,
      })
      // A redirect within the service stays behind this server; no redirect is followed here.
      proxy.on('proxyRes', ({ headers }, request) => {
        const { location = '' } = headers
        const origin = location.startsWith(`${this.#target.origin}/`) ? this.#target.origin : ''
        const { sandboxId } = splitSandboxPath(requestTarget(requestUrl(request)))
        const prefix = sandboxId === undefined ? '' : `${sandboxPrefix}/${sandboxId}`
        const path = location.slice(origin.length)
        if (!/^\/(?!\/)/.test(path)) return
        headers.location = (origin && requestOrigin(request)) + prefix + path
      })
      return proxy
    })
    return this.#proxy
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

const statuses: Readonly<Record<string, number>> = { bad_gateway: 502, loop_detected: 508 }

function sendFailure(nodeResponse: ServerResponse, failure: Failure): void {
  const response = failureResponse(failure, resolvePolicies())
  const status = statuses[failure.details.code ?? ''] ?? response.status
  writeResponse(nodeResponse, { ...response, status })
}
