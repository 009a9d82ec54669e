import type { ReplayResult } from '../../scenarios/result.ts'

/** A file that was replayed. */
export interface ReplayedFile {
  readonly file: string
  /** Null where it could not be replayed to its end */
  readonly result: ReplayResult | null
  /** Whether all is as expected, or was made to be */
  readonly accepted: boolean
  /** Why it could not; null where it could */
  readonly error: string | null
}

/** Whether all is as expected. */
export function hasPassed({ result }: ReplayedFile): boolean {
  return result?.held ?? false
}
