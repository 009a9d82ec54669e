import { findRoute } from '../../api/find-route.ts'
import { decodePart } from '../../utils/escape.ts'
import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import type { JournalEntry } from './entry.ts'
import type { JournalRecord } from './journal.ts'
import type { DecisionSource } from './past-request.ts'

/** What surrounds a request, and no response shows. The rules for clients need it. */
type Circumstances = Pick<JournalEntry, 'test' | 'resets' | 'missing_row' | 'preceding_row'>

/** The header in which a client names the test that it runs in. */
const testHeader = 'understudy-test'

/**
 * @param source its name is what requests belong to that have no header of a test
 */
export function renderCircumstances(
  record: JournalRecord,
  source: DecisionSource & { readonly name?: string | null | undefined },
  redactor: KeyRedactor,
): Circumstances {
  const { requestHeaders, response, restoreCount: resets } = record
  const { before: preceding } = response
  const sent = requestHeaders.get(testHeader)
  // Headers are ASCII, so that other letters of a name are sent percent-encoded.
  const test = sent === null ? (source.name ?? null) : decodePart(sent)
  const { because } = record.failure?.details ?? {}
  const isMissing = because?.id === 'delete.refused' && !hasRow(record, source)
  return {
    ...(test !== null && { test: redactor.text(test) }),
    ...(resets > 0 && { resets }),
    ...(isMissing && { missing_row: true }),
    ...(preceding !== undefined && { preceding_row: preceding }),
  }
}

/** Whether the annotation of a path existed before a request. True if it is no longer known. */
function hasRow(record: JournalRecord, source: DecisionSource): boolean {
  const id = findRoute(record, record.settings)?.params.id
  const loaded = source.changes.worldAt(record.place, source.loaded)
  return !loaded || loaded.tables.annotations.get(Number(id))?.deleted === false
}
