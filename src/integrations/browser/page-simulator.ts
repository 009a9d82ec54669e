// The simulator and the source of its panel, in one file. Two would split the files that a page loads at once into more
// and smaller ones, which compress worse.
import type { Router } from '../../sandbox/router.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { Simulator } from '../../simulator.ts'

export { createPageSource } from './panel/page-source.ts'

/** Opens the simulator of a page. @param log prints the requests to a sandbox */
export function openSimulator(
  router: Router,
  limit: number | undefined,
  log: ((sandbox: Sandbox) => void) | null,
): Simulator {
  const simulator = new Simulator(router, limit)
  if (log) simulator.sandboxes.follow((_, { sandbox }) => log(sandbox))
  return simulator
}
