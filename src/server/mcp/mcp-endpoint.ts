import * as z from 'zod'
import { handleFetch } from '../../adapters/handle-fetch.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { failureResponse } from '../../http/failure-response.ts'
import { Failure } from '../../http/failures.ts'
import {
  type ApiRequest,
  type ApiResponse,
  isOmitted,
  type RequestHeaders,
} from '../../http/messages.ts'
import { type ApiHandler, createEndpointHandlers, createPathItems } from '../../http/route.ts'
import { toBaseUrl } from '../../http/url.ts'
import { ControlClient, type Health } from '../../remote/client.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import type { Simulator } from '../../simulator.ts'
import { packageName, version } from '../../utils/version.ts'
import { checkAccess, type Guard, isAllowed } from '../control/guard.ts'
import { createResolver } from '../control/handlers.ts'

/** Not part of the control API: it speaks JSON-RPC. The SDK refuses every method but POST. */
const mcpEndpoint: Endpoint<null> = defineEndpoint({
  id: 'mcp',
  summary: 'Serve the Model Context Protocol.',
  method: '*',
  path: '/__admin/mcp',
  scope: 'any_key',
  params: {},
  status: 200,
  response: z.unknown(),
  errors: [],
  handle: () => undefined,
})

interface McpEndpointOptions {
  readonly guard: Guard
  /** The handlers of the API and the control API, which the tools use */
  readonly handlers: readonly ApiHandler[]
  /** Called with unexpected errors */
  readonly report: (error: unknown) => void
}

/**
 * Creates the handlers of `/__admin/mcp`: the Model Context Protocol as streamable HTTP, without sessions. The rules of
 * access are those of the control API. The SDK loads with the first request.
 */
export function mcpHandlers(
  root: Simulator,
  { guard, handlers, report }: McpEndpointOptions,
): ApiHandler[] {
  const send = (request: Request): Promise<Response> =>
    handleFetch(handlers, request, (method, head) => root.notFound(method, head))
  return createEndpointHandlers(createPathItems([mcpEndpoint]), toBaseUrl('*'), {
    resolver: createResolver(root, report, () => null),
    async run(_route, request) {
      try {
        checkAccess(request.method, request, guard)
        // No `Request` can have it.
        if (request.method === 'TRACE') throw new Failure('method_not_allowed')
        if (isOmitted(request.body)) throw new Failure('body_too_large')
        return await serveMcp(request, send)
      } catch (error) {
        if (!(error instanceof Failure)) report(error)
        const failure = error instanceof Failure ? error : new Failure('server_error')
        return failureResponse(failure, resolveSettings())
      }
    },
    acceptsBody: (method, head) => isAllowed(method, head, guard),
  })
}

/** Sends requests to the server that it is part of, with the access of the request that an agent sent. */
class LocalClient extends ControlClient {
  readonly #headers: RequestHeaders
  readonly #send: (request: Request) => Promise<Response>

  constructor(url: string, headers: RequestHeaders, send: (request: Request) => Promise<Response>) {
    super(url, undefined)
    this.#headers = headers
    this.#send = send
  }

  override fetch(url: string, init: RequestInit): Promise<Response> {
    const request = new Request(url, init)
    const token = this.#headers.get('authorization')
    if (token !== null && url.startsWith(`${this.url}/__admin/`)) {
      request.headers.set('authorization', token)
    }
    return this.#send(request)
  }

  override async health(): Promise<Health> {
    return { name: packageName, status: 'ready', version }
  }
}

async function serveMcp(
  request: ApiRequest,
  send: (request: Request) => Promise<Response>,
): Promise<ApiResponse> {
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import('./sdk.ts'),
    import('./mcp-server.ts'),
  ])
  const { method, url, headers, body } = request
  const client = new LocalClient(url.replace(/\/mcp\/?(?:\?.*)?$/, ''), headers, send)
  const mcp = createMcpHandler(() => createMcpServer(client))
  const abort = new AbortController()
  const stopListening = request.onAbort?.(() => abort.abort())
  const hasBody = body !== null && method !== 'GET' && method !== 'HEAD'
  const response = await mcp.fetch(
    new Request(url, {
      method,
      headers: [...headers.entries()],
      body: hasBody ? (body as BodyInit) : null,
      signal: abort.signal,
    }),
  )
  const head = { status: response.status, headers: Object.fromEntries(response.headers) }
  if (response.body && head.headers['content-type']?.startsWith('text/event-stream')) {
    return { ...head, body: endWith(response.body, stopListening) }
  }
  const text = await response.text()
  stopListening?.()
  return { ...head, body: text }
}

async function* endWith<T>(chunks: AsyncIterable<T>, end?: () => void): AsyncGenerator<T> {
  try {
    yield* chunks
  } finally {
    end?.()
  }
}
