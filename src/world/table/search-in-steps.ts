import type { Steps } from '../../utils/steps.ts'
import { OrderedList, type SortedRows } from './ordered-list.ts'

/** Searches lists in steps. They keep the results, so that the same search is fast afterwards. */
export function* searchInSteps<R>(
  lists: readonly SortedRows<R>[],
  terms: readonly string[],
): Steps<void> {
  const joined = terms.join(' ')
  for (const list of terms.length > 0 ? lists : []) {
    // A write replaces a chunk in the list.
    for (const chunk of list instanceof OrderedList ? [...list.chunks] : []) {
      chunk.search(joined)
      yield
    }
  }
}
