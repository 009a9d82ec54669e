import { didYouMean, inspectValue, UsageError } from '../usage-error.ts'
import type { Expectation } from './expectation.ts'
import type { JournalRecord } from './record.ts'
import type { Renderer } from './renderer.ts'

/**
 * Refuses an expectation of a key that nobody can have asked with: one that it names wrongly is never found, and
 * would hold where there should be none.
 *
 * @throws UsageError that names the field, and the labels that there are
 */
export function rejectUnknownKeys(
  expectation: Expectation,
  records: readonly JournalRecord[],
  renderer: Renderer,
): void {
  const isOrdered = 'in_order' in expectation
  const requests = isOrdered ? expectation.in_order : [expectation]
  for (const [index, { key }] of requests.entries()) {
    if (key === undefined || renderer.knowsKey(key)) continue
    if (records.some((record) => renderer.hasKey(record, key))) continue
    const { labels } = renderer
    const known = labels.length > 0 ? `: ${labels.join(', ')}` : ', of which there is none'
    const meant = didYouMean(key, labels)
    throw new UsageError(
      `Failed to verify: expected the value of a key or a label${known}; got ${inspectValue(key)}, by which nobody asked.` +
        (meant === undefined ? '' : ` Did you mean ${meant}?`),
      [],
      isOrdered ? `in_order[${index}].key` : 'key',
    )
  }
}
