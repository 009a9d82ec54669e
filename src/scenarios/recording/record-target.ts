import type { PolicySettings } from '../../policies/policies.ts'
import type { PolicyOverrides, Profile } from '../../policies/settings.ts'
import { Clock } from '../../world/clock/clock.ts'
import type { ChangeStep, Scenario, Step } from '../format/scenario.ts'
import { escapeLiterals } from '../format/values.ts'
import { observeTarget, type Target } from '../run/target.ts'
import { nearestProfile } from './change-steps.ts'
import { Recorder, type StepSink } from './recorder.ts'

export interface RecordedStart {
  readonly title: string
  readonly profile?: Profile
  readonly policies?: PolicyOverrides
  readonly clock?: string
  /** JSON text in pieces. Null if the target does not show its world */
  readonly world: Iterable<string> | null
}

/**
 * Records a replay: the requests with their exact responses, and the changes of the world. If the clock of the target
 * runs, it is set before each step, so that a replay of the recording shows the same times.
 */
export async function recordTarget(
  target: Target,
  { title }: Pick<Scenario, 'title'>,
  open: (start: RecordedStart) => StepSink,
  currentStep: () => Step | undefined,
  redact: readonly string[] = [],
): Promise<Target> {
  const { start, clock } = await readStart(target, title)
  const sink = open(start)
  const labels = new Map<string, string>()
  const titledSink: StepSink = {
    add(step) {
      const stepTitle = currentStep()?.title
      sink.add(stepTitle === undefined ? step : { title: stepTitle, ...step })
    },
    omit: (what) => sink.omit(what),
  }
  const recorder = new Recorder({ redact }, { sink: titledSink, keys: () => labels })
  const observed = observeTarget(target, (exchange) => recorder.add(exchange, target.baseUrl))
  const setClock = async (): Promise<void> => {
    if (!clock || clock.mode === 'frozen') return
    const step = { clock: clock.iso() }
    await target.change(step)
    sink.add(step)
  }
  return {
    ...observed,
    key(label) {
      const value = target.key(label)
      if (value !== undefined) labels.set(value, label)
      return value
    },
    async change(change) {
      if (!('clock' in change || 'advance' in change)) await setClock()
      const added = await target.change(change)
      if ('clock' in change) clock?.set(change.clock)
      if ('advance' in change) clock?.advance(change.advance)
      recorder.addChange(('world' in change ? change : escapeLiterals(change)) as ChangeStep)
      return added
    },
    async send(request) {
      await setClock()
      return observed.send(request)
    },
  }
}

/** @returns a clock that runs like that of the target, or null if the target does not show its clock */
async function readStart(
  target: Target,
  title: string,
): Promise<{ start: RecordedStart; clock: Clock | null }> {
  const [world, reading] = [await target.world(), await target.clock()]
  if (world === null || reading === null) return { start: { title, world: null }, clock: null }
  const { mode, now } = reading
  const settings = (await target.settings()) as PolicySettings
  return {
    start: { title, ...nearestProfile(settings), clock: now, world },
    clock: new Clock(mode === 'real' ? mode : { mode, time: now }),
  }
}
