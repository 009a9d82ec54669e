import type { JournalEntry } from '../simulator/journal/entry.ts'
import { MistakeFinder } from './mistake-finder.ts'
import type { ClientMistake } from './rule.ts'

/**
 * Finds the mistakes that clients made, in the entries of a journal. A mistake that a later entry corrects is not
 * reported. A history ends when all rows are replaced, such as by a reset, and each test has its own. Nothing is reported
 * that depends on a body which is omitted.
 *
 * @returns the mistakes in the order of their first requests
 * @example findClientMistakes(simulator.journal.find()).map(({ rule, message }) => `${rule}: ${message}`)
 */
export function findClientMistakes(entries: readonly JournalEntry[]): ClientMistake[] {
  const finder = new MistakeFinder()
  for (const entry of entries) finder.add({ entry })
  return finder.found.mistakes
}
