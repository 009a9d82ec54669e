import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFile } from '../utils/files.ts'
import { UsageError, unexpectedValue } from '../utils/usage-error.ts'
import type { ListedScenario, ScenarioLibrary } from './format/scenario.ts'
import { readScenario } from './read-scenario.ts'

const packageFolder = packageFile('scenarios')

interface ScenarioFile {
  readonly name: string
  readonly file: string
  readonly from: ListedScenario['from']
}

/**
 * Opens the scenarios of the package and of a folder. If both have a scenario of the same name, that of the folder is
 * used.
 *
 * @example await openScenarioLibrary('./stories').list()
 */
export function openScenarioLibrary(folder?: string): ScenarioLibrary {
  const findFiles = async (): Promise<ReadonlyMap<string, ScenarioFile>> => {
    const files = [
      ...(await listFiles(packageFolder, 'package')),
      ...(folder === undefined ? [] : await listFiles(folder, 'folder')),
    ]
    return new Map(files.map((file) => [file.name, file]))
  }
  return {
    async list() {
      const files = [...(await findFiles()).values()].sort(bySourceAndName)
      return Promise.all(files.map(describeFile))
    },
    async read(name) {
      const found = (await findFiles()).get(name)
      return found && readScenario(found.file)
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
    const { code } = error as { code?: string }
    throw unexpectedValue('list the scenarios', 'a readable folder', `${folder} (${code})`)
  }
}

/** An invalid scenario is listed with its issue. */
async function describeFile({ name, file, from }: ScenarioFile): Promise<ListedScenario> {
  try {
    const { title, description = null, steps } = await readScenario(file)
    return { name, title, description, steps: steps.length, from, issue: null }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { name, title: name, description: null, steps: 0, from, issue: error.message }
  }
}

function bySourceAndName(a: ScenarioFile, b: ScenarioFile): number {
  return a.from === b.from ? (a.name < b.name ? -1 : 1) : a.from === 'folder' ? -1 : 1
}
