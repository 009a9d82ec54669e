import { RunRecorder } from '../../bundles/run-recorder.ts'
import type { ControlCall } from '../../control/carried-out.ts'
import { escapeLiterals } from '../../scenarios/literal.ts'
import type { Simulator } from '../../simulator.ts'
import type { SimulatorFlags } from '../begin.ts'
import { BundleFile } from './bundle-file.ts'
import { finishBundle } from './report.ts'

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
