import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { packageFile } from '../../utils/files.ts'
import { parseJsonText } from '../../utils/parse-json-text.ts'
import { didYouMean, UsageError } from '../../utils/usage-error.ts'
import type { WorldJson } from '../world-json.ts'
import { fixtureNames } from './built-in-worlds.ts'

export { fixtureNames }

/**
 * Reads a world from a file, or a fixture by name. The factories generate its missing rows and fields.
 *
 * @param seed the seed of generated rows; default: the seed of the world
 * @param onProgress called now and then with the number of generated rows, and their total
 * @throws UsageError for a missing file, for invalid JSON, and for a world that the factories cannot complete
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
    if (code === 'ENOENT') throw worldNotFound(fileOrName)
    const reason = code === 'EISDIR' ? 'it is a folder' : code
    throw new UsageError(`Failed to read the world ${fileOrName}: ${reason}.`)
  }
}

function worldNotFound(fileOrName: string): UsageError {
  const meant = didYouMean(fileOrName, fixtureNames)
  return new UsageError(
    `World ${fileOrName} not found: expected one of ${fixtureNames.join(', ')}, or a file (looked in ` +
      `${resolve(fileOrName)}).${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
  )
}

function parseWorld(text: string, name: string): WorldJson {
  const world = parseJsonText(text, name)
  if (!isScenario(world)) return world as WorldJson
  throw new ScenarioFileError(
    `${name} is a scenario, not a world. Replay it: npx understudy-api replay ${name}, or ` +
      `npx understudy-api serve --recording ${name}.`,
  )
}

/** The file holds a scenario instead of a world. */
export class ScenarioFileError extends UsageError {}

function isScenario(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'steps' in value
}
