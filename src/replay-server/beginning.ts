import type { Simulator } from '../simulator.ts'

/** Remembers how a simulator is, to bring all of it back. @returns what does that */
export function captureState(simulator: Simulator): () => void {
  const { clock, policies, faults, actors } = simulator
  const { mode, now } = clock.read()
  const rows = simulator.snapshot()
  const settings = { ...policies.settings }
  const [keptFaults, keptActors] = [idsOf(faults.list()), idsOf(actors.list())]
  return () => {
    simulator.restore(rows)
    if (mode === 'real') clock.release()
    else clock.set({ mode, time: now })
    policies.set(settings)
    for (const { id } of faults.list()) if (!keptFaults.has(id)) faults.remove(id)
    for (const { id } of actors.list()) if (!keptActors.has(id)) actors.remove(id)
  }
}

function idsOf(list: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(list.map(({ id }) => id))
}
