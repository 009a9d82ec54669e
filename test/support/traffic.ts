import { toHarEntry } from '../../src/adapters/har/write-har.ts'
import type { Exchange } from '../../src/index.ts'
import { annotationBody } from './api/annotation.ts'
import { annotationsPath } from './api/paths.ts'

/** The base URL of recorded requests. */
export const exampleOrigin = 'https://api.example.com'

/** A request and its response, as short as a test can say it. Both bodies are JSON. */
export interface TrafficInput extends Partial<Pick<Exchange, 'lost' | 'ms'>> {
  readonly method?: string
  /** The path, or the whole address */
  readonly url?: string
  /** The key in the authorization header */
  readonly bearer?: string
  readonly sent?: unknown
  readonly status?: number
  readonly received?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A request and its response, so many seconds after the first one. */
export function createExchange(input: TrafficInput, seconds = 0): Exchange {
  const { method = 'GET', url = annotationsPath, bearer, sent, status = 200, received } = input
  const { headers = {}, ms = 2, lost } = input
  const body = (value: unknown) =>
    Object(value).omitted
      ? (value as never)
      : value === undefined
        ? null
        : { text: JSON.stringify(value) }
  return {
    at: new Date(Date.parse('2024-06-15T12:00:00Z') + seconds * 1_000).toISOString(),
    ms,
    method,
    url: `${exampleOrigin}${url}`,
    request: {
      headers: [
        ...(bearer === undefined ? [] : [['authorization', `Bearer ${bearer}`] as const]),
        ...(sent === undefined ? [] : [['content-type', 'application/json'] as const]),
        ...Object.entries(headers),
      ],
      body: body(sent),
    },
    response: { status, headers: [['content-type', 'application/json']], body: body(received) },
    ...(lost && { lost }),
  }
}

/** Exchanges with one key, each a second after the previous one. */
export function createTraffic(...inputs: readonly TrafficInput[]): Exchange[] {
  return inputs.map((input, index) => createExchange({ bearer: 'phx_mine', ...input }, index))
}

/** The text of an archive: of exchanges, or of entries of any exporter. An entry can be a text of its own. */
export function archive(...entries: readonly (Exchange | object | string)[]): string {
  const texts = entries.map((entry) => {
    if (typeof entry === 'string') return entry
    return JSON.stringify('at' in entry ? toHarEntry(entry as Exchange) : entry)
  })
  return `{"log":{"version":"1.2","entries":[${texts.join(',')}]}}`
}

/** The text of a page without rows. */
export const emptyPage = '{"count":0,"next":null,"previous":null,"results":[]}'

/** What an entry of an exporter has besides a list that is empty. */
interface EntryInput {
  readonly entry?: object
  readonly request?: object
  readonly response?: object
}

/** An entry of an archive as an exporter of any kind writes it: a request that finds no rows. */
export function entry({ entry = {}, request = {}, response = {} }: EntryInput = {}): object {
  return {
    startedDateTime: '2024-06-15T12:00:00.000Z',
    time: 2,
    request: { method: 'GET', url: `${exampleOrigin}${annotationsPath}`, headers: [], ...request },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { text: emptyPage },
      ...response,
    },
    ...entry,
  }
}

/** Who created the rows. */
const author = {
  id: 7,
  uuid: '018f2b6e-0000-7000-8000-000000000007',
  distinct_id: 'd7',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  is_email_verified: true,
  hedgehog_config: null,
}

/** An annotation as the service shows it. */
export function createRow(id: number, content: string, changes: object = {}) {
  return annotationBody({
    id,
    content,
    date_marker: `2024-06-01T00:00:${String(id).padStart(2, '0')}Z`,
    created_by: author,
    created_at: '2024-06-01T12:00:00Z',
    updated_at: '2024-06-01T12:00:00Z',
    scope: 'project',
    ...changes,
  })
}

/** A page with all rows of its list. */
export function createPage(...results: object[]) {
  return { count: results.length, next: null, previous: null, results }
}

/** A page of a list of `count` rows, with links to the pages beside it. @param url with a limit, and often an offset */
export function createPart(url: string, count: number, ...results: object[]): TrafficInput {
  const { searchParams, href } = new URL(url, exampleOrigin)
  const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))]
  const linkTo = (from: number): string => {
    const link = new URL(href)
    link.searchParams.delete('offset')
    if (from > 0) link.searchParams.set('offset', String(from))
    link.searchParams.sort()
    return link.href
  }
  const next = offset + limit < count ? linkTo(offset + limit) : null
  const previous = offset > 0 ? linkTo(offset - limit) : null
  return { url, received: { count, next, previous, results } }
}

/**
 * The archive of a browser, without keys. A create times out after 30 seconds, the page sends it again, and the list has
 * both rows.
 */
export function incidentArchive(): string {
  const row = (id: number, content: string, created_at: string) =>
    createRow(id, content, { date_marker: null, created_at, updated_at: created_at })
  const deploy = row(4, 'Deploy', '2024-06-01T09:00:00Z')
  const first = row(5, 'Launch', '2024-06-15T12:00:01Z')
  const second = row(6, 'Launch', '2024-06-15T12:00:32Z')
  const at = (second: string) => ({ startedDateTime: `2024-06-15T12:00:${second}Z` })
  const launch = { mimeType: 'application/json', text: '{"content":"Launch","scope":"project"}' }
  const create = { method: 'POST', headers: [{ name: ':method', value: 'POST' }], postData: launch }
  const shows = (body: object) => ({ content: { text: JSON.stringify(body) } })
  const nothing = { headers: [], content: { size: 0, mimeType: 'x-unknown' } }
  const lost = { status: 0, ...nothing, _error: 'net::ERR_TIMED_OUT' }
  return archive(
    entry({ response: shows(createPage(deploy)) }),
    entry({ entry: { ...at('01'), time: 30_000 }, request: create, response: lost }),
    entry({ entry: at('32'), request: create, response: { status: 201, ...shows(second) } }),
    entry({ entry: at('33'), response: shows(createPage(second, first, deploy)) }),
  )
}
