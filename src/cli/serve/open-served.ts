import { openReplay } from '../../replay.ts'
import type { SimulatorOptions } from '../../sandbox/simulator-options.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import { readScenario } from '../../scenarios/read-scenario.ts'
import type { ReplayMode, UnexpectedRequest } from '../../scenarios/replay-server/match-request.ts'
import type { Replay } from '../../scenarios/replay-server/replay.ts'
import { createSimulator, type Simulator } from '../../simulator.ts'
import { UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../../world/load/read-world.ts'
import type { CommandContext } from '../command-context.ts'
import { type SimulatorFlags, toSimulatorOptions } from '../simulator-from-flags.ts'

/** What is served. */
export interface ServedSource {
  readonly simulator: Simulator
  readonly recording: OpenedRecording | null
}

/** A recording, or else a world, as the flags want it. @throws UsageError for what cannot be begun with */
export async function openServed(
  flags: RecordingFlags,
  context: CommandContext,
  onUnexpected: (request: UnexpectedRequest) => void,
): Promise<ServedSource> {
  const recording = await openRecording(flags, context, onUnexpected)
  if (recording) return { recording, simulator: recording.replay.simulator }
  return { recording, simulator: createSimulator(await toSimulatorOptions(flags, context)) }
}

/** The flags by which a recording is replayed. */
export interface RecordingFlags extends SimulatorFlags {
  readonly recording?: string
  readonly mode?: ReplayMode
  readonly state?: string
  readonly quiet?: boolean
}

/** A recording that answers, and how other versions of it are opened. */
export interface OpenedRecording {
  readonly file: string
  readonly scenario: Scenario
  readonly replay: Replay<Simulator>
  readonly open: (scenario: Scenario) => Promise<Replay<Simulator>>
}

/**
 * The recording that the flags want, with every answer whole; null where they want none.
 *
 * @param onUnexpected told of each request that it has not
 * @throws UsageError for a file with faults, and for flags that do not go together
 */
async function openRecording(
  flags: RecordingFlags,
  context: CommandContext,
  onUnexpected: (request: UnexpectedRequest) => void,
): Promise<OpenedRecording | null> {
  const { recording: file, mode = 'strict', state, fault } = flags
  if (file === undefined) {
    if (flags.mode !== undefined)
      throw unexpectedValue('read --mode', 'it beside --recording', mode)
    return null
  }
  if (state !== undefined) throw unexpectedValue('read --state', 'none beside --recording', state)
  if (fault.length > 0 && mode !== 'fallback') {
    const expected = `none in the mode ${mode}, in which nothing is simulated (--mode fallback, or a step of the file)`
    throw unexpectedValue('read --fault', expected, fault[0])
  }
  const open = (scenario: Scenario): Promise<Replay<Simulator>> =>
    withFileName(file, async () => {
      const options = { ...(await optionsWithWorld(flags, scenario, context)), mode, onUnexpected }
      const replay = openReplay(await withFixtureWorld(scenario), options)
      await replay.ready()
      return replay
    })
  const scenario = await readScenario(file)
  checkDataFlag(flags, scenario)
  return { file, scenario, replay: await open(scenario), open }
}

/** What of a recording was never asked, as one line; null where all of it was. */
export function unusedRequestsMessage({ requests, unused }: Replay): string | null {
  if (unused.length === 0) return null
  const steps = unused.slice(0, 5).map(({ step, title }) => `step ${step}, ${title}`)
  const more = unused.length > 5 ? `; and ${unused.length - 5} more` : ''
  return `${unused.length} of ${requests.length} recorded requests were not asked: ${steps.join('; ')}${more}`
}

/** The world of the flags is read only where the scenario names none. */
function optionsWithWorld(
  flags: SimulatorFlags,
  { world }: Scenario,
  context: CommandContext,
): Promise<SimulatorOptions> {
  return world === undefined
    ? toSimulatorOptions(flags, context)
    : toSimulatorOptions({ ...flags, data: 'default' }, context)
}

/** Fixtures that are files are read when a scenario begins with them. */
async function withFixtureWorld(scenario: Scenario): Promise<Scenario> {
  const { world, seed } = scenario
  if (typeof world !== 'string' || !fixtureNames.includes(world)) return scenario
  return { ...scenario, world: await readWorld(world, seed) }
}

async function withFileName<T>(file: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${file}: ${error.message}`) : error
  }
}

/**
 * Checks that no flag says how a world begins where a recording has decided that: it would have no effect.
 *
 * @throws UsageError that names the flag
 */
function checkDataFlag(flags: SimulatorFlags, { world }: Pick<Scenario, 'world'>): void {
  if (world === undefined || flags.data === 'default') return
  const own = typeof world === 'string' ? `the world ${world}` : 'a world of its own'
  throw unexpectedValue(
    'read --data',
    `none beside a recording that begins with ${own}`,
    flags.data,
  )
}
