/** What became of a request that failed. */
interface FailedRequest {
  readonly method: string
  /** 0 for a lost response */
  readonly status: number
  readonly isLost: boolean
  /** Whether a part of the response arrived */
  readonly isCut: boolean
  /** Whether the service refused the request by its rules */
  readonly isRefused: boolean
  /** Whether the request wrote rows nevertheless */
  readonly wasWritten: boolean
}

/** @example 'response lost after the write' */
export function describeFailure({ method, status, ...failed }: FailedRequest): string {
  const isRead = method === 'GET' || method === 'HEAD'
  const afterWrite = failed.wasWritten ? ' after the write' : ''
  if (failed.isLost) {
    if (failed.isCut) return `response cut off${afterWrite}`
    if (isRead) return 'response lost'
    return failed.wasWritten ? `response lost${afterWrite}` : 'connection lost before the write'
  }
  if (status === 429) return 'throttled'
  return failed.isRefused ? `refused with ${status}` : `failed with ${status}${afterWrite}`
}

/** The first failure, and how many more there are. @param failures clauses, at least one */
export function countFailures([first = '', ...others]: readonly string[]): string {
  const more = others.length === 1 ? 'one more failure' : `${others.length} more failures`
  return others.length === 0 ? first : `${first}, and ${more}`
}

/** A request, as far as it deletes a row or reads it. */
export interface RowRequest {
  readonly method: string
  /** The same for all requests about one row, such as their path */
  readonly row: string
  readonly status: number
  /** Whether the request deleted the row */
  readonly isDeletion: boolean
}

/** Recognizes reads that are not found because the client itself had deleted the row. They are no failures. */
export class OwnDeletions {
  readonly #deleted = new Set<string>()

  /**
   * Takes the requests in their order.
   *
   * @returns whether the request is such a read
   */
  follow({ method, row, status, isDeletion }: RowRequest): boolean {
    if (isDeletion) this.#deleted.add(row)
    const isRead = method === 'GET' || method === 'HEAD'
    return isRead && status === 404 && this.#deleted.has(row)
  }
}
