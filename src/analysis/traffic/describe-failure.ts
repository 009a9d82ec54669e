/** What became of a request that failed. */
export interface FailedRequest {
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
