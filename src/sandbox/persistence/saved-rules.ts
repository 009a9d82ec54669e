import { Actor } from '../actors/actors.ts'
import type { PresetRule } from '../faults/fault-request.ts'
import { ActiveRule } from '../faults/faults.ts'
import type { SimulatorBase } from '../simulator-base.ts'

/** The faults and the second actors of a sandbox in a file, with their counters. */
export interface SavedRules {
  readonly faults: SavedList<SavedFault>
  readonly actors: SavedList<SavedActor>
}

interface SavedList<R> {
  /** The number in the latest id */
  readonly last: number
  readonly rules: readonly R[]
}

type SavedFault = PresetRule & Pick<ActiveRule, 'id' | 'matched' | 'applied' | 'draws'>

type SavedActor = Pick<Actor, 'id' | 'after' | 'steps' | 'errors' | 'runs' | 'remaining'>

export function saveRules({ faults, actors, sandbox }: SimulatorBase): SavedRules {
  const savedFaults = faults.rules.rules.map((one) => {
    const { id, rule, preset, matched, applied, draws, restoreCount } = one
    const isCurrent = restoreCount === sandbox.restoreCount
    return { id, rule, preset, matched, applied, draws: isCurrent ? draws : 0 }
  })
  const savedActors = actors.rules.rules.map(({ id, after, steps, errors, runs, remaining }) => {
    return { id, after, steps, errors, runs, remaining }
  })
  return {
    faults: { last: faults.rules.lastNumber, rules: savedFaults },
    actors: { last: actors.rules.lastNumber, rules: savedActors },
  }
}

/** Continues with saved rules in a sandbox whose rows were not replaced yet. Their warnings were printed before. */
export function resumeRules(simulator: SimulatorBase, { faults, actors }: SavedRules): void {
  const active = faults.rules.map(({ id, rule, preset, ...counters }) =>
    Object.assign(new ActiveRule(id, { rule, preset }), counters),
  )
  simulator.faults.rules.resume(active, faults.last)
  const resumed = actors.rules.map(({ id, after, steps, errors, runs, remaining }) => {
    const actor = new Actor(id, { after, steps })
    actor.errors.push(...errors)
    return Object.assign(actor, { runs, remaining })
  })
  simulator.actors.rules.resume(resumed, actors.last)
}
