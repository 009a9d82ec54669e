import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { tryParseJson } from '../../src/utils/json.ts'
import { startHttpServer } from './http-server.ts'

interface Row {
  readonly id: number
  readonly [field: string]: unknown
}

/** A small server of annotations that somebody wrote by hand, and its rows. */
export interface SmallServer {
  readonly url: string
  readonly rows: Row[]
}

/**
 * Starts a server that has the annotations of project 1 and no other path: no plugins, and no list of projects. A page has
 * 3 rows, `DELETE` removes the row with a 204, bodies are stored as they are, and an unknown path gets a page of HTML.
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
  const send = (status: number, json: unknown): void =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(json))
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const [path, id] = /^\/api\/projects\/1\/annotations\/(?:(\d+)\/)?$/.exec(pathname) ?? []
  if (path === undefined) {
    const page = `<!DOCTYPE html><pre>Cannot ${method} ${pathname}</pre>`
    response.writeHead(404, { 'content-type': 'text/html' }).end(page)
    return
  }
  if (headers.authorization !== 'Bearer phx_mine') {
    send(401, { detail: 'Authentication credentials were not provided.' })
    return
  }
  if (id === undefined) {
    if (method === 'POST') return send(201, createRow(body))
    if (method !== 'GET') return send(405, { detail: 'Method not allowed.' })
    const limit = Number(searchParams.get('limit')) || 3
    const offset = Number(searchParams.get('offset')) || 0
    const search = searchParams.get('search') ?? ''
    const found = rows.filter(({ content }) => String(content).includes(search))
    const link = (at: number): string =>
      `http://${headers.host}${pathname}?limit=${limit}&offset=${at}`
    return send(200, {
      count: found.length,
      next: offset + limit < found.length ? link(offset + limit) : null,
      previous: offset > 0 ? link(Math.max(0, offset - limit)) : null,
      results: found.slice(offset, offset + limit),
    })
  }
  const at = rows.findIndex((row) => row.id === Number(id))
  if (at < 0) return send(404, { detail: 'Not found.' })
  if (method === 'GET') return send(200, rows[at])
  if (method === 'PATCH') {
    rows[at] = { ...(rows[at] as Row), ...body }
    return send(200, rows[at])
  }
  if (method !== 'DELETE') return send(405, { detail: 'Method not allowed.' })
  rows.splice(at, 1)
  response.writeHead(204).end()
}
