import { anyText, integer, listOf, objectOf, orNone, type Shape } from '../fields/shape.ts'
import { queryOf } from '../http/call.ts'
import { type Window, withQuery } from '../http/page.ts'
import { limit, offset, type Parameter, unread } from '../http/parameters.ts'
import { byPolicy, type Resolvable } from '../policies/by-policy.ts'
import { parseInteger } from '../python/int.ts'
import { joinRows, type Slice, Wire } from '../wire.ts'
import { type ActivityEntry, activityEntry } from './activity-log.ts'

/** A page of the activity log: it counts pages, not rows, and calls the count total_count (observed §5.6). */
export interface ActivityPage {
  results: ActivityEntry[]
  next: string | null
  previous: string | null
  total_count: number
}

export const activityPage: Shape<ActivityPage> = objectOf({
  results: listOf(activityEntry),
  next: orNone(anyText),
  previous: orNone(anyText),
  total_count: integer,
})

/** Where the service crashes, on what is no number, the default holds. */
const page: Parameter<number> = {
  description: 'Number of the page, from 1.',
  schema: {
    anyOf: [
      { type: 'integer', minimum: 1, default: 1 },
      { type: 'string', description: 'Anything else is the default.' },
    ],
  },
  read: (text) => positive(text) ?? 1,
}

const ten = limit(10)

/** Which part of the log is asked for: by pages, or as of any list; one plugin is no part of it. */
export const activityQuery: {
  readonly [Name in 'limit' | 'page' | 'offset']: Resolvable<Parameter<number>>
} = {
  limit: byPolicy('plugins.activity.body', { plugin: unread(10), page: ten, envelope: ten }),
  page: byPolicy('plugins.activity.body', { plugin: unread(1), page, envelope: unread(1) }),
  offset: byPolicy('plugins.activity.body', {
    plugin: unread(0),
    page: unread(0),
    envelope: offset,
  }),
}

/** @param read gives the entries of a window */
export function toActivityPage(
  read: (window: Window) => Slice<ActivityEntry>,
  asked: { readonly limit: number; readonly page: number },
  url: string,
): Wire<ActivityPage> {
  const { limit, page } = asked
  const { rows, count } = read({ limit, offset: (page - 1) * limit })
  const next = page * limit < count ? linkTo(url, limit, page + 1) : null
  const previous = page > 1 ? linkTo(url, limit, page - 1) : null
  const links = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`
  return new Wire(`{"results":${joinRows(rows).text},${links},"total_count":${count}}`)
}

function linkTo(url: string, limit: number, page: number): string {
  const query = new URLSearchParams(queryOf(url))
  query.set('limit', String(limit))
  query.set('page', String(page))
  return withQuery(url, query)
}

function positive(text: string | null): number | undefined {
  const number = text === null ? undefined : parseInteger(text)
  return number !== undefined && number > 0 && Number.isSafeInteger(number) ? number : undefined
}
