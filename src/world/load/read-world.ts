import { resolve } from 'node:path'
import { inspectValue, suggestWord, UsageError } from '../../utils/errors.ts'
import { readText, refusalOf } from '../../utils/files.ts'
import { isObject } from '../../utils/json.ts'
import { parseWrittenJson } from '../../utils/json-file.ts'
import { quoteForShell } from '../../utils/text.ts'
import { worldLists } from '../tables.ts'
import type { WorldJson } from '../world-json.ts'
import { completeWorld, fixtureNames, isFixture } from './load-world.ts'

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
  return worldOfFile(parseWrittenJson(text, fileOrName), fileOrName, seed)
}

/** Checks what the content of a file is, and completes a world. @param file how messages name it @throws UsageError */
export function worldOfFile(value: unknown, file: string, seed?: number): Promise<WorldJson> {
  return completeWorld(checkKind(value, file), seed)
}

/** @param error an exception of `node:fs`, or an error of the user @param scenarios names that are allowed, too */
export function unreadableWorldError(
  file: string,
  error: unknown,
  scenarios?: readonly string[],
): unknown {
  const { code } = error as { code?: string }
  if (code === undefined) return error
  if (code !== 'ENOENT')
    return new UsageError(`Failed to read the world ${file}: ${refusalOf(error)}.`)
  const [title, other] = scenarios ? ['File', ', a scenario of the package'] : ['World', '']
  return new UsageError(
    `${title} ${file} not found: expected one of ${fixtureNames.join(', ')}${other}, or a file (looked in ` +
      `${resolve(file)}).${suggestWord(file, [...fixtureNames, ...(scenarios ?? [])])}`,
  )
}

function checkKind(value: unknown, name: string) {
  if (!isObject(value)) {
    const got = inspectValue(value)
    throw new UsageError(`${name} is ${got}, not a world. A world is an object of lists.`)
  }
  if (isObject(value.log) && 'entries' in value.log) {
    throw new UsageError(
      `${name} is a HAR archive, not a world. Import it: npx understudy-api import ${quoteForShell(name)}`,
    )
  }
  const hasRows = worldLists.some((list) => list in value)
  if (!('steps' in value) && (hasRows || !('title' in value))) return value as WorldJson
  throw new ScenarioFileError(
    `${name} is a scenario, not a world. Replay it: npx understudy-api replay ${quoteForShell(name)}, or ` +
      `npx understudy-api serve --scenario ${quoteForShell(name)}.`,
  )
}

export class ScenarioFileError extends UsageError {}
