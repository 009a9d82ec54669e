import type { JournalEntry } from './entry.ts'

type Explained = Pick<JournalEntry, 'reason' | 'ignored'>

/** A request and the status of its response. @example requestLine(0, 'GET', '/api/projects/') // 'no response to GET /api/projects/' */
export function requestLine(status: number, method: string, target: string): string {
  return `${status || 'no response to'} ${method} ${target}`
}

/** Why the response is as it is, and what was ignored of the request. */
export function explanationsOf({ reason, ignored }: Explained): string[] {
  const inputs = ignored.map((input) => `ignored: ${input}`)
  return reason === null ? inputs : [reason, ...inputs]
}

/** What a reason begins with. @example reasonStart(401) // '401: ' */
export function reasonStart(status: number): string {
  return `${status === 0 ? 'no response' : status}: `
}

/** The reason of an entry, for a line that has the status already. */
export function reasonWithoutStatus(reason: string, status: number): string {
  return reason.slice(reasonStart(status).length)
}
