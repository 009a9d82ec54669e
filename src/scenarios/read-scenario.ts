import { readFile } from 'node:fs/promises'
import { unreadableFileError } from '../utils/files.ts'
import { isObject } from '../utils/json.ts'
import { parseJsonText } from '../utils/parse-json-text.ts'
import { UsageError } from '../utils/usage-error.ts'
import { findScenarioIssues, scenarioError } from './format/check-scenario.ts'
import type { Scenario } from './format/scenario.ts'

/**
 * Reads a scenario from a file.
 *
 * @throws UsageError for a file that is not there, is no JSON, or is an archive in the format HAR, or with every fault of the scenario
 * @example const result = await simulator.replay(await readScenario('scenarios/answer-is-lost.json'))
 */
export async function readScenario(file: string): Promise<Scenario> {
  const given = parseJsonText(await readScenarioText(file), file)
  if (isHar(given)) throw createHarError(file)
  const faults = findScenarioIssues(given)
  if (faults.length > 0) throw scenarioError(faults, file)
  return given as Scenario
}

/** The text of a file, without what some editors begin it with. @throws UsageError for a file that holds no text */
export async function readScenarioText(file: string): Promise<string> {
  const bytes = await readBytes(file)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new UsageError(
      `Failed to read ${file}: expected a scenario as JSON, got ${bytes.length} bytes that are no text. Choose another file.`,
    )
  }
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (error) {
    throw unreadableFileError(file, error)
  }
}

function isHar(given: unknown): boolean {
  return isObject(given) && isObject(given.log) && 'entries' in given.log
}

function createHarError(file: string): UsageError {
  return new UsageError(
    `Failed to read ${file}: expected a scenario, got an archive in the format HAR. Import it first: understudy import ${file} --out ${file.replace(/(?:\.har|\.json)?$/i, '')}.scenario.json`,
  )
}
