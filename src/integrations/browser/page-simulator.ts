/** What a page loads on demand, as one file: the simulator, and what its panel needs of it. */
import type { Router } from '../../sandbox/router.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { Simulator } from '../../simulator.ts'

export { createPageSource } from './panel/page-source.ts'

/** @param log prints the requests to a sandbox */
export function openSimulator(
  router: Router,
  limit: number | undefined,
  log: ((sandbox: Sandbox) => void) | null,
): Simulator {
  const simulator = new Simulator(router, limit)
  if (log) simulator.sandboxes.follow((_, { sandbox }) => log(sandbox))
  return simulator
}
