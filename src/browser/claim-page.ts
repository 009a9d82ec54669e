import { UsageError } from '../usage-error.ts'

/** On the page itself, since a bundle, or a hot reload, may hold this module twice. */
const claimedMark = Symbol.for('understudy-api/in-browser')

/**
 * Takes the page for one simulator: of two, each request would be answered by either.
 *
 * @returns gives it back
 * @throws UsageError where another has it
 */
export function claimPage(page: object = globalThis): () => void {
  if (Reflect.get(page, claimedMark))
    throw new UsageError(
      'Failed to start in the browser: expected a page that no simulator answers yet, got one that does. ' +
        'Use the one that is there, or end it first with its stop().',
    )
  Reflect.set(page, claimedMark, true)
  return () => void Reflect.deleteProperty(page, claimedMark)
}
