import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isUsageError, UsageError, unknownWord } from '../utils/errors.ts'
import { readText, unreadableFileError } from '../utils/files.ts'
import { isObject } from '../utils/json.ts'
import { parseWrittenJson } from '../utils/json-file.ts'
import { checkOptions, option, optionsSchema } from '../utils/options.ts'
import { packageFile } from '../utils/package-file.ts'
import { quoteForShell } from '../utils/text.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { worldLists } from '../world/tables.ts'
import type { WorldJson } from '../world/world-json.ts'
import { freezeParsed, type ParsedScenario, parseScenario } from './format/check-scenario.ts'
import type { ListedScenario, ScenarioLibrary } from './format/scenario.ts'

interface ScenarioFile {
  readonly name: string
  readonly file: string
  readonly from: ListedScenario['from']
}

/** Opens the scenarios of the package and of a folder. A scenario of the folder replaces one of the same name. */
export function openScenarioLibrary(folder?: string): ScenarioLibrary {
  const findFiles = async (): Promise<ReadonlyMap<string, ScenarioFile>> => {
    const files = [
      ...(await listFiles(packageFile('scenarios'), 'package')),
      ...(folder === undefined ? [] : await listFiles(folder, 'folder')),
    ]
    return new Map(files.map((file) => [file.name, file]))
  }
  return {
    async list() {
      const files = [...(await findFiles()).values()].sort(bySourceAndName)
      return Promise.all(files.map(describeFile))
    },
    async names() {
      return [...(await findFiles()).keys()]
    },
    async read(name) {
      const file = (await findFiles()).get(name)
      return file && readScenario(file.file)
    },
  }
}

async function listFiles(
  folder: string,
  from: ListedScenario['from'],
): Promise<readonly ScenarioFile[]> {
  const names = await listScenarioNames(folder)
  return names.map((name) => ({ name, file: join(folder, `${name}.json`), from }))
}

/** The names of the scenarios in a folder. @throws UsageError if the folder cannot be read */
export async function listScenarioNames(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder)
    return names
      .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
      .map((name) => name.slice(0, -'.json'.length))
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOTDIR') throw unreadableFileError(folder, error)
    throw new UsageError(`${folder} is not a folder. Name the folder of the scenarios.`)
  }
}

/** An invalid scenario is listed with its issue. */
async function describeFile({ name, file, from }: ScenarioFile): Promise<ListedScenario> {
  try {
    const { title, description = null, steps } = await readScenario(file)
    return { name, title, description, steps: steps.length, from, issue: null }
  } catch (error) {
    if (!isUsageError(error)) throw error
    return { name, title: name, description: null, steps: 0, from, issue: error.message }
  }
}

function bySourceAndName(a: ScenarioFile, b: ScenarioFile): number {
  return a.from === b.from ? (a.name < b.name ? -1 : 1) : a.from === 'folder' ? -1 : 1
}

/** How a scenario file is read. */
export interface ReadScenarioOptions {
  /** Whether to replace the name of a fixture by the rows of that fixture. Any other name is refused then */
  readonly inlineWorld?: boolean
}

const readSchema = optionsSchema<ReadScenarioOptions>({ inlineWorld: option.flag })

/** A scenario whose world is in it, not named. */
type ScenarioWithRows = ParsedScenario & { readonly world?: WorldJson }

/**
 * Reads a scenario file: a path, or a `URL` such as `new URL('story.json', import.meta.url)`. The returned scenario is frozen. To change it, make a copy.
 *
 * @throws UsageError if the file does not exist or is not JSON, and with up to 100 issues of the scenario
 * @example const result = await simulator.run(await readScenario('scenarios/response-lost-after-create.json'))
 */
export function readScenario(
  fileOrUrl: string | URL,
  options: { readonly inlineWorld: true },
): Promise<ScenarioWithRows>
/** The same for a scenario that can name its world. */
export function readScenario(
  fileOrUrl: string | URL,
  options?: ReadScenarioOptions,
): Promise<ParsedScenario>
/** The two signatures above, in one. */
export async function readScenario(
  fileOrUrl: string | URL,
  options: ReadScenarioOptions = {},
): Promise<ParsedScenario> {
  checkOptions(readSchema, options, 'read the scenario')
  const file = typeof fileOrUrl === 'string' ? fileOrUrl : pathOf(fileOrUrl)
  const text = await readText(file).catch((error: unknown) => {
    throw unreadableFileError(file, error)
  })
  return scenarioOfFile(parseWrittenJson(text, file), file, options)
}

/** Checks the content of a scenario file. @param file how messages name it @throws UsageError with up to 100 issues */
export async function scenarioOfFile(
  value: unknown,
  file: string,
  options: ReadScenarioOptions = {},
): Promise<ParsedScenario> {
  if (!isObject(value)) return parseScenario(value, file)
  if (isObject(value.log) && 'entries' in value.log) {
    const out = `${file.replace(/(?:\.har|\.json)?$/i, '')}.scenario.json`
    throw new UsageError(
      `${file} is a HAR archive, not a scenario. Import it first: npx understudy-api import ${quoteForShell(file)} --out ${quoteForShell(out)}`,
    )
  }
  if (!('steps' in value) && [...worldLists, 'generate'].some((name) => name in value)) {
    throw new UsageError(
      `${file} is a world, not a scenario. Serve it: npx understudy-api serve --world ${quoteForShell(file)}`,
    )
  }
  const { world } = value
  if (options.inlineWorld && typeof world === 'string') {
    if (!fixtureNames.includes(world))
      throw unknownWord(`read the world of ${file}`, fixtureNames, world, 'world')
    value.world = await readWorld(world)
  }
  return freezeParsed(parseScenario(value, file))
}

function pathOf(url: URL) {
  if (url.protocol === 'file:') return fileURLToPath(url)
  throw new UsageError(
    `Failed to read the scenario: expected a path or a file: URL, got "${url}". Vitest rewrites new URL('…', import.meta.url) ` +
      'in tests of pages: put the text into a variable, or pass a path.',
  )
}
