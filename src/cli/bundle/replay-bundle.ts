import type { RecordedStart } from '../../bundles/beginning.ts'
import type { StepSink } from '../../bundles/run-recorder.ts'
import { BundleFile } from './bundle-file.ts'
import { finishBundle } from './report.ts'

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
