import type { PolicyOverrides } from '../../../src/policies/settings.ts'
import type { Random } from '../random.ts'

/** How a hand-written server responds. */
export interface Habits {
  readonly slash: 'both' | 'needed' | 'refused' | 'redirected'
  readonly keys: 'checked' | 'unknown accepted' | 'none needed'
  readonly missingKey: 401 | 403
  readonly body: 'envelope' | 'detail' | 'empty' | 'own'
  readonly defaultLimit: number
  readonly maximum: number
  /** Whether links repeat the limit of the request, whatever was applied */
  readonly echoes: boolean
  readonly deleteStatus: 403 | 404 | 405
  readonly hides: boolean
  /** What POST returns */
  readonly creates: 'the row' | 'the first row' | 'an error'
}

interface Row {
  readonly id: number
  content: string
  deleted: boolean
}

const choices = {
  slash: ['both', 'needed', 'refused', 'redirected'],
  keys: ['checked', 'checked', 'unknown accepted', 'none needed'],
  missingKey: [401, 403],
  body: ['envelope', 'detail', 'empty', 'own'],
  defaultLimit: [5, 20, 100, 1000],
  maximum: [10, 100, 1000, 100_000_000],
  echoes: [false, false, true],
  deleteStatus: [403, 404, 405],
  hides: [true, false],
  creates: ['the row', 'the row', 'the first row', 'an error'],
} as const

/** A small server of annotations that was written by hand, with random habits. */
export function createWrittenServer(random: Random) {
  const entries = Object.entries(choices).map(([name, values]) => [
    name,
    random.pick<unknown>(values),
  ])
  const habits = Object.fromEntries(entries) as Habits
  const rows: Row[] = Array.from({ length: 30 }, (_, index) => {
    return { id: index + 1, content: `Row ${index + 1}`, deleted: false }
  })
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> =>
    respond(habits, rows, new URL(String(input)), init)
  return { habits, rows, fetch, truth: truthOf(habits) }
}

/** The values that the server shows. Other policies must stay open, or are in `either`. */
function truthOf(habits: Habits): PolicyOverrides {
  const { keys, missingKey, body, maximum, deleteStatus, hides } = habits
  const isChecked = keys === 'checked'
  const isMaximum = maximum === 100 || maximum === 1000
  return {
    ...(isChecked && { 'keys.missing.status': `${missingKey}` }),
    ...(isChecked && missingKey === 401 && { 'keys.www_authenticate': 'absent' }),
    ...(isChecked && body !== 'own' && { 'errors.body': body }),
    ...(isMaximum && { 'lists.limit.maximum': `${maximum}` as '100' }),
    ...(maximum > 100_000 && { 'lists.limit.maximum': 'none' }),
    'annotations.list.limit.default': Math.min(habits.defaultLimit, maximum),
    'annotations.delete.status':
      deleteStatus === 405 && body === 'empty' ? '405_empty' : `${deleteStatus}`,
    'annotations.deleted.visibility': hides ? 'hidden' : 'listed',
    'annotations.restore': hides ? 'not_found' : 'restores',
    'annotations.creation_type.values': 'any',
    'annotations.scope.values': 'any',
    'annotations.search.reach': 'list',
    'lists.limit.invalid': 'default',
    'headers.allow': 'on_405',
    'paths.current': 'on',
    'paths.unknown': 'not_found',
    'paths.format': 'off',
    'projects.token': 'ignored',
    'keys.places': 'header',
    'methods.put': 'off',
    'methods.undocumented': '405',
    'bodies.form': 'refused',
    'bodies.json': 'strict',
    'fields.nullable': 'observed',
    'projects.list.limit.default': Math.min(habits.defaultLimit, maximum),
  } as PolicyOverrides
}

function respond(habits: Habits, rows: Row[], url: URL, init: RequestInit): Response {
  const fail = (status: number, detail: string): Response => failure(habits, status, detail)
  const hasSlash = url.pathname.endsWith('/')
  if (hasSlash && habits.slash === 'redirected') {
    return new Response('', { status: 308, headers: { location: url.pathname.slice(0, -1) } })
  }
  if ((hasSlash && habits.slash === 'refused') || (!hasSlash && habits.slash === 'needed')) {
    return fail(404, 'No such page.')
  }
  const path = url.pathname.replace(/\/$/, '')
  const [, id] = /^\/api\/projects\/(?:@current|1)\/annotations(?:\/(\d+))?$/.exec(path) ?? [null]
  const isList = /^\/api\/projects\/(?:@current|1)\/annotations$/.test(path)
  if (path !== '/api/projects' && !isList && id === undefined) return fail(404, 'No such page.')
  if (path !== '/api/projects' && !isList && id === null) return fail(404, 'No such page.')
  const key = (init.headers as Record<string, string>).authorization
  if (key === undefined && habits.keys !== 'none needed') return fail(habits.missingKey, 'No key.')
  if (key !== undefined && habits.keys === 'checked' && key !== 'Bearer phx_all') {
    return fail(habits.missingKey, 'Unknown key.')
  }
  const method = init.method ?? 'GET'
  if (path === '/api/projects') {
    return method === 'GET' ? page(habits, [{ id: 1 }], url) : fail(405, 'No such method.')
  }
  const shown = rows.filter(({ deleted }) => !deleted || !habits.hides)
  if (isList && method === 'GET') {
    const search = url.searchParams.get('search') ?? ''
    return page(
      habits,
      shown.filter(({ content }) => content.includes(search)),
      url,
    )
  }
  const sent = parseBody(init)
  if (isList && method === 'POST') {
    if (sent === null) return fail(400, 'Not JSON.')
    const row: Row = { id: rows.length + 1, content: '', deleted: false, ...sent }
    rows.push(row)
    if (habits.creates === 'an error') return fail(500, 'Oops.')
    const answer = habits.creates === 'the first row' ? { ...row, id: 1 } : row
    return Response.json(answer, { status: 201 })
  }
  const row = shown.find((each) => each.id === Number(id))
  if (method === 'DELETE') return fail(habits.deleteStatus, 'Rows stay.')
  if (method !== 'GET' && method !== 'PATCH') return fail(405, 'No such method.')
  if (!row) return fail(404, 'No such row.')
  if (method === 'GET') return Response.json(row)
  const type = new Headers(init.headers).get('content-type')
  if (type !== 'application/json') return fail(415, 'Send JSON.')
  if (sent === null) return fail(400, 'Not JSON.')
  Object.assign(row, sent)
  return Response.json(row)
}

function parseBody({ body }: RequestInit): object | null {
  try {
    return JSON.parse(String(body))
  } catch {
    return null
  }
}

function page(habits: Habits, rows: readonly object[], url: URL): Response {
  const wanted = Number(url.searchParams.get('limit') ?? habits.defaultLimit) || habits.defaultLimit
  const limit = Math.min(wanted, habits.maximum)
  const offset = Number(url.searchParams.get('offset') ?? 0) || 0
  const link = new URL(url)
  link.searchParams.set('limit', String(habits.echoes ? wanted : limit))
  link.searchParams.set('offset', String(Math.max(0, offset - limit)))
  return Response.json({
    count: rows.length,
    next: null,
    previous: offset > 0 ? link.href : null,
    results: rows.slice(offset, offset + limit),
  })
}

function failure({ body }: Habits, status: number, detail: string): Response {
  if (body === 'empty') return new Response('', { status })
  if (body === 'own') return Response.json({ error: detail }, { status })
  const more = body === 'envelope' ? { type: 'error', code: 'error', attr: null } : {}
  return Response.json({ ...more, detail }, { status })
}
