import { worldLists } from '../world/table/lists.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { Output } from './command-context.ts'
import { type ProgressBar, startProgressBar } from './output.ts'

/** The number of steps that loading a row takes: at least 0.015 for sorted rows, and 0.026 for others */
const stepsPerRow = 0.02

/** In milliseconds. Files of some ten thousand rows load within this time. */
const delay = 500

/**
 * The progress bars of a world that is loaded. Reading its file is the first half of one bar, and loading its rows the
 * second. Generated rows have a bar of their own. The number of rows is not known at first, so bars count percents.
 */
export class LoadingProgress {
  readonly #loading: ProgressBar
  readonly #generating: ProgressBar
  #steps = 0

  private constructor(loading: ProgressBar, generating: ProgressBar) {
    this.#loading = loading
    this.#generating = generating
  }

  /** Nothing else may be written to the stream until the bars stop. They are shown on a terminal only. */
  static async start(stream: Output): Promise<LoadingProgress> {
    return new LoadingProgress(
      await startProgressBar('Loading rows', 100, stream, delay),
      await startProgressBar('Generating rows', 100, stream),
    )
  }

  readonly onRead = (bytes: number, of: number): void => {
    if (of > 0) this.#loading.update(Math.min(bytes / of, 1) * 50)
  }

  readonly onGenerated = (made: number, of: number): void => {
    this.#loading.stop()
    if (made < of) this.#generating.update((made / of) * 100)
    else this.#generating.stop()
  }

  /** Returns a function to call for each step of loading a world. */
  stepsOf(world: WorldJson): () => void {
    const rows = worldLists.reduce((sum, list) => sum + (world[list]?.length ?? 0), 0)
    return () => {
      this.#steps += 1
      this.#loading.update(50 + Math.min(this.#steps / (rows * stepsPerRow), 1) * 49)
    }
  }

  readonly stop = (): void => {
    this.#loading.stop()
    this.#generating.stop()
  }
}
