import { JournalReader } from '../simulator/journal/journal-reader.ts'
import { type FoundMistakes, MistakeFinder } from './mistake-finder.ts'
import type { ClientMistake } from './rule.ts'

/**
 * The latest requests to a simulator and their responses, with masked keys. Restoring or resetting the world does not
 * change the journal.
 *
 * @example simulator.journal.find({ operation: 'createAnnotation', status: '4xx' })
 */
export class JournalAccess extends JournalReader {
  /**
   * Finds the mistakes that clients made, such as a DELETE whose refusal was overlooked. A mistake that a later
   * request corrects is not listed.
   *
   * @example simulator.journal.mistakes().map(({ rule }) => rule) // ['swallowed-delete']
   */
  mistakes(): ClientMistake[] {
    return this.findMistakes().mistakes
  }

  /** @internal */
  findMistakes(place: string | null = null): FoundMistakes {
    const finder = new MistakeFinder({ isPartial: this.isPartial, place })
    for (const observed of this.observed()) finder.add(observed)
    return finder.found
  }
}
