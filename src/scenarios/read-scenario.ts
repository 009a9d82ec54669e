import { readFile } from 'node:fs/promises'
import { unreadableFileError } from '../utils/files.ts'
import { isObject } from '../utils/json.ts'
import { parseJsonText } from '../utils/parse-json-text.ts'
import { UsageError } from '../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { freezeParsed, type ParsedScenario, parseScenario } from './format/check-scenario.ts'

export interface ReadScenarioOptions {
  /** Whether to replace the name of a fixture by the rows of that fixture */
  readonly inlineWorld?: boolean
}

/**
 * Reads a scenario file. The returned scenario is frozen. To change it, make a copy.
 *
 * @throws UsageError if the file does not exist or is not JSON, and with every issue of the scenario
 * @example const result = await simulator.replay(await readScenario('scenarios/answer-is-lost.json'))
 */
export async function readScenario(
  file: string,
  { inlineWorld = false }: ReadScenarioOptions = {},
): Promise<ParsedScenario> {
  const value = parseJsonText(await readScenarioText(file), file)
  if (!isObject(value)) return parseScenario(value, file)
  if (isObject(value.log) && 'entries' in value.log) {
    const out = `${file.replace(/(?:\.har|\.json)?$/i, '')}.scenario.json`
    throw new UsageError(
      `${file} is a HAR archive, not a scenario. Import it first: understudy import ${file} --out ${out}`,
    )
  }
  const { world } = value
  if (inlineWorld && typeof world === 'string' && fixtureNames.includes(world)) {
    value.world = await readWorld(world)
  }
  return freezeParsed(parseScenario(value, file))
}

/** Reads a scenario file as text, without a byte order mark. @throws UsageError if the file is not text */
export async function readScenarioText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw unreadableFileError(file, error)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new UsageError(`${file} is a binary file, not a scenario.`)
  }
}
