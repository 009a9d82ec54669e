/** A 429 of any service. */
interface Throttled {
  readonly headers: Pick<Headers, 'get'>
  readonly text: string
}

/** How long to wait after a 429, in seconds: by its header, or by its words. Undefined if it does not say */
export function waitOfThrottled({ headers, text }: Throttled): number | undefined {
  const header = headers.get('retry-after')
  if (header !== null) {
    const elapsed = Date.parse(header) - Date.parse(headers.get('date') ?? '')
    const seconds = /^\d+$/.test(header) ? Number(header) : elapsed / 1000
    return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
  }
  const [, words] = /(\d{1,6}) seconds?\b/.exec(text) ?? []
  return words === undefined ? undefined : Number(words)
}
