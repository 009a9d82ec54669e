import { expect, test } from 'vitest'
import { describeUnexplained } from '../../src/compare/sentences.ts'
import { compareServer, createServer, type Fetch, wrongIn } from './own-server.ts'

interface Answered {
  readonly method: string
  status: number
  type: string
  body: Record<string, unknown>
}

const relative = (link: unknown) => link && String(link).replace(/^https?:\/\/[^/]+/, '')

const isPatched = ({ method, status }: Answered) => method === 'PATCH' && status === 200

type Change = (answered: Answered, url: string) => unknown

/** Each list can differ in another way. */
const listOf = (url: string) => /\/(annotations|plugins|projects)\/(?:\?.*)?$/.exec(url)?.[1]

type Row = readonly [what: string, allowWrites: boolean, change: Change, told: string[]]

const rows: readonly Row[] = [
  [
    'relative links, another media type, a further field of listed rows, and other statuses',
    false,
    (answered, url) => {
      const { body } = answered
      if ('next' in body) Object.assign(body, { next: relative(body.next), previous: null })
      answered.type = 'text/plain'
      for (const row of [body.results ?? []].flat()) Object.assign(row as object, { v: 1 })
      if (answered.status === 404) answered.status = 410
      if (url.includes('/activity/')) answered.status = 501
      if (url.includes('/unused/')) answered.status = 404
    },
    [
      'header content-type text/plain, and application/json in a simulator',
      'status 410, and 404 in a simulator',
      'field v present, and absent in a simulator',
      'links relative URLs, and absolute URLs in a simulator',
      'previous null, and a link in a simulator',
      'status 501, and a success in a simulator',
      'status 404, and a success in a simulator',
    ],
  ],
  [
    'the rows of the page as count, no link to the next page, and no count',
    false,
    ({ body }, url) => {
      const list = 'count' in body && listOf(url)
      if (list === 'annotations') body.count = [body.results].flat().length
      if (list === 'plugins') body.next = null
      if (list === 'projects') body.count = null
    },
    [
      'next a link although count has no further row, and as count says in a simulator',
      'next null although count has further rows, and as count says in a simulator',
      'type of count null, and a number in a simulator',
    ],
  ],
  [
    'times with an offset, statuses of a success, of bad input, and of a PATCH without a body, ids that are texts, no creator',
    true,
    (answered) => {
      const { body } = answered
      const { date_marker: time } = body
      if (typeof time === 'string') body.date_marker = time.replace('T00:00:00Z', 'T02:00:00+02:00')
      const others: Record<number, number> = { 201: 200, 400: 422 }
      answered.status = isPatched(answered) ? 204 : (others[answered.status] ?? answered.status)
      if ('id' in body) body.id = `${body.id}`
      if ('created_by' in body) body.created_by = null
    },
    [
      'type of id a string, and a number in a simulator',
      'status 200, and 201 in a simulator',
      'type of created_by null, and an object in a simulator',
      'status 204, and 200 in a simulator',
      'status 422, and 400 in a simulator',
    ],
  ],
]

test.each(rows)(
  'a comparison tells each difference that no setting explains: %s',
  async (_, allowWrites, change, told) => {
    const server = createServer()
    const like: Fetch = async (url, init) => {
      const response = await server.fetch(url, init)
      const text = await response.text()
      if (!text.startsWith('{')) return new Response(text || null, response)
      const answered = {
        ...{ method: init?.method ?? 'GET', status: response.status, type: 'application/json' },
        body: JSON.parse(text),
      }
      change(answered, String(url))
      const headers = new Headers(response.headers)
      headers.set('content-type', answered.type)
      const body = answered.status === 204 ? null : JSON.stringify(answered.body)
      return new Response(body, { status: answered.status, headers })
    }

    const comparison = await compareServer(like, { all: 'phx_all' }, { allowWrites })

    const { unexplained, explained, compared } = comparison
    expect(unexplained.map((what) => `${what.part} ${describeUnexplained(what)}`)).toEqual(told)
    expect(explained).toBeLessThan(compared)
    expect(wrongIn(comparison, server.settings.values)).toEqual({})
  },
)
