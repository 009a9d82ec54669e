import type { Simulator } from '../../../src/simulator/simulator.ts'

/** Counts requests of a key, by default as many as a minute allows. To send them takes longer. */
export function spendRequests({ state }: Simulator, key = 'phx_all', count = 480): void {
  for (let sent = 0; sent < count; sent++) state.throttle(key)
}
