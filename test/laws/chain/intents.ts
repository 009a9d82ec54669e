import fc from 'fast-check'
import type { Exchange, Simulator } from '../../../src/index.ts'
import { isObject, tryParseJson } from '../../../src/utils/json.ts'
import { acme } from '../../support/api/paths.ts'

/**
 * What a client wants to do. It names rows by numbers that are resolved when the request is sent, so that it keeps its
 * sense while fast-check removes the acts before it.
 */
export interface Intent {
  readonly method: string
  /** With `:id` for a row */
  readonly path: string
  /** Which of the ids in earlier responses */
  readonly row: number
  /** Follows the `next` of the latest page instead */
  readonly follow: boolean
  /** Which key of the world, or null for none. Keys that no world has are texts */
  readonly key: number | string | null
  readonly place: 'header' | 'query' | 'body'
  readonly query: readonly (readonly [string, string])[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body | null
  readonly isForm: boolean
  /** Fields of the latest row that the client sends back */
  readonly copied: readonly string[]
}

type Body = Readonly<Record<string, unknown>>

/** A client: it sends what it wants, and uses what it saw in responses. */
export class Speaker {
  readonly #keys: readonly string[]
  #ids: number[] = []
  #next: string | null = null
  #row: Body = {}

  constructor({ keys }: Simulator) {
    this.#keys = keys.list().map(({ value }) => value)
  }

  request(intent: Intent, origin: string): Request {
    const { method, place } = intent
    const headers = new Headers(intent.headers)
    const isRead = method === 'GET'
    const body: Record<string, unknown> = { ...intent.body }
    for (const field of intent.copied) {
      const value = isObject(this.#row.created_by)
        ? { ...this.#row.created_by, ...this.#row }[field]
        : this.#row[field]
      if (value !== undefined) body[field] = value
    }
    const hasBody = !isRead && intent.body !== null
    const { key: index } = intent
    const key = typeof index === 'number' ? this.#keys[index % this.#keys.length] : index
    const query = new URLSearchParams(intent.query.map(([name, value]) => [name, value]))
    if (typeof key === 'string') {
      if (place === 'query') query.append('personal_api_key', key)
      else if (place === 'body' && hasBody) body.personal_api_key = key
      else headers.set('authorization', `Bearer ${key}`)
    }
    const id = this.#ids[intent.row % Math.max(1, this.#ids.length)] ?? intent.row + 1
    const path = intent.path.replace(':id', String(id))
    const target = String(query) === '' ? path : `${path}?${query}`
    const url = intent.follow && isRead ? (this.#next ?? origin + target) : origin + target
    if (!hasBody) return new Request(url, { method, headers })
    if (!intent.isForm) {
      headers.set('content-type', 'application/json')
      return new Request(url, { method, headers, body: JSON.stringify(body) })
    }
    const pairs = Object.entries(body).map(([name, value]) => [name, String(value)])
    return new Request(url, { method, headers, body: new URLSearchParams(pairs) })
  }

  listen({ body }: Exchange['response']): void {
    const value = body && 'text' in body ? tryParseJson(body.text)?.value : undefined
    if (!isObject(value)) return
    this.#next = typeof value.next === 'string' ? value.next : null
    const rows = Array.isArray(value.results) ? value.results : [value]
    const ids = rows.flatMap((row) => (isObject(row) && typeof row.id === 'number' ? row.id : []))
    if (ids.length > 0) this.#ids = ids
    if (isObject(rows[0])) this.#row = rows[0]
  }
}

/** Made-up values in the forms of secrets. No form is written in one piece, so that no scanner reports this file. */
export const madeUp = {
  github: ['ghp', 'a1B2c3D4e5F6'.repeat(3)].join('_'),
  stripe: ['sk', 'live', 'Ab12Cd34Ef56Gh78Ij90Kl12'].join('_'),
  amazon: ['AKIA', 'Z2Y3X4W5V6U7T2S3'].join(''),
  slack: ['xoxb', '123456789012', 'AbCdEfGhIjKl'].join('-'),
  jwt: ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0', 'c2lnbmF0dXJl'].join('.'),
  own: ['phx', 'Abcdefgh0123456789'].join('_'),
}

const secretText = fc.constantFrom(...Object.values(madeUp), 'correct horse', 'täst-€', 'a&b=c d')

const text = fc.oneof(
  fc.constantFrom(
    'Launch',
    'Release',
    'Größe ÄÖÜ 🦔',
    'Ask ada@corp.test',
    'noor@example.com',
    'By Ada Park',
    '{id} and {{name}}',
    '$match',
    'http://service.test/api/projects/1/annotations/1/',
    '2024-06-15T12:00:00Z',
    '018f2b6e-0000-7000-8000-00000000000a',
    '1',
    '',
  ),
  secretText.map((secret) => `token ${secret}.`),
  secretText,
)

/** A secret that is an id or a word of the API's own paths and bodies would be hidden there, too. */
const hiddenText = text.filter((each) => !/^[\da-f-]+$|service\.test/.test(each))

const list = '/api/projects/1/annotations/'
const plugins = `/api/organizations/${acme}/plugins/`

const targets = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<(readonly [string, string])[]>(
      ['GET', list],
      ['GET', `${list}:id/`],
      ['POST', list],
      ['POST', list],
      ['PATCH', `${list}:id/`],
      ['DELETE', `${list}:id/`],
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<(readonly [string, string])[]>(
      ['GET', '/api/projects/'],
      ['GET', plugins],
      ['POST', plugins],
      ['GET', `${plugins}:id/`],
      ['PATCH', `${plugins}:id/`],
      ['DELETE', `${plugins}:id/`],
      ['GET', `${plugins}activity/`],
      ['GET', '/api/projects/99/annotations/'],
      ['PUT', `${list}:id/`],
      ['OPTIONS', list],
    ),
  },
)

const query = fc.oneof(
  fc.tuple(fc.constant('limit'), fc.constantFrom('1', '2', '3', '0', 'x')),
  fc.tuple(fc.constant('offset'), fc.constantFrom('1', '2', '-1')),
  fc.tuple(fc.constant('search'), text),
  fc.tuple(fc.constant('a b'), text),
  fc.tuple(fc.constantFrom('token', 'session_id', 'email', 'nickname'), hiddenText),
)

const headers = fc.dictionary(
  fc.constantFrom('x-internal', 'x-internal-token', 'x-csrftoken', 'cookie', 'x-note', 'accept'),
  fc.constantFrom(madeUp.github, 'session=abcdef123', 'a-plain-value', '{x}'),
  { maxKeys: 2 },
)

const body = fc
  .tuple(
    fc.record(
      {
        content: fc.oneof(
          { weight: 8, arbitrary: text },
          fc.constantFrom(null, 7, 'x'.repeat(401)),
        ),
        date_marker: fc.constantFrom('2024-06-01T10:00:00Z', '2024-06-01T10:00:00.5+02:00', 'soon'),
        scope: fc.constantFrom('project', 'organization', 'no'),
        deleted: fc.boolean(),
        dashboard_item: fc.constantFrom(10, 12, 99),
        name: text,
        plugin_type: fc.constantFrom('source', 'custom'),
        config_schema: fc.constant([{ key: 'a', name: 'A', type: 'string' }]),
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(
      fc.constantFrom(
        'token',
        'api_key',
        'password',
        'nickname',
        'owner',
        'settings',
        '$odd',
        'email',
      ),
      fc.oneof(
        hiddenText,
        secretText,
        fc.constantFrom<unknown[]>(12345678, null, [madeUp.slack], {
          secret: madeUp.own,
          $match: 'id',
        }),
      ),
      { maxKeys: 2 },
    ),
  )
  .map(([known, other]): Body => ({ ...known, ...other }))

export const intents: fc.Arbitrary<Intent> = fc
  .record({
    target: targets,
    row: fc.nat({ max: 30 }),
    follow: fc.integer({ min: 0, max: 9 }).map((chance) => chance > 7),
    key: fc.oneof(
      { weight: 8, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.nat({ max: 33 }) },
      { weight: 1, arbitrary: fc.constantFrom(null, 'wrong', 'phx_nobody', madeUp.own) },
    ),
    place: fc.constantFrom<Intent['place'][]>('header', 'header', 'query', 'body'),
    query: fc.array(query, { maxLength: 2 }),
    headers,
    body: fc.option(body, { freq: 8 }),
    isForm: fc.integer({ min: 0, max: 9 }).map((chance) => chance > 7),
    copied: fc.subarray(
      ['content', 'id', 'email', 'first_name', 'created_at', 'uuid', 'dashboard_item'],
      {
        maxLength: 2,
      },
    ),
  })
  .map(({ target: [method, path], ...intent }) => ({ method, path, ...intent }))
