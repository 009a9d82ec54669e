import { Refusal } from './foreign-errors.ts'
import type { Habits } from './foreign-habits.ts'

export interface Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly text: string
  readonly url: URL
}

export const serverKeys: Readonly<Record<string, string>> = {
  all: 'k-full-access',
  old: 'k-before-scopes',
  none: 'k-no-scopes',
  'plugin:read': 'k-plugin-reader',
  'annotation:write': 'k-annotation-writer',
}

const scopesOf: Readonly<Record<string, readonly string[] | null>> = {
  'k-full-access': ['*'],
  'k-before-scopes': null,
  'k-no-scopes': [],
  'k-plugin-reader': ['plugin:read'],
  'k-annotation-writer': ['annotation:write'],
}

/** @throws Refusal for a missing key, or one that lacks a scope */
export function authorize(
  { method, headers, text, query }: Call,
  habits: Habits,
  scope: string | null,
): void {
  const sent = headers.get('authorization')?.replace('Bearer ', '')
  const inBody = habits.keyInBody ? /"personal_api_key":"([^"]+)"/.exec(text)?.[1] : undefined
  const key = sent ?? inBody
  if (key === undefined) throw new Refusal(habits.missing, 'Please log in.')
  if (!(key in scopesOf)) throw new Refusal(habits.missing, 'This key was never issued.')
  if (habits.token && method === 'GET' && query.has('token')) {
    throw new Refusal(habits.missing, 'This token was never issued.')
  }
  const scopes = scopesOf[key] ?? null
  if (scopes === null || scope === null) return
  if (scope === 'refused') throw new Refusal(habits.insufficient, 'Not with a key of this kind.')
  if (scopes.length === 0 && habits.emptyScopes === 'everything') return
  const [object, access] = scope.split(':')
  const isAllowed =
    scopes.includes('*') ||
    scopes.includes(scope) ||
    (access === 'read' && habits.writeReads && scopes.includes(`${object}:write`))
  if (!isAllowed) throw new Refusal(habits.insufficient, `The key lacks the scope ${scope}.`)
}

/** @throws Refusal for a body that is no JSON object, or no form where forms are accepted */
export function readBody({ headers, text }: Call, habits: Habits): Record<string, unknown> {
  const type = headers.get('content-type')
  if (type === 'application/x-www-form-urlencoded' && habits.forms) {
    return Object.fromEntries(new URLSearchParams(text))
  }
  const isJson = type === 'application/json' || (type === '*/*' && habits.lenientJson)
  if (!isJson) throw new Refusal(415, 'Send JSON.')
  try {
    return JSON.parse(habits.lenientJson ? text.replace('NaN', '0') : text) as Record<
      string,
      unknown
    >
  } catch {
    throw new Refusal(400, 'This cannot be read.')
  }
}

export function pageOf(
  { maximum, invalidLimit }: Habits,
  { query, url }: Call,
  rows: readonly unknown[],
  usual: number,
): Response {
  const read = (name: string, fallback: number): number => {
    const text = query.get(name)
    if (text === null || /^\d+$/.test(text)) return Number(text ?? fallback)
    if (invalidLimit === 'refused') throw new Refusal(400, 'This is no number.', name)
    return fallback
  }
  const limit = Math.min(read('limit', usual) || usual, maximum)
  const offset = read('offset', 0)
  const link = (to: number): string => {
    const other = new URL(url)
    other.searchParams.set('limit', `${limit}`)
    other.searchParams.set('offset', `${to}`)
    return other.href
  }
  return Response.json({
    count: rows.length,
    next: offset + limit < rows.length ? link(offset + limit) : null,
    previous: offset > 0 ? link(Math.max(0, offset - limit)) : null,
    results: rows.slice(offset, offset + limit),
  })
}
