import type { KeyRedactor } from '../../utils/redaction/mask.ts'
import { didYouMean } from '../../utils/usage-error.ts'
import type { JournalEntry } from './entry.ts'
import type { JournalRecord } from './journal.ts'

/** What surrounds a request, and no response shows. The rules for clients need it. */
type Circumstances = Pick<
  JournalEntry,
  'test' | 'resets' | 'missing_row' | 'meant' | 'preceding_row'
>

/** The header in which a client names the test that it runs in. */
const testHeader = 'understudy-test'

/** A word with more other letters is another word, not a misspelled one. */
const maxMisspelled = 2

/** @param name what the requests of the sandbox belong to, if they have no header that says it */
export function renderCircumstances(
  { requestHeaders, resets, failure, preceding }: JournalRecord,
  name: string | null,
  redactor: KeyRedactor,
): Circumstances {
  const sent = requestHeaders.get(testHeader)
  const test = sent === null ? name : decodeTest(sent)
  const because = failure?.details.because
  const isMissing = because?.id === 'delete.refused' && !because.exists
  const meant =
    because?.id === 'choice.unknown'
      ? didYouMean(because.text, because.allowed, maxMisspelled)
      : undefined
  return {
    ...(test !== null && { test: redactor.text(test) }),
    ...(resets > 0 && { resets }),
    ...(isMissing && { missing_row: true }),
    ...(meant !== undefined && { meant }),
    ...(preceding !== undefined && { preceding_row: preceding }),
  }
}

/** Headers are ASCII, so that other letters of a name are sent percent-encoded. */
function decodeTest(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
