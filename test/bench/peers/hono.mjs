// What a careful developer writes in an hour: the annotations of the API with Hono, a Map by id, and an array in the
// order of the list. `node hono.mjs ROWS PORT`
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const [file, port] = process.argv.slice(2)
const rows = JSON.parse(readFileSync(file, 'utf8'))
/** The list from its end, so that the newest row is appended. Rows without a date come first in the list. */
const ordered = rows.toReversed()
const byId = new Map(rows.map((row) => [row.id, row]))
let lastId = rows.reduce((highest, { id }) => Math.max(highest, id), 0)
const author = rows[0].created_by

const error = (type, code, detail) => ({ type, code, detail, attr: null })
const notFound = error('invalid_request', 'not_found', 'Not found.')
const invalid = error('validation_error', 'invalid_input', 'This field is invalid.')
const unauthenticated = error(
  'authentication_error',
  'not_authenticated',
  'Authentication credentials were not provided.',
)

const app = new Hono()
const list = '/api/projects/1/annotations/'

app.use(`${list}*`, async (c, next) => {
  if (c.req.header('authorization') !== 'Bearer phx_all') return c.json(unauthenticated, 401)
  return next()
})

app.get(list, (c) => {
  const limit = Math.min(toNumber(c.req.query('limit'), 100), 1000)
  const offset = toNumber(c.req.query('offset'), 0)
  const end = Math.max(ordered.length - offset, 0)
  const start = Math.max(end - limit, 0)
  const [page] = c.req.url.split('?')
  const link = (at) => `${page}?limit=${limit}&offset=${at}`
  return c.json({
    count: ordered.length,
    next: start > 0 ? link(offset + limit) : null,
    previous: offset > 0 ? link(Math.max(offset - limit, 0)) : null,
    results: ordered.slice(start, end).reverse(),
  })
})

app.post(list, async (c) => {
  const body = await readBody(c)
  if (typeof body?.content !== 'string') return c.json(invalid, 400)
  const now = new Date().toISOString()
  const row = {
    id: ++lastId,
    content: body.content,
    date_marker: body.date_marker ?? null,
    creation_type: body.creation_type ?? 'USR',
    dashboard_item: body.dashboard_item ?? null,
    insight_short_id: null,
    insight_name: null,
    created_by: author,
    created_at: now,
    updated_at: now,
    deleted: false,
    scope: body.scope ?? 'dashboard_item',
  }
  byId.set(row.id, row)
  insert(row)
  return c.json(row, 201)
})

app.get(`${list}:id/`, (c) => {
  const row = byId.get(Number(c.req.param('id')))
  return row ? c.json(row) : c.json(notFound, 404)
})

app.patch(`${list}:id/`, async (c) => {
  const row = byId.get(Number(c.req.param('id')))
  if (!row) return c.json(notFound, 404)
  const body = await readBody(c)
  if (!body) return c.json(invalid, 400)
  const { content = row.content, date_marker = row.date_marker, scope = row.scope } = body
  const moves = date_marker !== row.date_marker
  if (moves) ordered.splice(ordered.indexOf(row), 1)
  Object.assign(row, { content, date_marker, scope, updated_at: new Date().toISOString() })
  if (moves) insert(row)
  return c.json(row)
})

/** After all rows that come later in the list. */
function insert(row) {
  const key = (row) => row.date_marker ?? '~'
  let [low, high] = [0, ordered.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (key(ordered[middle]) <= key(row)) low = middle + 1
    else high = middle
  }
  ordered.splice(low, 0, row)
}

async function readBody(c) {
  try {
    const body = await c.req.json()
    return typeof body === 'object' ? body : null
  } catch {
    return null
  }
}

function toNumber(text, fallback) {
  const number = Number(text ?? fallback)
  return Number.isInteger(number) && number >= 0 ? number : fallback
}

serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' })
