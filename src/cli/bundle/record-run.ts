import { RunRecorder } from '../../bundles/run-recorder.ts'
import type { CarriedOut } from '../../control/carried-out.ts'
import { literalWithin } from '../../scenarios/literal.ts'
import type { Simulator } from '../../simulator.ts'
import type { BeginFlags } from '../begin.ts'
import { BundleFile } from './bundle-file.ts'
import { endBundle } from './report.ts'

/** A run that is written into a bundle. */
export interface RecordedRun {
  /** Told of each call of the control API that was carried out. */
  steered(call: CarriedOut): void
  /** Ends the bundle. @returns what is said of it */
  end(): Promise<string[]>
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
  { profile, policy, fault }: BeginFlags,
): RecordedRun {
  const { clock, world } = simulator
  clock.hold()
  const bundle = new BundleFile(file, {
    title,
    profile,
    ...(Object.keys(policy).length > 0 && { policies: policy }),
    clock: clock.iso(),
    world: world.toTexts(),
  })
  for (const request of fault) bundle.add({ fault: literalWithin(request) as typeof request })
  const lost: string[] = []
  const recorder = new RunRecorder(simulator, {
    add: (step) => bundle.add(step),
    lose: (what) => lost.push(what),
  })
  return {
    steered: (call) => recorder.steered(call),
    end() {
      recorder.stop()
      return endBundle(bundle, lost)
    },
  }
}
