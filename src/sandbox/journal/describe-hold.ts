import type { JournalBreakpoint } from './entry.ts'

const endings: Readonly<Record<JournalBreakpoint['outcome'], string>> = {
  continued: ', then continued',
  edited: ', then edited and continued',
  fulfilled: ', then answered by hand',
  dropped: ', then dropped',
  timeout: ', then continued because its time was over',
  disconnected: ' until the client disconnected',
  reset: ', then dropped because its sandbox was reset or ended',
  limit: '',
}

/**
 * Describes how a breakpoint held a request.
 *
 * @example describeHold({ id: 'breakpoint-1', outcome: 'dropped', held_ms: 1_200 }) // 'held for 1.2 s by breakpoint-1, then dropped'
 */
export function describeHold({ id, outcome, held_ms }: Omit<JournalBreakpoint, 'sent'>): string {
  if (outcome === 'limit') return `not held by ${id} because too many requests were held`
  return `held for ${(held_ms / 1_000).toFixed(1)} s by ${id}${endings[outcome]}`
}
