import * as z from 'zod'
import { queryOf } from '../http/call.ts'
import { type Window, withQuery } from '../http/page.ts'
import type { Parameter } from '../http/parameters.ts'
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

export const activityPage: z.ZodType<ActivityPage> = z.object({
  results: z.array(activityEntry),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  total_count: z.int(),
})

/** Where the service crashes, on what is no number, the default holds. */
export const limit: Parameter<number> = {
  description: 'Entries per page.',
  schema: { type: 'integer', minimum: 1, default: 10 },
  read: (text) => positive(text) ?? 10,
}

export const page: Parameter<number> = {
  description: 'Number of the page, from 1.',
  schema: { type: 'integer', minimum: 1, default: 1 },
  read: (text) => positive(text) ?? 1,
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
