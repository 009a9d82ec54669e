import type { Answer, Call } from '../http/call.ts'
import { bodyOf } from '../scenarios/compare.ts'
import { keep } from '../scenarios/keep.ts'
import type { Heard } from '../scenarios/target.ts'
import { complete, fits, isAsRecorded } from './complete.ts'
import type { Recorded } from './recorded.ts'
import { baseOf, toHeard, toSent } from './sent.ts'
import type { Simulation } from './simulation.ts'
import type { Tape } from './tape.ts'

/** What a recorded request is answered from. */
interface Source {
  readonly call: Call
  readonly target: string
  readonly tape: Tape
  /** Carries the request out, too; null where nothing is simulated */
  readonly simulation: Simulation | null
  readonly saved: Map<string, unknown>
}

/**
 * The answer to a recorded request: as it was completed, or where a simulation carries it out, too, completed by
 * what that answers now. So a row has the id that it has in the simulation.
 */
export async function replayed(
  { index, step }: Recorded,
  { call, target, tape, simulation, saved }: Source,
): Promise<Answer> {
  const recorded = tape.answers.get(index) as Heard
  const base = baseOf(call, target)
  if (!simulation) return toSent(recorded, base)
  await simulation.changeUntil(index, saved)
  const simulated = await simulation.answer(call, target)
  const { expect, save = {} } = step
  const live = toHeard(simulated)
  // A body that comes in pieces is sent as it comes.
  if (simulated.stream && (!expect || expect.broken)) return simulated
  const given = !expect || fits(expect, live) ? live : recorded
  const completed = complete(expect, given, saved, () => undefined)
  const heard = isAsRecorded(expect, completed, saved) ? completed : recorded
  keep(save, bodyOf(heard.text), saved)
  return toSent(heard, base)
}
