import type { ApiResponse } from '../../http/messages.ts'
import type { RequestSummary } from './entry-writer.ts'

/** In characters. Some clients and proxies refuse longer headers. */
const maxLength = 1_000

/** Adds the header `understudy-why` to a response that the journal explains. */
export function withWhy(response: ApiResponse, summary: RequestSummary): ApiResponse {
  const why = formatWhy(summary)
  // A broken connection has no headers.
  if (response.status === 0 || why === '') return response
  return { ...response, headers: { ...response.headers, 'understudy-why': why } }
}

/** Formats the reason and the ignored input as one line of ASCII. */
function formatWhy({ reason, ignored }: Pick<RequestSummary, 'reason' | 'ignored'>): string {
  const texts = ignored.map((text) => `ignored: ${text}`)
  const line = [...(reason === null ? [] : [reason]), ...texts]
    .join('; ')
    .replaceAll('…', '...')
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return line.length > maxLength ? `${line.slice(0, maxLength - 3)}...` : line
}
