import type { Exchange } from '../../src/index.ts'

/** What a request and its answer were, as short as a test can say it. */
export interface Told {
  readonly method?: string
  readonly url?: string
  /** What follows `Bearer ` */
  readonly bearer?: string
  readonly sent?: unknown
  readonly status?: number
  readonly heard?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Where the API of such exchanges begins. */
export const example = 'https://api.example.com'

/** A request and its answer, JSON both ways. */
export function exchange({
  method = 'GET',
  url = '/api/projects/1/annotations/',
  bearer,
  sent,
  status = 200,
  heard,
  headers = {},
}: Told): Exchange {
  const body = (value: unknown) => (value === undefined ? null : { text: JSON.stringify(value) })
  return {
    at: '2024-06-15T12:00:00.000Z',
    ms: 2,
    method,
    url: `${example}${url}`,
    request: {
      headers: [
        ...(bearer === undefined ? [] : [['authorization', `Bearer ${bearer}`] as const]),
        ...(sent === undefined ? [] : [['content-type', 'application/json'] as const]),
        ...Object.entries(headers),
      ],
      body: body(sent),
    },
    answer: { status, headers: [['content-type', 'application/json']], body: body(heard) },
  }
}
