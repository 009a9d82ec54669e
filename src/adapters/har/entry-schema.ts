import * as z from 'zod'

const text = z.string()
const optional = text.optional()
const pairs = z.array(z.object({ name: text, value: text }))

const isoTime = text.refine((value) => !Number.isNaN(Date.parse(value)), {
  error: 'expected an ISO 8601 time',
})

/**
 * The fields of a HAR entry that are read. Everything else is ignored, and most fields are optional, because no
 * exporter follows the format in full.
 */
export const entrySchema: z.ZodType<RawEntry> = z.object({
  startedDateTime: isoTime,
  time: z.number().nullish(),
  request: z.object({
    method: text.regex(/^[!#$%&'*+.^_`|~\w-]+$/, { error: 'expected a method' }),
    url: text.refine((value) => URL.canParse(value), { error: 'expected an absolute URL' }),
    headers: pairs,
    bodySize: z.number().nullish(),
    postData: z
      .object({
        mimeType: optional,
        text: optional,
        params: z.array(z.object({ name: text, value: optional })).optional(),
        encoding: optional,
        _encoding: optional,
      })
      .nullish(),
  }),
  response: z.object({
    status: z.int().min(-1).max(999),
    headers: pairs,
    bodySize: z.number().nullish(),
    content: z.object({ size: z.number().nullish(), text: optional, encoding: optional }).nullish(),
    _error: z.string().nullish(),
    _failureText: z.string().nullish(),
  }),
  _resourceType: z.string().nullish(),
  _fromCache: z.string().nullish(),
  _key: z.unknown().optional(),
}) as unknown as z.ZodType<RawEntry>

export interface RawEntry {
  readonly startedDateTime: string
  readonly time?: number | null
  readonly request: RawMessage & {
    readonly method: string
    readonly url: string
    /** A text, or the fields of a form */
    readonly postData?: {
      readonly mimeType?: string | undefined
      readonly text?: string | undefined
      readonly params?: readonly { readonly name: string; readonly value?: string | undefined }[]
      /** Not part of HAR, but some exporters write it */
      readonly encoding?: string | undefined
      /** Written by this package */
      readonly _encoding?: string | undefined
    } | null
  }
  readonly response: RawMessage & {
    /** 0 or -1 if no response arrived */
    readonly status: number
    readonly content?: {
      readonly size?: number | null
      readonly text?: string | undefined
      readonly encoding?: string | undefined
    } | null
    /** Written by Chromium: a network error such as net::ERR_ABORTED */
    readonly _error?: string | null
    /** Written by Playwright: the same */
    readonly _failureText?: string | null
  }
  readonly _resourceType?: string | null
  readonly _fromCache?: string | null
  /** Written by this package: the label of the key. Other exporters can use it for anything. */
  readonly _key?: unknown
}

interface RawMessage {
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly bodySize?: number | null
}

/** Why entries are skipped, as a phrase after their number: `3 to other URLs`. */
export const skipReasonTexts = {
  elsewhere: 'to other URLs',
  socket: 'over WebSocket',
  preflight: 'CORS preflights',
  cached: 'from the browser cache',
  unanswered: 'canceled by the browser',
} as const

export type SkipReason = keyof typeof skipReasonTexts

/** Returns why an entry below the base URL is skipped, or null for an API request that was sent and answered. */
export function skipReason({ request, response, ...entry }: RawEntry): SkipReason | null {
  if (isPreflight(request, entry)) return 'preflight'
  if (entry._fromCache) return 'cached'
  return response.status <= 0 && errorText(response) !== null && !isNetworkError(response)
    ? 'unanswered'
    : null
}

/**
 * Whether the connection broke. Browsers write status 0 for these and for requests that they canceled, and add an
 * error text to tell them apart. Without an error text, status 0 means a broken connection.
 */
export function isNetworkError(response: RawEntry['response']): boolean {
  const error = errorText(response)
  return error === null ? response.status <= 0 : networkErrors.test(error)
}

function errorText({ _error, _failureText }: RawEntry['response']): string | null {
  return _error || _failureText || null
}

const networkErrors =
  /ERR_(EMPTY_RESPONSE|CONNECTION_(RESET|CLOSED|ABORTED)|CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED_ENCODING|HTTP2_PROTOCOL_ERROR|SOCKET_NOT_CONNECTED)|socket hang up/

function isPreflight(
  { method, headers }: RawEntry['request'],
  { _resourceType }: Pick<RawEntry, '_resourceType'>,
): boolean {
  if (_resourceType === 'preflight') return true
  return (
    method === 'OPTIONS' &&
    headers.some(({ name }) => /^access-control-request-method$/i.test(name))
  )
}
