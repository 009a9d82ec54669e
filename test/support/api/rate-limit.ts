import type { SimulatorBase } from '../../../src/sandbox/simulator-base.ts'

/** Counts requests of a key, by default as many as a minute allows. To send them takes longer. */
export function spendRequests({ sandbox }: SimulatorBase, key = 'phx_all', count = 480): void {
  for (let sent = 0; sent < count; sent++) sandbox.throttle(key)
}
