import { readWorld } from '../read-world.ts'
import type { WorldJson } from '../world/world-json.ts'
import { startProgressBar } from './output/progress.ts'

/** Reads a world, and shows how far the rows are that it leaves to the factories. @throws UsageError as `readWorld` does */
export async function readWorldWithProgress(fileOrName: string, seed?: number): Promise<WorldJson> {
  // How many there are is known when the first ones are made.
  const progress = await startProgressBar('Generating rows', 100)
  try {
    return await readWorld(fileOrName, seed, (made, of) => progress.update((made / of) * 100))
  } finally {
    progress.stop()
  }
}
