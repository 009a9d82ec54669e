import * as z from 'zod'
import { apiPath } from '../../http/route.ts'
import { operationSchema } from '../request-pattern.ts'
import type { JournalRecord } from './journal.ts'
import type { KeyLabels } from './key-labels.ts'

/** A status or a class of statuses: `404`, `'4xx'`. 0 is a connection that broke before the response. */
export type StatusFilter = number | string

export const statusSchema = z
  .union([z.int(), z.string()])
  .refine((value) => /^(0|[1-5]xx|[1-5]\d\d)$/i.test(String(value)), {
    error: 'expected a status such as 404, or a class such as 4xx',
  })

/** The fields that filters and expectations have in common. */
export const requestFilterFields = {
  operation: operationSchema.optional(),
  /** The label or the value of a key */
  key: z.string().optional(),
  status: statusSchema.optional(),
}

export const journalFilterSchema = z.strictObject({
  ...requestFilterFields,
  /** In any case */
  method: z.string().optional(),
  /** What the path begins with, such as `/api/projects/1/annotations/` */
  path: z.string().optional(),
  /** True for requests without an operation, false for the others */
  unmatched: z.boolean().optional(),
  /** At most this many entries: the latest ones */
  limit: z.int().min(1).optional(),
})

export const entryQuerySchema = journalFilterSchema.extend({
  /** False leaves out headers and bodies, which are most of an entry. Defaults to true */
  bodies: z.boolean().optional(),
})

export const streamQuerySchema = entryQuerySchema.pick({ bodies: true })

/** Selects journal entries. Entries must match all fields that are set. */
export interface JournalFilter extends z.infer<typeof journalFilterSchema> {}
/** Selects journal entries, and what they contain. */
export interface EntryQuery extends z.infer<typeof entryQuerySchema> {}

/** Returns the records that match a filter, in the order in which the requests arrived. */
export function filterRecords(
  records: readonly JournalRecord[],
  { operation, method, path, key, status, unmatched, limit }: JournalFilter,
  keys: KeyLabels,
): JournalRecord[] {
  const matching = records.filter(
    (record) =>
      (operation === undefined || record.operation === operation) &&
      (method === undefined || record.method === method.toUpperCase()) &&
      (path === undefined || apiPath(record.target).startsWith(apiPath(path))) &&
      (status === undefined || matchesStatus(record.response.status, status)) &&
      (unmatched === undefined || unmatched === (record.operation === null)) &&
      (key === undefined || keys.isSentWith(record, key)),
  )
  return matching.sort((a, b) => a.id - b.id).slice(limit === undefined ? 0 : -limit)
}

/** @example matchesStatus(404, '4xx') // true */
export function matchesStatus(status: number, filter: StatusFilter): boolean {
  const text = String(filter).toLowerCase()
  return text.endsWith('xx')
    ? Math.floor(status / 100) === Number(text[0])
    : status === Number(text)
}
