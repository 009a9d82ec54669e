import { basename, resolve } from 'node:path'
import type { Scenario } from '../scenarios/format/scenario.ts'
import type { KeyValues } from '../scenarios/run/sender.ts'
import { type ListenOptions, pickListenOptions } from '../server/listen.ts'
import type { SettingOverrides } from '../settings/resolve.ts'
import type { JournalLimits } from '../simulator/journal/journal.ts'
import type { SimulatorOptions } from '../simulator/options.ts'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import type { RunService } from '../sweep/swept-run.ts'
import {
  countIssues,
  didYouMean,
  issuesError,
  isUsageError,
  UsageError,
  unknownWord,
} from '../utils/errors.ts'
import { unreadableFileError } from '../utils/files.ts'
import { Input, nameOfFile } from '../utils/input.ts'
import { packageFile } from '../utils/package-file.ts'
import { generateHint, isBuiltInWorld } from '../world/load/load-world.ts'
import {
  fixtureNames,
  readWorld,
  unreadableWorldError,
  worldOfFile,
} from '../world/load/read-world.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { FlagValues } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { flagsOf, type SimulatorFlags } from './flags.ts'
import { loadHandlers } from './handlers-module.ts'

/**
 * Creates the simulator that the flags describe.
 *
 * @throws UsageError that names an invalid world file
 */
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

/**
 * Runs a function that reads and checks a file.
 *
 * @throws UsageError that names an invalid file, with every issue
 */
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
    const hint = kind === 'world' ? generateHint(details, name) : ''
    const heading = `${name} is not a valid ${kind}: ${countIssues(details)}${hint && `.${hint}`}`
    throw issuesError(heading, details)
  }
}

/** The values of `--settings` and of `--set`, which overrides them. */
export function settingsFromFlags({
  settings,
  set,
}: Pick<SimulatorFlags, 'settings' | 'set'>): SettingOverrides {
  return { ...settings?.settings, ...set }
}

/** The service that they name, for the simulators of a command. */
export function serviceFromFlags(
  flags: Pick<SimulatorFlags, 'profile' | 'settings' | 'set'>,
): RunService {
  return { profile: flags.profile, settings: settingsFromFlags(flags) }
}

/** Converts flags to the options of a simulator. @throws UsageError for a world that cannot be read */
async function toSimulatorOptions(
  flags: SimulatorFlags,
  context: CommandContext,
): Promise<SimulatorOptions> {
  const { seed, profile, clock, redact } = flags
  const settings = settingsFromFlags(flags)
  // Built-in worlds are not read from a file.
  const world = isBuiltInWorld(flags.world)
    ? flags.world
    : await readNamedWorld(flags.world, context, seed)
  return {
    ...{ world, profile, settings, clock, journal: { redact } },
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
  toError?: (file: string, error: unknown) => unknown,
): Promise<Input> {
  const { listScenarioNames } = await import('../scenarios/library.ts')
  const names = await listScenarioNames(packageFile('scenarios'))
  if (!names.includes(fileOrName))
    return context.read(
      fileOrName,
      toError ?? ((file, error) => unreadableScenarioError(file, error, names)),
    )
  const { bytes } = await context.read(packageFile(`scenarios/${fileOrName}.json`))
  return new Input(fileOrName, bytes, false)
}

export const serveFlags = flagsOf('serve')

export type ServeFlags = FlagValues<typeof serveFlags>

interface ServedSource {
  readonly simulator: Simulator
  /** The title of the scenario whose world and faults it has. Null without one */
  readonly scenario: string | null
}

/** Opens the world that the flags name, or that of a scenario, with the faults that its requests met. @throws UsageError */
export async function openServed(
  flags: ServeFlags,
  context: CommandContext,
): Promise<ServedSource> {
  const { scenario: name, world, key } = flags
  if (name === undefined) {
    if (key) throw new UsageError('--key requires --scenario.')
    return { simulator: await openFromFlags(flags, context), scenario: null }
  }
  const { scenarioOfFile } = await import('../scenarios/library.ts')
  const { standInFor } = await import('../import/stand-in.ts')
  const input = await readScenarioInput(name, context)
  const scenario = await scenarioOfFile(input.json(), input.name, { inlineWorld: true })
  if (scenario.world !== undefined && world !== 'default')
    throw new UsageError('--world has no effect, because the scenario has its own world.')
  const options = await toSimulatorOptions(
    scenario.world === undefined ? flags : { ...flags, world: 'default' },
    context,
  )
  const simulator = await standInFor(withKeyValues(scenario, key), options)
  return { simulator, scenario: scenario.title }
}

/** Gives keys of a scenario the values that its recording hides. @throws UsageError for a label that it lacks */
function withKeyValues(scenario: Scenario, { key, keys = {} }: KeyValues = {}): Scenario {
  const { world } = scenario
  const known = typeof world === 'object' ? (world.keys ?? []) : []
  const labels = known.map(({ label, value = '' }) => label ?? value)
  for (const label of key === undefined ? Object.keys(keys) : [key])
    if (!labels.includes(label)) throw unknownWord('read --key', labels, label)
  const valued = known.map((row, at) => ({ ...row, value: keys[labels[at] ?? ''] ?? row.value }))
  return typeof world === 'object' ? { ...scenario, world: { ...world, keys: valued } } : scenario
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

/**
 * Converts flags to the options of a server.
 *
 * @throws UsageError for a file that cannot be read
 */
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
  const meant = didYouMean(file, names)
  const cure =
    meant === undefined
      ? 'npx understudy-api serve shows their names in its dashboard.'
      : `Did you mean ${meant}?`
  return new UsageError(
    `Scenario ${file} not found: neither a scenario of the package nor a file (looked in ${resolve(file)}). ${cure}`,
  )
}
