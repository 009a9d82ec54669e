import { resolve } from 'node:path'
import { didYouMean, inspectValue, UsageError } from '../../utils/errors.ts'
import { readText, refusalOf } from '../../utils/files.ts'
import { isObject } from '../../utils/json.ts'
import { parseJsonText } from '../../utils/python-json.ts'
import { worldSchema } from '../schema/world-schema.ts'
import type { WorldJson } from '../world-json.ts'
import { fixtureNames, isFixture } from './built-in-worlds.ts'
import { completeWorld } from './complete-world.ts'

export { fixtureNames }

/**
 * Reads a world from a file, or a fixture by name. The factories generate missing rows and fields, if the world has
 * `generate`.
 *
 * @param seed the seed of generated rows; default: the seed of the world
 * @throws UsageError for a missing file, for invalid JSON, and for a world that the factories cannot complete
 * @example const simulator = createSimulator({ world: await readWorld('crowded') })
 */
export async function readWorld(fileOrName: string, seed?: number): Promise<WorldJson> {
  if (isFixture(fileOrName)) return completeWorld(fileOrName, seed)
  const text = await readText(fileOrName).catch((error) => {
    throw unreadableWorldError(fileOrName, error)
  })
  return worldOfFile(parseJsonText(text, fileOrName), fileOrName, seed)
}

/** Checks what the content of a file is, and completes a world. @param file how messages name it @throws UsageError */
export function worldOfFile(value: unknown, file: string, seed?: number): Promise<WorldJson> {
  return completeWorld(checkKind(value, file), seed)
}

/** @param error an exception of `node:fs`, or an error of the user */
export function unreadableWorldError(file: string, error: unknown): unknown {
  const { code } = error as { code?: string }
  if (code === undefined) return error
  if (code === 'ENOENT') return worldNotFound(file)
  return new UsageError(`Failed to read the world ${file}: ${refusalOf(error)}.`)
}

function worldNotFound(fileOrName: string): UsageError {
  const meant = didYouMean(fileOrName, fixtureNames)
  return new UsageError(
    `World ${fileOrName} not found: expected one of ${fixtureNames.join(', ')}, or a file (looked in ` +
      `${resolve(fileOrName)}).${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
  )
}

function checkKind(world: unknown, name: string): WorldJson {
  const other = describeOther(world, name)
  if (other !== null) throw new UsageError(`${name} ${other}`)
  if (!isScenario(world)) return world as WorldJson
  throw new ScenarioFileError(
    `${name} is a scenario, not a world. Replay it: npx understudy-api replay ${name}, or ` +
      `npx understudy-api serve --scenario ${name}.`,
  )
}

/** What a file holds instead of a world or a scenario, and what to do with it. Null for these. */
function describeOther(value: unknown, name: string): string | null {
  if (Array.isArray(value) && value.length > 0) {
    return (
      'is a list, not a world. Name the list and complete its rows: ' +
      '{"annotations": […], "generate": {}}.'
    )
  }
  if (!isObject(value)) {
    const text = inspectValue(value)
    return Array.isArray(value) ? null : `is ${text}, not a world. A world is an object of lists.`
  }
  if (isObject(value.log) && 'entries' in value.log) {
    return `is a HAR archive, not a world. Import it: npx understudy-api import ${name}`
  }
  if (hasResponseRows(value)) {
    return (
      'has rows as the API returns them, not those of a world. Import a HAR archive of the responses: ' +
      'npx understudy-api import session.har. In a world, created_by is the id of a user, and ' +
      'insight_name belongs to the dashboard item.'
    )
  }
  // One or two can be misspelt.
  const names = Object.keys(value)
  if (names.length < 3 || names.some((name) => name in worldSchema().shape)) return null
  return isScenario(value)
    ? null
    : 'is neither a world nor a scenario: it has no field of either. A world has lists, such as annotations.'
}

function hasResponseRows({ results, annotations }: Readonly<Record<string, unknown>>): boolean {
  const [row] = Array.isArray(annotations) ? annotations : []
  return Array.isArray(results) || (isObject(row) && 'insight_name' in row)
}

/** The file holds a scenario instead of a world. */
export class ScenarioFileError extends UsageError {}

function isScenario(value: unknown): boolean {
  return isObject(value) && ('steps' in value || 'title' in value)
}
