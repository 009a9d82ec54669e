import type { TestExpectation } from '../scenarios/format/scenario.ts'
import { describeExpectation } from '../simulator/journal/verify.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { countRows, describeRows } from './expected-rows.ts'

/** What is not as expected, as a sentence. Null if nothing is */
export function breachOf(
  expectation: TestExpectation,
  { world, journal }: Simulator,
): string | null {
  if ('rows' in expectation) {
    const { rows } = expectation
    const count = countRows(rows, world)
    return count === rows.count ? null : `${describeRows(rows)} (found ${count})`
  }
  if ('received' in expectation) {
    const { passed, message } = journal.verify(expectation.received)
    return passed ? null : message
  }
  const mistakes = journal.mistakes().filter(({ rule }) => rule === expectation.no_mistake)
  return mistakes.map(({ message, cure }) => `${message} ${cure}`).join('\n') || null
}

/** @example 'Expected 1 row of annotations with content "Launch" and deleted false' */
export function describeTested(expectation: TestExpectation): string {
  if ('rows' in expectation) return describeRows(expectation.rows)
  if ('received' in expectation) return `Expected ${describeExpectation(expectation.received)}`
  return `Expected no mistake ${expectation.no_mistake}`
}
