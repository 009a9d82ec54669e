/** What was looked at, and how it stands. */
export interface Check {
  readonly name: string
  /** `failed` keeps something from working; `warning` may */
  readonly outcome: 'ok' | 'warning' | 'failed'
  /** What was found, in words */
  readonly found: string
  /** What to do; null where nothing has to be done */
  readonly advice: string | null
}

/** A check with nothing to do. */
export function fine(name: string, found: string): Check {
  return { name, outcome: 'ok', found, advice: null }
}
