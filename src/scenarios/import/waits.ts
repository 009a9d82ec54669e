import type { Exchange } from '../../http/exchange.ts'
import type { ChangeStep } from '../format/scenario.ts'
import type { Observation } from './observation.ts'

/**
 * The time that passed between a throttled request and the next equal one, as steps that advance the clock. By it, a
 * replay shows whether the client waited.
 *
 * @param exchanges those of the observations, by their indexes
 * @returns the steps before requests, by the indexes of their exchanges
 */
export function waitsBefore(
  observations: readonly Observation[],
  exchanges: readonly Exchange[],
): ReadonlyMap<number, ChangeStep> {
  const waits = new Map<number, ChangeStep>()
  /** When throttled requests were sent, by what the recording and its replay say, in milliseconds */
  const throttled = new Map<string, { readonly from: number; readonly at: number }>()
  let now = 0
  for (const { index, key, method, status, from } of observations) {
    const name = `${key} ${method} ${exchanges[index]?.url}`
    const last = throttled.get(name)
    const rest = last ? from - last.from - (now - last.at) : 0
    if (rest > 0) {
      waits.set(index, { advance: { seconds: rest / 1_000 } })
      now += rest
    }
    throttled.delete(name)
    if (status === 429) throttled.set(name, { from, at: now })
  }
  return waits
}
