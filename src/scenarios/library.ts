import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFile } from '../utils/files.ts'
import { UsageError, unexpectedValue } from '../utils/usage-error.ts'
import type { ListedScenario, ScenarioLibrary } from './format/scenario.ts'
import { readScenario } from './read-scenario.ts'

const packageFolder = packageFile('scenarios')

/**
 * The stories that come with the package, and those of a folder, which go before one of the same name.
 *
 * @throws UsageError, when they are listed, for a folder that cannot be read
 * @example await scenarioLibrary('./stories').list()
 */
export function openScenarioLibrary(folder?: string): ScenarioLibrary {
  const find = async () => {
    const found = new Map<string, { file: string; from: ListedScenario['from'] }>()
    for (const name of await listScenarioNames(packageFolder)) {
      found.set(name, { file: join(packageFolder, `${name}.json`), from: 'package' })
    }
    for (const name of folder === undefined ? [] : await listScenarioNames(folder)) {
      found.set(name, { file: join(folder as string, `${name}.json`), from: 'folder' })
    }
    return found
  }
  return {
    async list() {
      const listed = [...(await find())].map(([name, { file, from }]) =>
        describeFile(name, file, from),
      )
      return (await Promise.all(listed)).sort(bySourceAndName)
    },
    async read(name) {
      const found = (await find()).get(name)
      return found && readScenario(found.file)
    },
  }
}

/** The scenarios of a folder. @throws UsageError for one that cannot be read */
export async function listScenarioNames(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder)
    return names
      .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
      .map((name) => name.slice(0, -'.json'.length))
  } catch (error) {
    const { code } = error as { code?: string }
    throw unexpectedValue('list scenarios', 'a folder that can be read', `${folder} (${code})`)
  }
}

/** A file with a fault is told of, and not left out. */
async function describeFile(
  name: string,
  file: string,
  from: ListedScenario['from'],
): Promise<ListedScenario> {
  try {
    const { title, description = null, steps } = await readScenario(file)
    return { name, title, description, steps: steps.length, from, fault: null }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { name, title: name, description: null, steps: 0, from, fault: error.message }
  }
}

function bySourceAndName(a: ListedScenario, b: ListedScenario): number {
  return a.from === b.from ? (a.name < b.name ? -1 : 1) : a.from === 'folder' ? -1 : 1
}
