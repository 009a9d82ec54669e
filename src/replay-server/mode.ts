import { didYouMean, unexpectedValue } from '../usage-error.ts'

/**
 * How a recording answers. `strict`: each request once, writes in their order, reads between the writes that they
 * were recorded between; anything else is refused. `fallback`: the same, but a live simulation answers the rest.
 * `loose`: order and repetition do not matter, and the nearest request of the same method and path answers.
 */
export type ReplayMode = 'strict' | 'fallback' | 'loose'

/** Every mode. */
export const replayModes: readonly ReplayMode[] = ['strict', 'fallback', 'loose']

/** @throws UsageError for what is no mode */
export function parseReplayMode(given: unknown, task = 'choose a mode'): ReplayMode {
  if (replayModes.includes(given as ReplayMode)) return given as ReplayMode
  const expected = `one of ${replayModes.join(', ')}`
  throw unexpectedValue(task, expected, given, didYouMean(String(given), replayModes), 'mode')
}
