import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkHandlers } from '../adapters/user-handlers.ts'
import type { ListenOptions } from '../server/listen.ts'
import { isUsageError, UsageError, unexpectedValue } from '../utils/errors.ts'
import { statsOf, unreadableFileError } from '../utils/files.ts'
import { isStdin } from '../utils/input.ts'

/**
 * Loads the MSW handlers of a module: its export `handlers`, or its default export. A function gets the simulator when the
 * server starts.
 *
 * @throws UsageError
 */
export async function loadHandlers(file: string): Promise<NonNullable<ListenOptions['handlers']>> {
  // A module that is missing is not named by the error of another one that it imports.
  if (isStdin(file) || statsOf(file)?.isFIFO()) {
    throw unexpectedValue('read --handlers', 'the file of a module, which no pipe is', file)
  }
  await readFile(file).catch((error) => Promise.reject(unreadableFileError(file, error)))
  const module = await import(pathToFileURL(resolve(file)).href).catch((error) => {
    throw new UsageError(`Failed to load ${file}: ${error}`)
  })
  const expected = 'a list of MSW handlers as the export "handlers" or the default export'
  // The default export of a CommonJS module is `module.exports`.
  const handlers = module.handlers ?? module.default?.handlers ?? module.default
  const task = `load ${file}`
  if (typeof handlers !== 'function') return checkHandlers(handlers, task, expected)
  return (simulator) => {
    try {
      return checkHandlers(handlers(simulator), task, expected)
    } catch (error) {
      if (isUsageError(error)) throw error
      throw new UsageError(`Failed to ${task}: its function of handlers threw ${String(error)}.`)
    }
  }
}
