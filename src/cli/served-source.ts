import type { Simulator } from '../simulator/simulator.ts'
import { UsageError } from '../utils/errors.ts'
import type { FlagValues } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { flagsOf } from './flags.ts'
import { openFromFlags, readScenarioInput, toSimulatorOptions } from './from-flags.ts'

export const serveFlags = flagsOf('serve')

export type ServeFlags = FlagValues<typeof serveFlags>

export interface ServedSource {
  readonly simulator: Simulator
  /** The title of the scenario whose world and faults it has. Null without one */
  readonly scenario: string | null
}

/** Opens the world that the flags name, or that of a scenario, with the faults that its requests met. @throws UsageError */
export async function openServed(
  flags: ServeFlags,
  context: CommandContext,
): Promise<ServedSource> {
  const { scenario: name, world } = flags
  if (name === undefined) return { simulator: await openFromFlags(flags, context), scenario: null }
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
  return { simulator: await standInFor(scenario, options), scenario: scenario.title }
}
