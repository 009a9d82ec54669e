/** What was asked, free of any transport. */
export interface Call {
  readonly method: string
  /** Absolute, as the caller addressed it: links are built from it. */
  readonly url: string
  /** What follows `?` in it. */
  readonly query: string
  readonly headers: { get(name: string): string | null }
  /** The bytes of the body; null where there are none; `too_large` where they passed the limit and were let go. */
  readonly body: Uint8Array | null | 'too_large'
}

/** What is answered, free of any transport: the text is already JSON. */
export interface Answer {
  readonly status: number
  /** Lower-case names; content-length is always among them. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Whether each character of the text is one byte, which transports can write without encoding. */
  readonly ascii: boolean
}

/** The part of a URL from `?` on, without it and without a fragment; empty where there is none. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return ''
  const end = url.indexOf('#', start)
  return end < 0 ? url.slice(start + 1) : url.slice(start + 1, end)
}
