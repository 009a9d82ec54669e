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
