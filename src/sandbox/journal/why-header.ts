import { unexpectedValue } from '../../utils/errors.ts'
import type { Explain } from '../pipeline.ts'
import type { Sandbox } from '../sandbox.ts'
import type { RequestSummary } from './entry-writer.ts'
import { JournalReader } from './journal-reader.ts'

/** In characters. Some clients and proxies refuse longer headers. */
const maxLength = 1_000

/**
 * Creates a function that adds the header `understudy-why` to responses that the journal explains.
 *
 * @param explain the option. Without it, responses stay as they are
 * @throws UsageError for any other value
 */
export function createExplainer(explain: boolean = false): Explain<Sandbox> | null {
  if (typeof explain !== 'boolean') {
    throw unexpectedValue('explain responses', 'true or false', explain, undefined, 'explain')
  }
  if (!explain) return null
  const journals = new WeakMap<Sandbox, JournalReader>()
  return (response, record, sandbox) => {
    if (response.status === 0) return response
    const journal = journals.get(sandbox) ?? new JournalReader(sandbox, '')
    journals.set(sandbox, journal)
    const why = formatWhy(journal.summarize(record))
    if (why === '') return response
    return { ...response, headers: { ...response.headers, 'understudy-why': why } }
  }
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
