import type { Simulator } from '../simulator.ts'

/** Calls a listener for a simulator, whose id is null, and for each sandbox before its first request. */
export function followWorlds(
  simulator: Simulator,
  listener: (world: Simulator, id: string | null) => void,
): void {
  listener(simulator, null)
  simulator.sandboxes.follow((id, sandbox) => listener(sandbox, id))
}
