import { inspectValue } from '../usage-error.ts'
import { describeExpected } from './matchers.ts'
import type { StepDifference } from './result.ts'

/** How much of a long text is shown before the place where it begins to differ. */
const contextLength = 20

/** What was expected and what came, as a report shows them: of two long texts the part where they differ. */
export function formatDifference({ expected, got, inLength, inWords }: StepDifference): {
  expected: string
  got: string
} {
  if (inWords) return { expected: String(expected), got: String(got) }
  if (inLength) {
    const [wanted, found] = [expected, got] as [readonly unknown[], readonly unknown[]]
    return { expected: formatItemCount(wanted), got: formatItemCount(found) }
  }
  if (typeof expected === 'string' && typeof got === 'string') {
    const from = Math.max(0, commonPrefixLength(expected, got) - contextLength)
    return { expected: cut(expected, from), got: cut(got, from) }
  }
  return { expected: describeExpected(expected), got: inspectValue(got) }
}

function formatItemCount({ length }: readonly unknown[]): string {
  return length === 1 ? '1 item' : `${length} items`
}

/** Short beginnings are not cut away. */
function cut(text: string, from: number): string {
  return from < contextLength ? inspectValue(text) : `…${inspectValue(text.slice(from))}`
}

function commonPrefixLength(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}
