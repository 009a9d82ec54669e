import * as z from 'zod'
import { isObject } from '../../utils/json.ts'
import { listOf } from '../../utils/options.ts'
import { isTimeInRange } from '../../world/clock/clock.ts'

const text = z.string()
/** Exporters write null for a value that they do not have. */
const optional = text.nullish().transform((value) => value ?? undefined)
const toNumber = (value: unknown) =>
  typeof value === 'string' && value !== '' ? Number(value) : value
const number = z.preprocess(toNumber, z.number().nullish())
const pair = z.object({ name: text, value: z.union([text, z.number()]).nullish() })
/** Scripts write headers as an object. */
const pairs = z.preprocess(
  (list) =>
    isObject(list) ? Object.entries(list).map(([name, value]) => ({ name, value })) : list,
  listOf(pair)
    .nullish()
    .transform((list) =>
      (list ?? []).map(({ name, value }) => ({ name, value: String(value ?? '') })),
    ),
)
/** Scripts write a body of JSON as it is parsed. */
const body = z.preprocess(
  (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value),
  optional,
)

const isoTime = z.union([text, z.number()]).transform((value, context) => {
  // The zone of this machine says nothing about an archive without one.
  const written = /T[\d:.]+$/.test(String(value)) ? `${value}Z` : value
  const time = typeof written === 'string' ? Date.parse(written) : written
  if (isTimeInRange(time)) return new Date(time).toISOString()
  const years = Number.isNaN(time) ? '' : ' of the years 1 to 9999'
  context.addIssue(`expected an ISO 8601 time${years}`)
  return z.NEVER
})

/**
 * The fields of a HAR entry that are read. Everything else is ignored, and most fields are optional, because no
 * exporter follows the format in full.
 */
export const entrySchema = z.object({
  startedDateTime: isoTime.nullish(),
  time: number,
  request: z.object({
    // As `fetch`, which sends `get` as GET, and `patch` as it is.
    method: text
      .regex(/^[!#$%&'*+.^_`|~\w-]+$/, { error: 'expected a method' })
      .transform((method) =>
        /^(?:get|head|post|put|delete|options)$/i.test(method) ? method.toUpperCase() : method,
      ),
    url: text.refine((value) => URL.canParse(value), { error: 'expected an absolute URL' }),
    queryString: z.unknown().optional(),
    headers: pairs,
    bodySize: number,
    postData: z
      .object({
        mimeType: optional,
        text: body,
        params: listOf(z.object({ name: text, value: optional })).nullish(),
        encoding: optional,
        _encoding: optional,
        _file: optional,
      })
      .nullish(),
  }),
  // An exporter that writes none has seen none.
  response: z.preprocess(
    (value) => value ?? { status: 0 },
    z.object({
      status: z.preprocess((value) => toNumber(value ?? 0), z.int().min(-1).max(999)),
      headers: pairs,
      bodySize: number,
      content: z
        .object({
          size: number,
          mimeType: optional,
          text: body,
          encoding: optional,
          _file: optional,
        })
        .nullish(),
      comment: optional,
      _error: z.string().nullish(),
      _failureText: z.string().nullish(),
    }),
  ),
  pageref: z.unknown().optional(),
  _resourceType: z.string().nullish(),
  _fromCache: z.string().nullish(),
  _key: z.unknown().optional(),
})

export type RawEntry = z.infer<typeof entrySchema>
