import * as z from 'zod'
import { verifyTest } from '../import/rehearse.ts'
import { openRecording, type TestPhase } from '../import/stand-in.ts'
import type { ScenarioLibrary, ScenarioSource } from '../scenarios/format/scenario.ts'
import type { Profile } from '../settings/profiles.ts'
import type { SettingOverrides } from '../settings/resolve.ts'
import { offerFixture } from '../simulator/sandboxes/offer-fixture.ts'
import { unknownWord } from '../utils/errors.ts'
import { found, operation, unchecked } from './operation.ts'

const scenarioSchema = z.union([z.string(), unchecked<ScenarioSource>()], {
  error: 'expected the name of a scenario, or a scenario',
})

const runSchema = z.strictObject({
  scenario: scenarioSchema,
  /** The world of a scenario that names none: a fixture. By default the current rows. */
  world: z.string().exactOptional(),
  /** Replaces the profile of the scenario. */
  profile: z.custom<Profile>().exactOptional(),
  /** Overrides settings of the scenario. */
  settings: z.custom<SettingOverrides>().exactOptional(),
  /** Whether the steps run in this world, without the setup and the faults of the scenario. False by default. */
  in_place: z.boolean().exactOptional(),
})

/** A scenario, or the name of a listed one, and how it runs. */
export interface RunRequest extends z.infer<typeof runSchema> {}

const recordingSchema = z.strictObject({
  scenario: scenarioSchema,
  /**
   * Adds the faults of the scenario's test in place of those of its steps: `after-commit` for those with a failed create
   * carried out.
   */
  phase: z.enum(['recorded', 'after-commit'] satisfies TestPhase[]).exactOptional(),
})

/** A recording, or the name of a listed one, and which faults its clients meet. */
export interface RecordingRequest extends z.infer<typeof recordingSchema> {}

/** Scenarios: their files, their runs, and the recording whose world a server has. */
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
    'Run a scenario, or a listed one by its name, in its own world.',
    runSchema,
    async ({ simulator, scenarios, body: { scenario: named, ...options } }) => {
      const scenario = await resolveScenario(named, scenarios)
      const { sandboxes } = simulator
      await offerFixture(sandboxes, scenario.world)
      await offerFixture(sandboxes, options.world)
      const { world } = options
      // The scenario may name another world.
      if (world !== undefined) sandboxes.loadSource(world)
      return simulator.run(scenario, options)
    },
  ),

  'PUT /recording': operation(
    'Open a recording: this world gets its rows, settings and clock, and the faults that its client met. A reset returns to them. Returns the key of that client.',
    recordingSchema,
    async ({ simulator, scenarios, body: { scenario: named, phase } }) => {
      const scenario = await resolveScenario(named, scenarios)
      await offerFixture(simulator.sandboxes, scenario.world)
      return openRecording(simulator, scenario, phase)
    },
  ),

  'POST /recording/verify': operation(
    'Verify that the requests to this world are as the test of a scenario expects. A failed verification is a result.',
    recordingSchema,
    async ({ simulator, scenarios, body: { scenario } }) =>
      verifyTest(simulator, await resolveScenario(scenario, scenarios)),
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
