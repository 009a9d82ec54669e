import { didYouMean, unexpectedValue } from '../../utils/usage-error.ts'

/**
 * How a replay matches requests. `strict`: each recorded request is answered once. Writes must come in the recorded
 * order, and reads between the same writes. Any other request fails. `fallback`: like `strict`, but a live simulation
 * answers all other requests. `loose`: order and repetition do not matter, and a request gets the response of the most
 * similar one with the same method and path.
 */
export type ReplayMode = 'strict' | 'fallback' | 'loose'

export const replayModes: readonly ReplayMode[] = ['strict', 'fallback', 'loose']

/** @throws UsageError for an unknown mode */
export function parseReplayMode(value: unknown, task = 'choose a mode'): ReplayMode {
  if (replayModes.includes(value as ReplayMode)) return value as ReplayMode
  const expected = `one of ${replayModes.join(', ')}`
  throw unexpectedValue(task, expected, value, didYouMean(String(value), replayModes), 'mode')
}

/** The recorded request that is most similar to one that is not recorded. */
export interface NearestRequest {
  /** Counted from 1 */
  readonly step: number
  readonly title: string
  /** A line for each difference: `query.search: expected "a", got "b"` */
  readonly differences: readonly string[]
}

/** A request that is not recorded, or not at this point. */
export interface UnexpectedRequest {
  readonly method: string
  /** With the query. Keys are hidden */
  readonly path: string
  /** Null if no requests are recorded */
  readonly nearest: NearestRequest | null
}

/** `step 3, GET /api/projects/ (query.limit: expected "1", got nothing)` */
export function formatNearest({ step, title, differences }: NearestRequest): string {
  return `step ${step}, ${title} (${differences.join('; ')})`
}
