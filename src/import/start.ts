import {
  type ChangeStep,
  isRequestStep,
  type Scenario,
  type Step,
} from '../scenarios/format/scenario.ts'
import { resolveSetup } from '../scenarios/run/options.ts'
import { play } from '../scenarios/run/play.ts'
import { openRun } from '../scenarios/run/run-scenario.ts'
import { createLocalSender } from '../scenarios/run/simulator-sender.ts'
import { toProfile } from '../settings/resolve.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { UsageError } from '../utils/errors.ts'
import { addsKeys, withValues } from './client-scenario.ts'

/**
 * A scenario without the changes before its first request: they are in its world, its settings and its clock. A client that
 * takes the place of the recorded one starts there. The same scenario if there are none.
 *
 * @param simulator provides what the scenario leaves out
 * @throws UsageError for a scenario without requests, and for a change that cannot be made
 */
export async function withStart(scenario: Scenario, simulator: Simulator): Promise<Scenario> {
  const { title, steps } = scenario
  const first = steps.findIndex(isRequestStep)
  if (first < 0)
    throw new UsageError(
      `Failed to open the recording ${JSON.stringify(title)}: expected a scenario with a request, got none.`,
    )
  const lastKeys = steps.findLastIndex(addsKeys)
  const isStart = (step: Step, index: number): boolean =>
    index < first ? !('fault' in step) : index <= lastKeys && 'rows' in step
  const changes = steps.filter(isStart) as readonly ChangeStep[]
  if (changes.length === 0) return scenario
  const copy = openRun(resolveSetup(scenario), simulator)
  let values = new Map<string, unknown>()
  for await (const { step, result, savedNow } of play(
    { steps: changes },
    await createLocalSender(copy),
  )) {
    const [refused] = result.differences
    if (refused)
      throw new UsageError(`steps[${steps.indexOf(step)}].${refused.where}: ${refused.got}`)
    values = savedNow.all()
  }
  values.delete('base_url')
  const { mode } = copy.clock
  return {
    ...scenario,
    world: copy.world.toJSON(),
    ...toProfile(copy.settings.values),
    clock: mode === 'real' ? mode : copy.clock.read(),
    steps: steps
      .filter((step, index) => !isStart(step, index))
      .map((step) => withValues(step, values)),
  }
}
