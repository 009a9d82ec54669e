import type { Exchange } from '../../../src/index.ts'
import { annotationBody } from '../api/annotation.ts'
import { annotationsPath } from '../api/paths.ts'
import { createExchange, exampleOrigin } from './exchanges.ts'

export { annotationsPath }

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

/** A request and its response, and how it was lost. */
export type TrafficInput = Parameters<typeof createExchange>[0] &
  Partial<Pick<Exchange, 'lost' | 'ms'>>

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

/** Exchanges with one key, each a second after the previous one. */
export function createTraffic(...inputs: readonly TrafficInput[]): Exchange[] {
  return inputs.map(({ lost, ms, ...input }, index) => ({
    ...createExchange({ url: annotationsPath, bearer: 'phx_mine', ...input }),
    at: new Date(Date.parse('2024-06-15T12:00:00Z') + index * 1_000).toISOString(),
    ...(ms !== undefined && { ms }),
    ...(lost && { lost }),
  }))
}
