import { UsageError } from '../../utils/errors.ts'

/** The mark is on the page itself, because a bundle or a hot reload can load this module twice. */
const claimedMark = Symbol.for('understudy-api/in-browser')

/**
 * Claims the page for one simulator. With two simulators, either of them could answer a request.
 *
 * @returns a function that releases the page
 * @throws UsageError if another simulator runs on the page
 */
export function claimPage(page: object = globalThis): () => void {
  if (Reflect.get(page, claimedMark)) {
    throw new UsageError(
      'Failed to start in the browser: a simulator already runs on this page. Use that one, or call its stop() first, ' +
        'as in import.meta.hot.dispose(stop) of a module that is replaced while the page runs.',
    )
  }
  Reflect.set(page, claimedMark, true)
  return () => void Reflect.deleteProperty(page, claimedMark)
}
