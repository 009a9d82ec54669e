import type { ServerResponse } from 'node:http'
import {
  NodeApiRequest,
  type NodeRequest,
  readWholeBody,
  requestOrigin,
  sendError,
  writeResponse,
} from '../adapters/express/node-http.ts'
import { type AnyOperation, readQuery, runOperation, simulatorOf } from '../admin/operation.ts'
import { Failure, noRoom } from '../http/failures.ts'
import { isOmitted, isStream, jsonResponse, queryString, receivedTarget } from '../http/messages.ts'
import { splitSandboxPath } from '../http/route.ts'
import { ServedRun } from '../report/usage.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { isNestedDeeper, maxLevels, toJsonText } from '../utils/json.ts'
import { parseQuery } from '../utils/query.ts'
import { decodePart } from '../utils/text.ts'
import { abortOf, wait } from '../utils/wait.ts'
import { checkAccess, type Guard } from './guard.ts'

interface AdminOptions {
  readonly closed: AbortSignal
  /** The fixture or file that is served */
  readonly world?: string | undefined
  readonly guard: Guard
  readonly scenarios?: string | undefined
  /** Called with unexpected errors. The client receives a 500. */
  readonly report: (error: unknown) => void
  readonly onNotFound?: ((method: string, url: string) => void) | undefined
}

interface ServedAdmin {
  readonly respond: (request: NodeRequest, response: ServerResponse) => void
  /** Loads the operations before the first request, such as while a browser loads the dashboard. */
  readonly load: () => void
}

const adminPath = /^\/__admin(\/[^?#]*)/i

/** The requests that leave rows or rules behind, and in a sandbox a whole world */
const kept =
  /^(?:(?:POST|PATCH) [^/]*\/(?:world|keys|faults|sandboxes)|PUT [^/]+\/(?:world|recording)\/?$)/

const maxBody = 64 * 1024 * 1024

/**
 * Serves the admin API: it checks the access, reads the body, runs the operation and sends its result. The operations
 * load with the first request.
 */
export function serveAdmin(server: Simulator, options: AdminOptions): ServedAdmin {
  const { guard, report, closed, onNotFound } = options
  const run = new ServedRun(server)
  let loaded: ReturnType<typeof loadTable> | null = null
  const load = () => {
    loaded ??= loadTable(options.scenarios)
    return loaded
  }
  const respond = async (request: NodeRequest, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request
    const target = splitSandboxPath(receivedTarget(url))
    const path = adminPath.exec(target.path)?.[1] ?? ''
    const { table, scenarios } = await load()
    const matching = table.filter(({ pattern }) => pattern.test(path))
    if (matching.length === 0) {
      onNotFound?.(method, url)
      const detail = 'Endpoint not found. GET /__admin/openapi.json lists the operations.'
      throw new Failure('not_found', detail)
    }
    const head = new NodeApiRequest(request)
    const isOpen = matching.some(({ operation }) => operation.isOpen)
    checkAccess(method, head, guard, isOpen)
    const route = matching.find((route) => route.method === (method === 'HEAD' ? 'GET' : method))
    if (!route) {
      const allowed = matching.map((route) => route.method).join(', ')
      response.setHeader('allow', allowed)
      throw new Failure('method_not_allowed', `Method "${method}" not allowed. Send ${allowed}.`)
    }
    if (server.state.isFull && kept.test(`${method} ${target.sandboxId ?? ''}${path}`))
      throw noRoom()
    const { operation, pattern } = route
    const call = {
      simulator: simulatorOf(server, target.sandboxId),
      server,
      run,
      scenarios,
      closed,
      world: options.world,
      origin: requestOrigin(request),
      query: readQuery(operation.query, parseQuery(queryString(url))),
      body: isOpen ? {} : await readJson(request, response),
      setHeader: (name: string, value: number) => response.setHeader(name, value),
      lastEventId: head.headers.get('last-event-id'),
    }
    const params = (pattern.exec(path) ?? []).slice(1).map((part) => decodePart(part))
    send(response, await runOperation(operation, call, params), closed)
  }
  return {
    load,
    respond(request, response) {
      respond(request, response).catch((error) => {
        sendError(response, error, report)
      })
    },
  }
}

interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly operation: AnyOperation
}

async function loadTable(folder: string | undefined) {
  const { operations } = await import('../admin/operations.ts')
  const { openScenarioLibrary } = await import('../scenarios/library.ts')
  const table = Object.entries<object>(operations).map(([name, operation]) => {
    const [method = '', path = ''] = name.split(' ')
    // A misspelt operation is no id.
    const part = path.startsWith('/journal') ? '(\\d+)' : '([^/]+)'
    const pattern = new RegExp(`^${path.replace(/:\w+/g, part)}/?$`)
    return { method, pattern, operation } as Route
  })
  return { table, scenarios: openScenarioLibrary(folder) }
}

/** No body is read as `{}`. @throws Failure for a body that is not JSON */
async function readJson(request: NodeRequest, response: ServerResponse) {
  const body = await readWholeBody(request, response, maxBody)
  if (isOmitted(body)) throw new Failure('body_too_large')
  const text = new TextDecoder().decode(body ?? undefined)
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (isNestedDeeper(text)) throw new Error(`more than ${maxLevels} levels`)
    return value
  } catch (error) {
    throw new Failure('parse_error', `JSON parse error: ${(error as Error).message}`)
  }
}

function send(response: ServerResponse, result: unknown, closed: AbortSignal) {
  if (result === undefined) response.writeHead(204).end()
  else if (!isStream(result))
    writeResponse(response, jsonResponse(200, toJsonText(result).text), true)
  else {
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }
    writeResponse(response, { status: 200, headers, body: result })
    void keepAlive(response, closed)
  }
}

/** In milliseconds. The HTML standard advises about 15 seconds. */
const keepAliveInterval = 15_000

/** Sends a comment now and then, so that proxies do not close a stream of events as idle. */
async function keepAlive(response: ServerResponse, closed: AbortSignal) {
  const ended = new AbortController()
  response.once('close', () => ended.abort())
  const signal = AbortSignal.any([ended.signal, closed])
  while (await wait(keepAliveInterval, abortOf(signal))) response.write(': keep-alive\n\n')
}
