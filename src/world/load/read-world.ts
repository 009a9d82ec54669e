import { readFile } from 'node:fs/promises'
import { didYouMean } from '../../utils/did-you-mean.ts'
import { packageFile } from '../../utils/package-file.ts'
import { parseJsonText } from '../../utils/parse-json-text.ts'
import { UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import type { WorldJson } from '../world-json.ts'

/** The fixtures that come with the package. */
export const fixtureNames: readonly string[] = ['default', 'empty', 'odd', 'crowded']

/**
 * Reads a world from a file, or a fixture by its name, and fills what it leaves to the factories.
 *
 * @param seed what generated rows follow from; by default the world's own seed
 * @param onProgress told now and then how many rows are generated, and of how many
 * @throws UsageError for a file that is not there or is no JSON, or a world that cannot be filled
 * @example const simulator = createSimulator({ world: await readWorld('crowded') })
 */
export async function readWorld(
  fileOrName: string,
  seed?: number,
  onProgress?: (made: number, of: number) => void,
): Promise<WorldJson> {
  const world = parseWorld(await readText(fileOrName), fileOrName)
  if (!world?.generate) return world
  const { generate } = await import('../factories/generate.ts')
  return generate(world, {
    ...(seed !== undefined && { seed }),
    ...(onProgress && { onProgress }),
  })
}

async function readText(fileOrName: string): Promise<string> {
  const isName = fixtureNames.includes(fileOrName)
  const file = isName ? packageFile(`fixtures/${fileOrName}.json`) : fileOrName
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as { code?: string }
    const reason = code === 'ENOENT' ? '' : code === 'EISDIR' ? ' (a folder)' : ` (${code})`
    throw unexpectedValue(
      'read the world',
      `a file that can be read, or one of ${fixtureNames.join(', ')}`,
      fileOrName + reason,
      didYouMean(fileOrName, fixtureNames),
    )
  }
}

function parseWorld(text: string, name: string): WorldJson {
  const world = parseJsonText(text, name)
  if (!isScenario(world)) return world as WorldJson
  throw new ScenarioFileError(
    `Failed to read the world ${name}: expected a world, got a scenario. Replay it: understudy replay ${name}, or understudy serve --recording ${name}.`,
  )
}

/** What was given as a world is a scenario. */
export class ScenarioFileError extends UsageError {}

/** No world has steps. */
function isScenario(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'steps' in given
}
