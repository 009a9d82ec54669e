import * as z from 'zod'

const text = z.string()
const optional = text.optional()
const pairs = z.array(z.object({ name: text, value: text }))

const isoTime = text.refine((given) => !Number.isNaN(Date.parse(given)), {
  error: 'expected an ISO 8601 time',
})

/**
 * Of an entry what is read here. What else exporters write, or leave out, does no harm: none of them keeps to every
 * word of the format.
 */
export const entrySchema: z.ZodType<RawEntry> = z.object({
  startedDateTime: isoTime,
  time: z.number().nullish(),
  request: z.object({
    method: text.regex(/^[!#$%&'*+.^_`|~\w-]+$/, { error: 'expected a method' }),
    url: text.refine((given) => URL.canParse(given), { error: 'expected an absolute address' }),
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

/** An entry as others write it. */
export interface RawEntry {
  readonly startedDateTime: string
  readonly time?: number | null
  readonly request: RawMessage & {
    readonly method: string
    readonly url: string
    readonly postData?: RawPostData | null
  }
  readonly response: RawMessage & {
    /** 0, or -1, for none */
    readonly status: number
    readonly content?: RawContent | null
    /** In the words of the browser, such as net::ERR_ABORTED */
    readonly _error?: string | null
    /** The same in the words of Playwright */
    readonly _failureText?: string | null
  }
  readonly _resourceType?: string | null
  readonly _fromCache?: string | null
  /** The label of its key, in archives of ours; others may mean anything by it */
  readonly _key?: unknown
}

/** What a request and an answer have in common. */
export interface RawMessage {
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly bodySize?: number | null
}

/** The body of an answer. */
export interface RawContent {
  readonly size?: number | null
  readonly text?: string | undefined
  readonly encoding?: string | undefined
}

/** The body of a request: as a text, or as the fields of a form. */
export interface RawPostData {
  readonly mimeType?: string | undefined
  readonly text?: string | undefined
  readonly params?:
    | ReadonlyArray<{ readonly name: string; readonly value?: string | undefined }>
    | undefined
  /** Not of the format: what some exporters write */
  readonly encoding?: string | undefined
  readonly _encoding?: string | undefined
}
