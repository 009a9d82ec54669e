import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import express, { type Application, type Response } from 'express'
import { ada } from '../../api/annotation.ts'

/** What a service wants to respond. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

/**
 * How a response goes wrong. It sends the answer in its own way, or none.
 *
 * @param carryOut does what the request asks for
 */
export type Mishap = (carryOut: () => Answer, response: Response) => void | Promise<void>

/** A service of annotations with its own rows. It has nothing in common with the simulator. */
export interface FailingService {
  readonly url: string
  readonly application: Application
  /** The responses that go wrong: those of the next requests with this method, in this order */
  readonly mishaps: { method: string; mishap: Mishap }[]
  close(): void
}

interface Row extends Record<string, unknown> {
  readonly id: number
  readonly content: string | null
}

/** Starts the service on a free port. */
export async function startFailingService(): Promise<FailingService> {
  const application = express()
  const mishaps: FailingService['mishaps'] = []
  const rows: Row[] = [1, 2, 3].map((id) => createRow(100 + id, { content: `Release ${id}` }))

  application.use(express.json())
  const answer = (answerOf: (request: express.Request) => Answer) => {
    return async (request: express.Request, response: Response): Promise<void> => {
      const index = mishaps.findIndex(({ method }) => method === request.method)
      const [found] = index < 0 ? [] : mishaps.splice(index, 1)
      const carryOut = () => (request.headers.authorization ? answerOf(request) : noKey)
      await (found?.mishap ?? send)(carryOut, response)
    }
  }

  application.get(
    '/api/projects/1/annotations/',
    answer(({ query, originalUrl, headers }) => {
      const [limit, offset] = [Number(query.limit ?? 100), Number(query.offset ?? 0)]
      const search = String(query.search ?? '').toLowerCase()
      const found = rows.filter(({ content }) => `${content}`.toLowerCase().includes(search))
      const page = (start: number): string => {
        const url = new URL(originalUrl, `http://${headers.host}`)
        url.searchParams.set('limit', String(limit))
        if (start > 0) url.searchParams.set('offset', String(start))
        else url.searchParams.delete('offset')
        return url.href
      }
      const next = offset + limit < found.length ? page(offset + limit) : null
      const previous = offset > 0 ? page(Math.max(0, offset - limit)) : null
      const results = found.toReversed().slice(offset, offset + limit)
      return { status: 200, body: { count: found.length, next, previous, results } }
    }),
  )
  application.post(
    '/api/projects/1/annotations/',
    answer(({ body }) => {
      const row = createRow(101 + rows.length, body)
      rows.push(row)
      return { status: 201, body: row }
    }),
  )
  application.get(
    '/api/projects/1/annotations/:id/',
    answer(({ params }) => {
      const row = rows.find(({ id }) => id === Number(params.id))
      return row ? { status: 200, body: row } : notFound
    }),
  )
  application.patch(
    '/api/projects/1/annotations/:id/',
    answer(({ params, body }) => {
      const index = rows.findIndex(({ id }) => id === Number(params.id))
      if (index < 0) return notFound
      rows[index] = { ...(rows[index] as Row), ...body, updated_at: new Date().toISOString() }
      return { status: 200, body: rows[index] }
    }),
  )

  const server: Server = application.listen(0, '127.0.0.1')
  // On a connection that it has used before, Chromium repeats a lost request by itself, and no archive shows that.
  server.maxRequestsPerSocket = 1
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { url, application, mishaps, close }
}

function createRow(id: number, fields: object): Row {
  const now = new Date().toISOString()
  return {
    id,
    content: null,
    date_marker: null,
    creation_type: 'USR',
    dashboard_item: null,
    insight_short_id: null,
    insight_name: null,
    created_by: ada,
    created_at: now,
    updated_at: now,
    deleted: false,
    scope: 'dashboard_item',
    ...fields,
  }
}

const error = (status: number, type: string, code: string, detail: string): Answer => {
  return { status, body: { type, code, detail, attr: null } }
}
const notFound = error(404, 'invalid_request', 'not_found', 'Not found.')
const noKey = error(
  401,
  'authentication_error',
  'not_authenticated',
  'Authentication credentials were not provided.',
)

const send: Mishap = (carryOut, response) => {
  const { status, body } = carryOut()
  response.status(status).json(body)
}

/** The request is carried out, and the connection breaks before the response. */
export const loseResponse: Mishap = (carryOut, response) => {
  carryOut()
  response.socket?.destroy()
}

/** The request is carried out, and its response never comes. */
export const neverRespond: Mishap = (carryOut) => void carryOut()

/** Another response. The request is not carried out. */
export function respond(
  status: number,
  body: string | object,
  headers: Readonly<Record<string, string>> = {},
): Mishap {
  return (_, response) => void response.status(status).set(headers).send(body)
}

/** The page of a proxy whose backend is down. */
export const badGateway: Mishap = respond(
  502,
  '<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>',
)

/** The response arrives late. @param ms milliseconds */
export function respondLate(ms: number): Mishap {
  return async (carryOut, response) => {
    await pause(ms)
    await send(carryOut, response)
  }
}

/** The response announces more bytes than it has, and the connection closes after them. */
export const announceTooMuch: Mishap = (carryOut, response) => {
  const { status, body } = carryOut()
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text) + 100
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length })
  response.write(text, () => response.socket?.destroy())
}

/** The response announces fewer bytes than it has: the client gets half of the JSON, and no error. */
export const announceTooLittle: Mishap = (carryOut, response) => {
  const { status, body } = carryOut()
  const text = JSON.stringify(body)
  const half = text.slice(0, text.length / 2)
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(half),
      connection: 'close',
    })
    .end(half)
}

/** The connection breaks within a body that announces no length. */
export const cutBody: Mishap = (carryOut, response) => {
  const { status, body } = carryOut()
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json' })
  response.write(text.slice(0, text.length / 2), () => response.socket?.destroy())
}
