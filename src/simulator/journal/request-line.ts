import type { RequestSummary } from './entry.ts'

type Remarks = Pick<RequestSummary, 'status' | 'reason' | 'ignored'>

/** A request and what came of it. @example requestLine({ status: 0, … }) // '--- GET /api/projects/' */
export function requestLine({
  status,
  method,
  target,
}: Pick<RequestSummary, 'status' | 'method' | 'target'>): string {
  return `${status || '---'} ${method} ${target}`
}

/** Why the response is as it is, and what was ignored of the request. */
export function remarksOf({ status, reason, ignored }: Remarks): string[] {
  return [
    ...(reason === null ? [] : [reasonWithoutStatus(reason, status)]),
    ...ignored.map((input) => `ignored: ${input}`),
  ]
}

/**
 * A request with its key, and all that a line can say of it.
 *
 * @example describeRequest({ status: 401, … }) // '401 GET /api/projects/, no key – the request has no Authorization header'
 */
export function describeRequest(
  request: Remarks & Pick<RequestSummary, 'method' | 'target' | 'key'>,
): string {
  const { key } = request
  const name = `${requestLine(request)}, ${key === null ? 'no key' : `key ${JSON.stringify(key)}`}`
  const remarks = remarksOf(request).join('; ')
  return remarks === '' ? name : `${name} – ${remarks}`
}

/** What a reason begins with. @example reasonStart(401) // '401: ' */
export function reasonStart(status: number): string {
  return `${status === 0 ? 'no response' : status}: `
}

/** The reason of an entry, for a line that has the status already. */
export function reasonWithoutStatus(reason: string, status: number): string {
  return reason.slice(reasonStart(status).length)
}
