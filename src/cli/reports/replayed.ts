import type { ReplayResult } from '../../scenarios/result.ts'

/** A file that was replayed. */
export interface Replayed {
  readonly file: string
  /** Null where it could not be replayed to its end */
  readonly result: ReplayResult | null
  /** Whether all is as expected, or was made to be */
  readonly accepted: boolean
  /** Why it could not; null where it could */
  readonly error: string | null
}

/** Whether all is as expected. */
export function isFine({ result }: Replayed): boolean {
  return result?.held ?? false
}
