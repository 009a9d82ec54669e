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
