import { escapeLiterals } from '../../scenarios/format/values.ts'
import type { RecordedStart } from '../../scenarios/recording/record-target.ts'
import type { StepSink } from '../../scenarios/recording/recorder.ts'
import type { ControlCall } from '../../scenarios/recording/run-recorder.ts'
import { RunRecorder } from '../../scenarios/recording/run-recorder.ts'
import type { Simulator } from '../../simulator.ts'
import type { SimulatorFlags } from '../simulator-from-flags.ts'
import { BundleFile } from './bundle-file.ts'
import { finishBundle } from './finish-bundle.ts'

/** A run that is recorded in a bundle. */
export interface RunRecording {
  /** Records a successful call of the control API. */
  onControlCall(call: ControlCall): void
  /** Finishes the bundle. @returns messages for the user */
  finish(): Promise<string[]>
}

/**
 * Records everything that happens to a simulator from now on.
 *
 * @param title the title of the bundle
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
  const omitted: string[] = []
  const recorder = new RunRecorder(simulator, {
    add: (step) => bundle.add(step),
    omit: (part) => omitted.push(part),
  })
  return {
    onControlCall: (call) => recorder.addControlCall(call),
    finish() {
      recorder.stop()
      return finishBundle(bundle, omitted)
    },
  }
}

/** The bundle of a replay. It is kept only if the replay fails. */
export class ReplayBundle {
  readonly #file: string
  readonly #omitted: string[] = []
  #bundle: BundleFile | null = null

  constructor(file: string) {
    this.#file = file
  }

  /** @throws UsageError for a file that cannot be written */
  start(start: RecordedStart): StepSink {
    const bundle = new BundleFile(this.#file, start)
    this.#bundle = bundle
    if (start.world === null) this.#omitted.push('the world of the target, which is unknown')
    return { add: (step) => bundle.add(step), omit: (part) => this.#omitted.push(part) }
  }

  /** Finishes the bundle of a failed replay, and discards any other. @returns messages for the user */
  async finish(hasPassed: boolean): Promise<string[]> {
    const bundle = this.#bundle
    this.#bundle = null
    if (hasPassed || !bundle) {
      bundle?.discard()
      return []
    }
    return finishBundle(bundle, this.#omitted)
  }

  /** Removes the bundle. */
  discard(): void {
    this.#bundle?.discard()
    this.#bundle = null
  }
}
