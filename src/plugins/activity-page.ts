import { anyText, integer, listOf, nullableShape, objectOf, type Shape } from '../fields/shape.ts'
import { queryString } from '../http/call.ts'
import { type LimitOffset, withQuery } from '../http/page.ts'
import {
  ignoredParameter,
  limitParameter,
  offsetParameter,
  type Parameter,
} from '../http/parameters.ts'
import { byPolicy, type Resolvable } from '../policies/by-policy.ts'
import { parseInteger } from '../python/int.ts'
import { JsonText, joinJsonRows, type Slice } from '../wire.ts'
import { type ActivityEntry, activityEntryShape } from './activity-log.ts'

/** A page of the activity log: it counts pages, not rows, and calls the count total_count (observed §5.6). */
export interface ActivityPage {
  results: ActivityEntry[]
  next: string | null
  previous: string | null
  total_count: number
}

export const activityPageShape: Shape<ActivityPage> = objectOf({
  results: listOf(activityEntryShape),
  next: nullableShape(anyText),
  previous: nullableShape(anyText),
  total_count: integer,
})

/** Where the service crashes, on what is no number, the default holds. */
const pageParameter: Parameter<number> = {
  description: 'Number of the page, from 1.',
  schema: {
    anyOf: [
      { type: 'integer', minimum: 1, default: 1 },
      { type: 'string', description: 'Anything else is the default.' },
    ],
  },
  read: (text) => parsePositive(text) ?? 1,
}

const limitOfTen = limitParameter(10)

/** Which part of the log is asked for: by pages, or as of any list; one plugin is no part of it. */
export const activityQuery: {
  readonly [Name in 'limit' | 'page' | 'offset']: Resolvable<Parameter<number>>
} = {
  limit: byPolicy('plugins.activity.body', {
    plugin: ignoredParameter(10),
    page: limitOfTen,
    envelope: limitOfTen,
  }),
  page: byPolicy('plugins.activity.body', {
    plugin: ignoredParameter(1),
    page: pageParameter,
    envelope: ignoredParameter(1),
  }),
  offset: byPolicy('plugins.activity.body', {
    plugin: ignoredParameter(0),
    page: ignoredParameter(0),
    envelope: offsetParameter,
  }),
}

/** @param read gives the entries of a window */
export function toActivityPage(
  read: (window: LimitOffset) => Slice<ActivityEntry>,
  asked: { readonly limit: number; readonly page: number },
  url: string,
): JsonText<ActivityPage> {
  const { limit, page } = asked
  const { rows, count } = read({ limit, offset: (page - 1) * limit })
  const next = page * limit < count ? linkTo(url, limit, page + 1) : null
  const previous = page > 1 ? linkTo(url, limit, page - 1) : null
  const links = `"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)}`
  return new JsonText(`{"results":${joinJsonRows(rows).text},${links},"total_count":${count}}`)
}

function linkTo(url: string, limit: number, page: number): string {
  const query = new URLSearchParams(queryString(url))
  query.set('limit', String(limit))
  query.set('page', String(page))
  return withQuery(url, query)
}

function parsePositive(text: string | null): number | undefined {
  const number = text === null ? undefined : parseInteger(text)
  return number !== undefined && number > 0 && Number.isSafeInteger(number) ? number : undefined
}
