import * as z from 'zod'
import type { ScenarioLibrary, ScenarioSource } from '../scenarios/format/scenario.ts'
import type { SimulatorRunOptions } from '../scenarios/run/options.ts'
import type { Profile } from '../settings/profiles.ts'
import type { SettingOverrides } from '../settings/resolve.ts'
import { offerFixture } from '../simulator/sandboxes/offer-fixture.ts'
import { unknownWord, withFieldPrefix } from '../utils/errors.ts'
import { found, operation } from './operation.ts'

/** A scenario, or the name of a listed one, and how it runs. */
export interface RunRequest {
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

const runSchema = z.strictObject({
  scenario: z.union([z.string(), z.looseObject({})], {
    error: 'expected the name of a scenario, or a scenario',
  }),
  world: z.string().exactOptional(),
  profile: z.unknown().optional(),
  settings: z.unknown().optional(),
  in_place: z.boolean().exactOptional(),
}) as z.ZodType<unknown> as z.ZodType<RunRequest>

/** Scenarios, and the recording that a server plays back to its clients. */
export const scenarioOperations = {
  'GET /scenarios': operation(
    'List the scenarios of the package and of the folder named by --scenarios. An invalid one is listed with its error.',
    ({ scenarios }) => scenarios.list(),
  ),

  'GET /scenarios/:name': operation(
    'Read a scenario file.',
    async ({ scenarios }, name: string) => {
      const scenario = await scenarios.read(name)
      const names = scenario ? [] : await scenarios.names()
      return found(scenario, 'name', `Scenario ${name}`, name, () => names)
    },
  ),

  'POST /runs': operation(
    'Run a scenario, or a listed one by its name, in a world of its own.',
    runSchema,
    async ({ simulator, scenarios, body: { scenario: named, ...options } }) => {
      const scenario = await resolveScenario(named, scenarios)
      const { sandboxes } = simulator
      await offerFixture(sandboxes, scenario.world)
      await offerFixture(sandboxes, options.world)
      const { world } = options
      // The scenario may name another world.
      if (world !== undefined) withFieldPrefix('world', () => sandboxes.loadSource(world))
      return simulator.run(scenario, options as SimulatorRunOptions)
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
  throw unknownWord('run', await scenarios.names(), scenario, 'scenario')
}
