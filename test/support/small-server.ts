import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { tryParseJson } from '../../src/utils/foreign-json.ts'
import { startHttpServer } from './http-server.ts'

interface Row {
  readonly id: number
  [field: string]: unknown
}

/** A small server of annotations that somebody wrote by hand, and its rows. */
export interface SmallServer {
  readonly url: string
  readonly rows: Row[]
}

/**
 * Starts a server that has the annotations of project 1 and no other path: no plugins, and no list of projects. A page has
 * 3 rows, or at most 5, `DELETE` removes the row with a 204, bodies are stored as they are, and an unknown path gets a page of HTML.
 */
export async function startSmallServer(count = 5): Promise<SmallServer> {
  const rows: Row[] = Array.from({ length: count }, (_, index) => toRow(index + 1, {}))
  let next = count + 1
  const createRow = (body: object): Row => {
    const row = toRow(next, body)
    next += 1
    rows.push(row)
    return row
  }
  const url = await startHttpServer(async (request, response) => {
    const body = tryParseJson(await text(request))?.value as object | undefined
    respond(request, response, rows, createRow, body ?? {})
  })
  return { url, rows }
}

function toRow(id: number, body: object): Row {
  return { id, content: `Row ${id}`, date_marker: null, deleted: false, ...body }
}

function respond(
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
  rows: Row[],
  createRow: (body: object) => Row,
  body: object,
): void {
  const send = (status: number, json?: unknown): void => {
    const head = json === undefined ? {} : { 'content-type': 'application/json' }
    response.writeHead(status, head).end(JSON.stringify(json))
  }
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const [path, id] = /^\/api\/projects\/1\/annotations\/(?:(\d+)\/)?$/.exec(pathname) ?? []
  if (path === undefined) {
    const page = `<!DOCTYPE html><pre>Cannot ${method} ${pathname}</pre>`
    response.writeHead(404, { 'content-type': 'text/html' }).end(page)
    return
  }
  const index = rows.findIndex((row) => row.id === Number(id))
  if (headers.authorization !== 'Bearer phx_mine') {
    send(401, { detail: 'Authentication credentials were not provided.' })
  } else if (id === undefined && method === 'POST') send(201, createRow(body))
  else if (id === undefined && method === 'GET') {
    send(200, toPage(rows, searchParams, `http://${headers.host}${pathname}`))
  } else if (id === undefined) send(405, { detail: 'Method not allowed.' })
  else if (index < 0) send(404, { detail: 'Not found.' })
  else if (method === 'GET') send(200, rows[index])
  else if (method === 'PATCH') {
    Object.assign(rows[index] as Row, body)
    send(200, rows[index])
  } else if (method === 'DELETE') {
    rows.splice(index, 1)
    send(204)
  } else send(405, { detail: 'Method not allowed.' })
}

function toPage(rows: readonly Row[], query: URLSearchParams, list: string): object {
  const limit = Math.min(Number(query.get('limit')) || 3, 5)
  const offset = Number(query.get('offset')) || 0
  const found = rows.filter(({ content }) => String(content).includes(query.get('search') ?? ''))
  const link = (at: number): string => `${list}?limit=${limit}&offset=${at}`
  return {
    count: found.length,
    next: offset + limit < found.length ? link(offset + limit) : null,
    previous: offset > 0 ? link(Math.max(0, offset - limit)) : null,
    results: found.slice(offset, offset + limit),
  }
}
