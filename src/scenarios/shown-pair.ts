import { show } from '../usage-error.ts'
import { expectation } from './matchers.ts'
import type { StepDifference } from './result.ts'

/** How much of a long text is shown before the place where it begins to differ. */
const before = 20

/** What was expected and what came, as a report shows them: of two long texts the part where they differ. */
export function shownPair({ expected, got, inLength, inWords }: StepDifference): {
  expected: string
  got: string
} {
  if (inWords) return { expected: String(expected), got: String(got) }
  if (inLength) {
    const [wanted, found] = [expected, got] as [readonly unknown[], readonly unknown[]]
    return { expected: items(wanted), got: items(found) }
  }
  if (typeof expected === 'string' && typeof got === 'string') {
    const from = Math.max(0, sameUntil(expected, got) - before)
    return { expected: cut(expected, from), got: cut(got, from) }
  }
  return { expected: expectation(expected), got: show(got) }
}

function items({ length }: readonly unknown[]): string {
  return length === 1 ? '1 item' : `${length} items`
}

/** Short beginnings are not cut away. */
function cut(text: string, from: number): string {
  return from < before ? show(text) : `…${show(text.slice(from))}`
}

function sameUntil(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}
