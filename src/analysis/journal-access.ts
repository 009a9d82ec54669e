import { JournalReader } from '../sandbox/journal/journal-reader.ts'
import { ClientMistakes } from './client-rules/client-mistakes.ts'
import type { ClientMistake } from './client-rules/rule.ts'

/**
 * The latest requests to a simulator and their responses, with masked keys. Restoring or resetting the world does not
 * change the journal.
 *
 * @example simulator.journal.find({ operation: 'createAnnotation', status: '4xx' })
 */
export class JournalAccess extends JournalReader {
  /**
   * Finds the mistakes that clients made, such as a page that was requested again and again. A mistake that a later
   * request corrects is not listed.
   *
   * @example simulator.journal.mistakes().map(({ rule }) => rule) // ['swallowed-delete']
   */
  mistakes(): ClientMistake[] {
    const mistakes = new ClientMistakes()
    for (const entry of this.find()) mistakes.add(entry)
    return mistakes.list()
  }
}
