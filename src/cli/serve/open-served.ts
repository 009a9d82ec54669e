import { openReplay } from '../../replay.ts'
import type { SimulatorOptions } from '../../sandbox/simulator-options.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import { readScenario } from '../../scenarios/read-scenario.ts'
import type { ReplayMode, UnexpectedRequest } from '../../scenarios/replay-server/match-request.ts'
import type { Replay } from '../../scenarios/replay-server/replay.ts'
import { createSimulator, type Simulator } from '../../simulator.ts'
import { UsageError } from '../../utils/usage-error.ts'
import type { CommandContext } from '../command-context.ts'
import { inlineWorld } from '../inline-world.ts'
import { type SimulatorFlags, toSimulatorOptions } from '../simulator-from-flags.ts'

/** A simulator to serve. */
export interface ServedSource {
  readonly simulator: Simulator
  /** Null if the simulator has no recording */
  readonly recording: OpenedRecording | null
}

/** Opens the recording or the world that the flags name. @throws UsageError for an invalid file or combination of flags */
export async function openServed(
  flags: RecordingFlags,
  context: CommandContext,
  onUnexpected: (request: UnexpectedRequest) => void,
): Promise<ServedSource> {
  const recording = await openRecording(flags, context, onUnexpected)
  if (recording) return { recording, simulator: recording.replay.simulator }
  return { recording, simulator: createSimulator(await toSimulatorOptions(flags, context)) }
}

/** The flags of a recording. */
export interface RecordingFlags extends SimulatorFlags {
  readonly recording?: string
  readonly mode?: ReplayMode
  readonly state?: string
  readonly quiet?: boolean
}

/** A recording that a server responds from. */
export interface OpenedRecording {
  readonly file: string
  readonly scenario: Scenario
  readonly replay: Replay<Simulator>
  /** Opens another version of the recording. */
  readonly open: (scenario: Scenario) => Promise<Replay<Simulator>>
}

/**
 * Opens the recording that the flags name, with every response complete.
 *
 * @param onUnexpected called with each request that the recording does not have
 * @returns null if the flags name no recording
 */
async function openRecording(
  flags: RecordingFlags,
  context: CommandContext,
  onUnexpected: (request: UnexpectedRequest) => void,
): Promise<OpenedRecording | null> {
  const { recording: file, mode = 'strict' } = flags
  if (file === undefined) {
    if (flags.mode !== undefined) throw new UsageError('--mode requires --recording.')
    return null
  }
  checkRecordingFlags(flags, mode)
  const open = (scenario: Scenario): Promise<Replay<Simulator>> =>
    withFileName(file, async () => {
      const options = { ...(await optionsWithWorld(flags, scenario, context)), mode, onUnexpected }
      const replay = openReplay(await inlineWorld(scenario, scenario.seed), options)
      await replay.ready()
      return replay
    })
  const scenario = await readScenario(file)
  checkDataFlag(flags, scenario)
  return { file, scenario, replay: await open(scenario), open }
}

/** Describes the recorded requests that were not used; null if all were used. */
export function unusedRequestsMessage({ requests, unused }: Replay): string | null {
  if (unused.length === 0) return null
  const steps = unused.slice(0, 5).map(({ step, title }) => `step ${step}, ${title}`)
  const more = unused.length > 5 ? `; and ${unused.length - 5} more` : ''
  return `${unused.length} of ${requests.length} recorded requests not used: ${steps.join('; ')}${more}`
}

/** Reads the world of the flags only if the scenario names no world. */
function optionsWithWorld(
  flags: SimulatorFlags,
  { world }: Scenario,
  context: CommandContext,
): Promise<SimulatorOptions> {
  return toSimulatorOptions(world === undefined ? flags : { ...flags, data: 'default' }, context)
}

async function withFileName<T>(file: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${file}: ${error.message}`) : error
  }
}

/** @throws UsageError for flags that would have no effect */
function checkRecordingFlags({ state, fault }: RecordingFlags, mode: ReplayMode): void {
  if (state !== undefined) {
    throw new UsageError('--state and --recording cannot be used together.')
  }
  if (fault.length > 0 && mode !== 'fallback') {
    throw new UsageError(
      `--fault has no effect in ${mode} mode, which simulates nothing. Use --mode fallback, or add the fault to the recording as a step.`,
    )
  }
}

/** @throws UsageError if the recording has a world, so that --data would have no effect */
function checkDataFlag({ data }: SimulatorFlags, { world }: Pick<Scenario, 'world'>): void {
  if (world === undefined || data === 'default') return
  const name = typeof world === 'string' ? `world "${world}"` : 'its own world'
  throw new UsageError(`--data has no effect, because the recording starts with ${name}.`)
}
