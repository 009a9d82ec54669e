import * as z from 'zod'
import type { SimulatorReplayOptions } from '../explain/replay-in-simulator.ts'
import { Failure } from '../http/failures.ts'
import type { ScenarioLibrary, ScenarioSource } from '../scenarios/format/scenario.ts'
import type { Profile, SettingOverrides } from '../settings/resolve.ts'
import { offerFixture } from '../simulator/sandboxes/offer-fixture.ts'
import { unknownWord, withFieldPrefix } from '../utils/errors.ts'
import { found, row } from './row.ts'

/** A scenario, or the name of a listed one, and how it runs. */
export interface ReplayRequest {
  readonly scenario: string | ScenarioSource
  /** The world of a scenario that names none: a fixture or a snapshot. By default the current rows. */
  readonly world?: string
  /** Replaces the profile of the scenario. */
  readonly profile?: Profile
  /** Overrides settings of the scenario. */
  readonly settings?: SettingOverrides
  /** Whether the steps run in this world, without the setup and the faults of the scenario. False by default. */
  readonly in_place?: boolean
}

const replaySchema = z.strictObject({
  scenario: z.union([z.string(), z.looseObject({})], {
    error: 'expected the name of a scenario, or a scenario',
  }),
  world: z.string().exactOptional(),
  profile: z.unknown().optional(),
  settings: z.unknown().optional(),
  in_place: z.boolean().exactOptional(),
}) as z.ZodType<unknown> as z.ZodType<ReplayRequest>

/** Scenarios, and the recording that a server replays to its clients. */
export const scenarioRows = {
  'GET /scenarios': row(
    'List the scenarios of the package and of the folder named by --scenarios. An invalid one is listed with its error.',
    ({ scenarios }) => scenarios.list(),
  ),

  'GET /scenarios/:name': row('Read a scenario file.', async ({ scenarios }, name: string) => {
    const scenario = await scenarios.read(name)
    const names = scenario ? [] : await scenarios.names()
    return found(scenario, 'name', `Scenario ${name}`, name, () => names)
  }),

  'POST /replays': row(
    'Replay a scenario, or a listed one by its name, in a world of its own.',
    replaySchema,
    async ({ simulator, scenarios, body: { scenario: named, ...options } }) => {
      const scenario = await resolveScenario(named, scenarios)
      const { sandboxes } = simulator
      await offerFixture(sandboxes, scenario.world)
      await offerFixture(sandboxes, options.world)
      const { world } = options
      // The scenario may name another world.
      if (world !== undefined) withFieldPrefix('world', () => sandboxes.loadSource(world))
      return simulator.replay(scenario, options as SimulatorReplayOptions)
    },
  ),

  'GET /replay': row(
    'Read the progress of the recording: requests received, not received and unexpected. Null without a recording.',
    ({ replay }) => {
      if (!replay) return null
      const { title, requests, unused, unexpected } = replay
      return { title, requests, unused, unexpected }
    },
  ),

  'POST /replay/rewind': row(
    'Rewind the recording to its first request, and its world to the start.',
    ({ replay }) => {
      if (!replay) throw new Failure('not_found', 'Replay not found: no recording is replayed.')
      replay.rewind()
    },
  ),
}

async function resolveScenario(
  scenario: string | ScenarioSource,
  scenarios: ScenarioLibrary,
): Promise<ScenarioSource> {
  if (typeof scenario !== 'string') return scenario
  const listed = await scenarios.read(scenario)
  if (listed) return listed
  throw unknownWord('replay', await scenarios.names(), scenario, 'scenario')
}
