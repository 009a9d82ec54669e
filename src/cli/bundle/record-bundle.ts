import { escapeLiterals } from '../../scenarios/format/values.ts'
import type { ControlCall } from '../../scenarios/recording/control-steps.ts'
import type { RecordedStart } from '../../scenarios/recording/record-target.ts'
import type { StepSink } from '../../scenarios/recording/recorder.ts'
import { RunRecorder } from '../../scenarios/recording/run-recorder.ts'
import type { Simulator } from '../../simulator.ts'
import type { SimulatorFlags } from '../simulator-from-flags.ts'
import { BundleFile } from './bundle-file.ts'
import { finishBundle } from './finish-bundle.ts'

/** A run that is written into a bundle. */
export interface RunRecording {
  /** Told of each call of the control API that was carried out. */
  onControlCall(call: ControlCall): void
  /** Ends the bundle. @returns what is said of it */
  finish(): Promise<string[]>
}

/**
 * Writes all that happens to a simulator from here on into a bundle.
 *
 * @param title of the bundle
 * @throws UsageError for a file that cannot be written
 */
export function recordRun(
  simulator: Simulator,
  file: string,
  title: string,
  { profile, policy, fault }: SimulatorFlags,
): RunRecording {
  const { clock, world } = simulator
  clock.captureNow()
  const bundle = new BundleFile(file, {
    title,
    profile,
    ...(Object.keys(policy).length > 0 && { policies: policy }),
    clock: clock.iso(),
    world: world.toTexts(),
  })
  for (const request of fault) bundle.add({ fault: escapeLiterals(request) as typeof request })
  const lost: string[] = []
  const recorder = new RunRecorder(simulator, {
    add: (step) => bundle.add(step),
    omit: (what) => lost.push(what),
  })
  return {
    onControlCall: (call) => recorder.addControlCall(call),
    finish() {
      recorder.stop()
      return finishBundle(bundle, lost)
    },
  }
}

/** The bundle of a replay: written as it goes, and kept where the replay was not as expected. */
export class ReplayBundle {
  readonly #file: string
  readonly #lost: string[] = []
  #bundle: BundleFile | null = null

  constructor(file: string) {
    this.#file = file
  }

  /** @throws UsageError for a file that cannot be written */
  start(beginning: RecordedStart): StepSink {
    const bundle = new BundleFile(this.#file, beginning)
    this.#bundle = bundle
    if (beginning.world === null) this.#lost.push('the world of the target, which is not known')
    return { add: (step) => bundle.add(step), omit: (what) => this.#lost.push(what) }
  }

  /** @returns what is said of it; nothing for a replay that was as expected, which leaves none */
  async finish(held: boolean): Promise<string[]> {
    const bundle = this.#bundle
    this.#bundle = null
    if (held || !bundle) {
      bundle?.discard()
      return []
    }
    return finishBundle(bundle, this.#lost)
  }

  /** Leaves nothing. */
  discard(): void {
    this.#bundle?.discard()
    this.#bundle = null
  }
}
