import type { Scenario } from '../../scenarios/format/scenario.ts'
import type { Replay } from '../../scenarios/replay-server/replay.ts'
import type { ReplayMode, UnexpectedRequest } from '../../scenarios/replay-server/replay-options.ts'
import type { Simulator } from '../../simulator.ts'
import { escapeControls } from '../../utils/escape.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../../world/load/read-world.ts'
import type { FlagValues } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { flagsOf } from '../flags.ts'
import { openSimulator, toSimulatorOptions, withProgress } from '../from-flags.ts'

export const serveFlags = flagsOf('serve')

export type ServeFlags = FlagValues<typeof serveFlags>

export interface ServedSource {
  readonly simulator: Simulator
  /** Null if the simulator has no recording */
  readonly recording: OpenedRecording | null
}

export interface OpenedRecording {
  readonly file: string
  readonly scenario: Scenario
  readonly replay: Replay<Simulator>
  readonly open: (scenario: Scenario) => Promise<Replay<Simulator>>
}

/** Opens the recording, with every response complete, or the world that the flags name. @throws UsageError */
export async function openServed(
  flags: ServeFlags,
  context: CommandContext,
  onUnexpected: (request: UnexpectedRequest) => void,
): Promise<ServedSource> {
  const { recording: file, mode = 'strict' } = flags
  if (file === undefined) {
    if (flags.mode !== undefined) throw new UsageError('--mode requires --recording.')
    return { simulator: await openSimulator(flags, context), recording: null }
  }
  const { readScenario } = await import('../../scenarios/library.ts')
  const { openReplay } = await import('../../replay.ts')
  const scenario = await readScenario(file)
  checkFlags(flags, mode, scenario)
  const open: OpenedRecording['open'] = async (version) => {
    // The world of the flags is read only if the scenario names no world.
    const { world, seed } = version
    const flagsOfVersion = world === undefined ? flags : { ...flags, data: 'default' }
    const options = await withProgress(context, (progress) =>
      toSimulatorOptions(flagsOfVersion, progress),
    )
    try {
      const replay = openReplay(await inlineWorld(version, seed), {
        ...options,
        mode,
        onUnexpected,
      })
      await replay.ready()
      return replay
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(`${file}: ${error.message}`) : error
    }
  }
  const replay = await open(scenario)
  return { simulator: replay.simulator, recording: { file, scenario, replay, open } }
}

/** @throws UsageError for flags that would have no effect with a recording */
function checkFlags({ state, fault, data }: ServeFlags, mode: ReplayMode, scenario: Scenario) {
  const { world } = scenario
  if (state !== undefined) {
    throw new UsageError('--state and --recording cannot be used together.')
  }
  if (fault.length > 0 && mode !== 'fallback') {
    throw new UsageError(
      `--fault has no effect in ${mode} mode, which simulates nothing. Use --mode fallback, or add the fault to the recording as a step.`,
    )
  }
  if (world === undefined || data === 'default') return
  const name = typeof world === 'string' ? `world "${world}"` : 'its own world'
  throw new UsageError(`--data has no effect, because the recording starts with ${name}.`)
}

/** Replaces the name of a fixture in a scenario by the world of the fixture. @param seed for its generated rows */
export async function inlineWorld(scenario: Scenario, seed?: number): Promise<Scenario> {
  const { world } = scenario
  if (typeof world !== 'string' || !fixtureNames.includes(world)) return scenario
  return { ...scenario, world: await readWorld(world, seed) }
}

/** Describes the recorded requests that were not used; null if all were used. */
export function unusedRequestsMessage({ requests, unused }: Replay): string | null {
  if (unused.length === 0) return null
  const steps = unused
    .slice(0, 5)
    .map(({ step, title }) => `step ${step}, ${escapeControls(title)}`)
  const more = unused.length > 5 ? `; and ${unused.length - 5} more` : ''
  return `${unused.length} of ${requests.length} recorded requests not used: ${steps.join('; ')}${more}`
}
