/** What a reason begins with. @example reasonStart(401) // '401: ' */
export function reasonStart(status: number): string {
  return `${status === 0 ? 'no response' : status}: `
}

/** The reason of an entry, for a line that has the status already. */
export function reasonWithoutStatus(reason: string, status: number): string {
  return reason.slice(reasonStart(status).length)
}
