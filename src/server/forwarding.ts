import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { isolateForwardedPage } from '../adapters/express/express.ts'
import {
  hasBody,
  NodeApiRequest,
  type NodeRequest,
  readWholeBody,
  requestOrigin,
  sendFailure,
} from '../adapters/express/node-http.ts'
import { keyInHeader } from '../http/check.ts'
import type { HeaderPair } from '../http/exchange.ts'
import { Failure } from '../http/failures.ts'
import { isOmitted, receivedTarget } from '../http/messages.ts'
import { splitSandboxPath } from '../http/route.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { unexpectedValue } from '../utils/errors.ts'
import {
  type ConnectionFailure,
  describeConnectionError,
  isLoopback,
  unreachableMessage,
} from '../utils/network.ts'
import { describeForeignPage } from './guard.ts'
import { badGateway, sendOn, toHeaderPairs } from './proxy.ts'

/** What a server does with requests outside the API. */
export interface ForwardOptions {
  /**
   * The origin of a service that gets the requests outside the API, such as `http://127.0.0.1:8000`. A header
   * `Authorization: Bearer KEY` with a key of a world is left out.
   */
  readonly forward?: string
  /** Called for each forwarded request. A `refusal` says why the service did not answer it. */
  readonly onForward?: (
    request: { readonly method: string; readonly url: string; readonly status: number; ms: number },
    refusal?: string,
  ) => void
}

/** Parses the origin of a service. @throws UsageError for any other text */
export function parseForward(text: string, task = 'forward requests'): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url
  throw unexpectedValue(task, 'the origin of a service, such as http://127.0.0.1:8000', text)
}

/** @throws UsageError for a service that is no origin */
export function createForwarding(
  simulator: Simulator,
  { forward: origin = '', host = '127.0.0.1', onForward }: ForwardOptions & { host?: string },
) {
  const target = parseForward(origin)
  return (request: NodeRequest, response: ServerResponse) => {
    const { method = 'GET', url = '/', socket } = request
    const start = performance.now()
    let refusal: string | undefined
    response.once('close', () => {
      // A response that was cut has no status.
      const status = response.writableFinished ? response.statusCode : 0
      onForward?.({ method, url, status, ms: performance.now() - start }, refusal)
    })
    const isNamed = !isLoopback(host) || 'encrypted' in socket
    forward(request, response, target, simulator, isNamed).catch((error) => {
      if (response.headersSent || response.destroyed) return response.destroy()
      const failure = toFailure(target, error)
      refusal = failure.detail
      sendFailure(response, failure)
    })
  }
}

/**
 * Passes a request outside the API to a service, and its response back, as they arrive. The header `Authorization: Bearer KEY`
 * is left out if KEY is one of a world, and headers of a proxy are added.
 *
 * @param isNamed whether clients may use any name for this server
 * @throws Failure for a page of another site, a loop, and a service that cannot be reached
 */
async function forward(
  request: NodeRequest,
  response: ServerResponse,
  target: URL,
  { sandboxes }: Simulator,
  isNamed: boolean,
) {
  const { headers, url = '/', httpVersion } = request
  const { authorization, host = 'localhost' } = headers
  const ownHost = isNamed ? host : undefined
  const head = new NodeApiRequest(request)
  const problem = describeForeignPage(head, 'The forwarded service', isNamed, ownHost)
  if (problem !== null) throw new Failure('permission_denied', problem)
  const via = `${httpVersion} ${host}`
  if (headers.via?.split(/,\s*/).includes(via)) {
    const detail = `${target.origin} sends requests back to this server. Forward to another service.`
    throw new Failure('server_error', detail, { code: 'loop_detected', status: 508 })
  }
  const key = keyInHeader(authorization)?.value ?? ''
  const world = sandboxes.resolve(undefined, head)
  const left = world?.tables.keys.get(key) ? /^(?:via|authorization)$/i : /^via$/i
  // Middleware and handlers of the user have read it.
  const isRead = hasBody(request) && request.readableEnded
  const read = isRead ? await readWholeBody(request, response, Number.POSITIVE_INFINITY) : null
  const body = isOmitted(read) ? null : read
  const length = body ? [['content-length', String(body.length)] as const] : []
  const toOwn = (location: string) =>
    location.startsWith(`${target.origin}/`)
      ? requestOrigin(request) + location.slice(target.origin.length)
      : location
  await sendOn(request, response, {
    target,
    path: splitSandboxPath(receivedTarget(url)).path,
    host: target.host,
    addsForwarded: true,
    headers: [
      ...toHeaderPairs(request.rawHeaders).filter(
        ([name]) =>
          !left.test(name) && !(body && /^(?:content-length|transfer-encoding)$/i.test(name)),
      ),
      ['via', headers.via === undefined ? via : `${headers.via}, ${via}`],
      ...length,
    ],
    ...(body && { body: Readable.from([body]) }),
    onResponse(received, pairs, writeHead) {
      const own = pairs.map(([name, value]): HeaderPair => {
        return [name, /^location$/i.test(name) ? toOwn(value) : value]
      })
      writeHead(isolateForwardedPage(own))
      received.pipe(response)
    },
  })
}

function toFailure(target: URL, error: Failure | ConnectionFailure) {
  if (error instanceof Failure) return error
  const advice = 'Start it, or forward to another service.'
  const detail =
    describeConnectionError(target.origin, error, advice) ??
    unreachableMessage(target.origin, `a broken connection (${error.code})`, advice)
  return badGateway(detail)
}
