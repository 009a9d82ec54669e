import { resolve } from 'node:path'
import { isNdjsonFile, notUtf8Error, packageFile, refusalOf } from '../../utils/files.ts'
import { isObject } from '../../utils/json.ts'
import { invalidJsonError } from '../../utils/parse-json-text.ts'
import { JsonParseError } from '../../utils/python/check-json.ts'
import { finish } from '../../utils/steps.ts'
import { didYouMean, inspectValue, UsageError } from '../../utils/usage-error.ts'
import type { WorldJson } from '../world-json.ts'
import { fixtureNames } from './built-in-worlds.ts'
import { checkRows } from './checked-rows.ts'
import { readChunks } from './file-chunks.ts'
import { createRowParser } from './mixed-rows.ts'
import { WorldLinesReader } from './world-lines.ts'
import { type WorldTextOptions, WorldTextReader } from './world-text.ts'

export { fixtureNames }

/**
 * Reads a world from a file, which can be compressed by gzip, or a fixture by name. A file whose name ends with `.ndjson`
 * or `.jsonl` has an object in each line. The factories generate missing rows and fields.
 *
 * @param seed the seed of generated rows; default: the seed of the world
 * @param onProgress called now and then with the number of generated rows, and their total
 * @param onRead called now and then with the number of bytes that were read, and the size of the file
 * @throws UsageError for a missing file, for invalid JSON, and for a world that the factories cannot complete
 * @example const simulator = createSimulator({ world: await readWorld('crowded') })
 */
export function readWorld(
  fileOrName: string,
  seed?: number,
  onProgress?: (made: number, of: number) => void,
  onRead?: (bytes: number, of: number) => void,
): Promise<WorldJson> {
  return readAndGenerate({}, fileOrName, seed, onProgress, onRead)
}

/** The same for `loadWorldInSteps`, with less memory: annotations are checked and copied while they are read. */
export const readWorldToLoad: typeof readWorld = (...parameters) =>
  readAndGenerate({ checkRows, parseRows: createRowParser() }, ...parameters)

async function readAndGenerate(
  options: WorldTextOptions,
  ...[fileOrName, seed, onProgress, onRead]: Parameters<typeof readWorld>
): Promise<WorldJson> {
  const world = await readFile(options, fileOrName, onRead)
  if (!world?.generate) return world
  const { generateChecked } = await import('../factories/generate.ts')
  const how = { ...(seed !== undefined && { seed }), ...(onProgress && { onProgress }) }
  return finish(generateChecked(world, how))
}

async function readFile(
  options: WorldTextOptions,
  fileOrName: string,
  onRead?: (bytes: number, of: number) => void,
): Promise<WorldJson> {
  const isName = fixtureNames.includes(fileOrName)
  const path = isName ? packageFile(`fixtures/${fileOrName}.json`) : fileOrName
  const hasLines = isNdjsonFile(path)
  const reader = hasLines ? new WorldLinesReader(options) : new WorldTextReader(options)
  try {
    for await (const chunk of readChunks(path, onRead)) reader.push(chunk)
    return checkKind(reader.end(), fileOrName)
  } catch (error) {
    if (error instanceof JsonParseError || error instanceof SyntaxError) {
      throw invalidJsonError(reader.rest, error, fileOrName, adviceAbout(error, hasLines))
    }
    const { code } = error as { code?: string }
    if (code === undefined) throw error
    if (code === 'ENOENT') throw worldNotFound(fileOrName)
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw notUtf8Error(fileOrName)
    const reason = gzipErrors[code] ?? refusalOf(error)
    throw new UsageError(`Failed to read the world ${fileOrName}: ${reason}.`)
  }
}

function adviceAbout(error: Error, hasLines: boolean): string {
  if (hasLines)
    return 'Write each object in one line, or rename the file to .json if all of it is one object.'
  const { what, place } = error as Partial<JsonParseError>
  const hasNextLine = what === 'Extra data' && place?.column === 0
  return hasNextLine ? 'If each line is an object, rename the file to .ndjson.' : ''
}

const gzipErrors: Readonly<Record<string, string>> = {
  Z_BUF_ERROR: 'its gzip data is cut off',
  Z_DATA_ERROR: 'its gzip data is damaged',
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
      `npx understudy-api serve --recording ${name}.`,
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
  if (!hasResponseRows(value)) return null
  return (
    'has rows as the API returns them, not those of a world. Import a HAR archive of the responses: ' +
    'npx understudy-api import session.har. In a world, created_by is the id of a user, and ' +
    'insight_name belongs to the dashboard item.'
  )
}

function hasResponseRows({ results, annotations }: Readonly<Record<string, unknown>>): boolean {
  const [row] = Array.isArray(annotations) ? annotations : []
  return Array.isArray(results) || (isObject(row) && 'insight_name' in row)
}

/** The file holds a scenario instead of a world. */
export class ScenarioFileError extends UsageError {}

function isScenario(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'steps' in value
}
