import { decodePart } from '../../utils/escape.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import type { JournalEntry } from './entry.ts'
import type { JournalRecord } from './journal.ts'

/** What surrounds a request, and no response shows. The rules for clients need it. */
type Circumstances = Pick<JournalEntry, 'test' | 'resets' | 'missing_row' | 'preceding_row'>

/** The header in which a client names the test that it runs in. */
const testHeader = 'understudy-test'

/**
 * @param source its name is what requests belong to that have no header of a test
 */
export function renderCircumstances(
  record: JournalRecord,
  source: { readonly name?: string | null | undefined },
  redactor: KeyRedactor,
): Circumstances {
  const { requestHeaders, response, restoreCount: resets } = record
  const { before: preceding } = response
  const sent = requestHeaders.get(testHeader)
  // Headers are ASCII, so that other letters of a name are sent percent-encoded.
  const test = sent === null ? (source.name ?? null) : decodePart(sent)
  return {
    ...(test !== null && { test: redactor.text(test) }),
    ...(resets > 0 && { resets }),
    ...(record.failure?.details.isRowMissing && { missing_row: true }),
    ...(preceding !== undefined && { preceding_row: preceding }),
  }
}
