import type { PolicySettings } from '../policies/policies.ts'
import type { PolicyOverrides, Profile } from '../policies/settings.ts'
import { nearestProfile } from '../recordings/changes.ts'
import type { Target } from '../scenarios/target.ts'
import { Clock } from '../world/clock.ts'
import { wrapTarget } from './recorded-target.ts'
import type { StepSink } from './run-recorder.ts'

/** How the world of a replay began: the fields of a scenario that say it. */
export interface RecordedStart {
  readonly title: string
  readonly profile?: Profile
  readonly policies?: PolicyOverrides
  readonly clock?: string
  /** As JSON text in pieces; null where it is not known */
  readonly world: Iterable<string> | null
}

/**
 * A target whose requests and changes are recorded from here on.
 *
 * @param record told how the world is now, gives where the steps go
 * @param titleOf the title of the step that is run
 */
export async function recordTarget(
  target: Target,
  { title }: { readonly title: string },
  record: (beginning: RecordedStart) => StepSink,
  titleOf: () => string | undefined,
): Promise<Target> {
  const [world, clock] = [await target.world(), await target.clock()]
  if (world === null || clock === null) {
    const sink = record({ title, world: null })
    return wrapTarget(target, { sink, clock: null, title: titleOf })
  }
  const { mode, now } = clock
  const beginning = {
    title,
    ...nearestProfile((await target.settings()) as PolicySettings),
    clock: now,
    world,
  }
  const sink = record(beginning)
  const setting = mode === 'real' ? mode : { mode, time: now }
  return wrapTarget(target, { sink, clock: new Clock(setting), title: titleOf })
}
