import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkHandlers } from '../adapters/user-handlers.ts'
import { type ListenOptions, pickListenOptions } from '../server/listen.ts'
import type { JournalLimits } from '../simulator/journal/journal.ts'
import type { SimulatorOptions } from '../simulator/options.ts'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import type { RunService } from '../sweep/swept-run.ts'
import {
  countIssues,
  issuesError,
  isUsageError,
  suggestWord,
  UsageError,
  unexpectedValue,
} from '../utils/errors.ts'
import { statsOf, unreadableFileError } from '../utils/files.ts'
import { Input, isStdin, nameOfFile } from '../utils/input.ts'
import { packageFile } from '../utils/package-file.ts'
import { generateHint, isBuiltInWorld } from '../world/load/load-world.ts'
import {
  fixtureNames,
  readWorld,
  unreadableWorldError,
  worldOfFile,
} from '../world/load/read-world.ts'
import { findFullAccess } from '../world/rows.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { CommandContext } from './command-context.ts'
import type { SimulatorFlags } from './flags.ts'

/** @throws UsageError that names an invalid world file */
export function openFromFlags(
  flags: SimulatorFlags,
  context: CommandContext,
  journal: JournalLimits = {},
): Promise<Simulator> {
  return namingFile('world', flags.world, async () => {
    const options = await toSimulatorOptions(flags, context)
    return createSimulator({ ...options, journal: { ...options.journal, ...journal } })
  })
}

/** @throws UsageError that names an invalid file, with up to 100 issues */
export async function namingFile<T>(
  kind: 'world' | 'scenario',
  file: string,
  run: () => T | Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!isUsageError(error) || error.details.length === 0) throw error
    const { details } = error
    const name = nameOfFile(file)
    const hint = kind === 'world' ? generateHint(details, `Add "generate": {} to ${name}`) : ''
    const heading = `${name} is not a valid ${kind}: ${countIssues(details)}${hint && `.${hint}`}`
    throw issuesError(heading, details)
  }
}

/** The service that flags name. `--set` overrides `--settings`. */
export function serviceFromFlags({
  profile,
  settings,
  set,
}: Pick<SimulatorFlags, 'profile' | 'settings' | 'set'>): RunService {
  return { profile, settings: { ...settings?.settings, ...set } }
}

/** @throws UsageError for a world that cannot be read */
export async function toSimulatorOptions(
  flags: SimulatorFlags,
  context: CommandContext,
): Promise<SimulatorOptions> {
  const { seed, clock, redact } = flags
  // Built-in worlds are not read from a file.
  const world = isBuiltInWorld(flags.world)
    ? flags.world
    : await readNamedWorld(flags.world, context, seed)
  return {
    ...{ ...serviceFromFlags(flags), world, clock, journal: { redact } },
    ...(seed !== undefined && { seed }),
  }
}

/**
 * Reads a scenario of the package by its name, or a file, even a pipe.
 *
 * @param toError what a reason of Node becomes. By default that of a scenario
 * @throws UsageError
 */
export async function readScenarioInput(
  fileOrName: string,
  context: CommandContext,
  toError = unreadableScenarioError,
): Promise<Input> {
  const { listScenarioNames } = await import('../scenarios/library.ts')
  const names = await listScenarioNames(packageFile('scenarios'))
  if (!names.includes(fileOrName))
    return context.read(fileOrName, (file, error) => toError(file, error, names))
  const { bytes } = await context.read(packageFile(`scenarios/${fileOrName}.json`))
  return new Input(fileOrName, bytes, false)
}

/** Reads the world that a fixture or a file names, even a pipe. @throws UsageError */
export async function readNamedWorld(
  fileOrName: string,
  context: CommandContext,
  seed?: number,
): Promise<WorldJson> {
  if (fixtureNames.includes(fileOrName)) return readWorld(fileOrName, seed)
  const input = await context.read(fileOrName, unreadableWorldError)
  return worldOfFile(input.json(), input.name, seed)
}

/** @throws UsageError for a file that cannot be read */
export async function toListenOptions(flags: {
  readonly world: string
  readonly state?: string
  readonly scenario?: string
  readonly handlers?: string
}): Promise<ListenOptions> {
  const { handlers: file, ...rest } = flags
  return {
    ...pickListenOptions(rest),
    // Without the folder, because health is open to anyone.
    world: basename(nameOfFile(flags.state ?? flags.scenario ?? flags.world)),
    ...(file !== undefined && { handlers: await loadHandlers(file) }),
  }
}

/** @param names those of the scenarios that need no file @param error an exception of `node:fs`, or an error of the user */
function unreadableScenarioError(file: string, error: unknown, names: readonly string[]): unknown {
  const missing = unreadableFileError(file, error)
  if ((error as { code?: string }).code !== 'ENOENT' || /[./\\]/.test(file)) return missing
  const cure =
    suggestWord(file, names) || ' Those are listed in scenarios/README.md of the package.'
  return new UsageError(
    `Scenario ${file} not found: neither a scenario of the package nor a file (looked in ${resolve(file)}).${cure}`,
  )
}

/**
 * Loads the MSW handlers of a module: its export `handlers`, or its default export. A function gets the simulator when the
 * server starts.
 *
 * @throws UsageError
 */
async function loadHandlers(file: string): Promise<NonNullable<ListenOptions['handlers']>> {
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

/** Says which key is used, if settings make it another one than the first with full access, else null. @param subject names it */
export function describeUsualKey({ keys, defaults }: Simulator, subject: string): string | null {
  const rows = keys.list()
  const first = findFullAccess(rows, {})
  const row = rows.find(({ value }) => value === defaults.key)
  if (!first || !row || row.value === first.value) return null
  return `${subject} is the key labelled ${row.label}: eight operations on plugins refuse keys with scopes, such as ${first.label} (setting plugins.other.scope).`
}
