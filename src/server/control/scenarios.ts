import * as z from 'zod'
import { StreamedBody } from '../../http/messages.ts'
import { pathParameter } from '../../http/parameters.ts'
import type { RemoteReplayOptions } from '../../remote/scenarios.ts'
import { offerFixture } from '../../sandbox/sandboxes/offer-fixture.ts'
import type { ListedScenario, Scenario } from '../../scenarios/format/scenario.ts'
import { didYouMean, unexpectedValue } from '../../utils/usage-error.ts'
import {
  type ControlContext,
  type ControlEndpoints,
  controlEndpoints,
  get,
  post,
  resourceNotFound,
} from './control-endpoint.ts'
import { replayEvents } from './replay-events.ts'
import { jsonBody, rowsBodyLimit } from './request-body.ts'

/** A scenario to replay, and how. */
export interface ReplayRequest extends Omit<RemoteReplayOptions, 'onStep'> {
  /** The name of a listed scenario, or a scenario */
  readonly scenario: string | Scenario
}

const replayRequestSchema = z.strictObject({
  scenario: z.union([z.string(), z.looseObject({})], {
    error: 'expected the name of a scenario, or a scenario',
  }),
  profile: z.string().exactOptional(),
  policies: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
}) as unknown as z.ZodType<ReplayRequest>

const listedScenarioSchema: z.ZodType<ListedScenario> = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  steps: z.int(),
  from: z.enum(['package', 'folder']),
  issue: z.string().nullable(),
})

const scenarioSchema = z.looseObject({
  title: z.string(),
  steps: z.array(z.record(z.string(), z.unknown())),
}) as unknown as z.ZodType<Scenario>

export const scenarioEndpoints: ControlEndpoints = [
  ...controlEndpoints('/__admin/scenarios', {
    // An invalid scenario is listed too, with its error.
    listScenarios: get('', {
      summary: 'List the scenarios of the package and of the folder named by --scenarios.',
      response: z.array(listedScenarioSchema),
      errors: ['validation_error'],
      handle: (_input, _simulator, { scenarios }) => scenarios.list(),
    }),

    retrieveScenario: get('/:name', {
      summary: 'Read a scenario file.',
      params: { name: pathParameter('The name of a scenario.') },
      response: scenarioSchema,
      errors: ['not_found', 'validation_error'],
      async handle({ params: { name } }, _, { scenarios }) {
        const scenario = await scenarios.read(name)
        if (scenario) return scenario
        throw resourceNotFound('name', `Scenario ${name}`, 'it never existed, or was removed')
      },
    }),
  }),

  ...controlEndpoints('/__admin/replays', {
    replayScenario: post('', {
      summary: 'Replay a scenario in a copy of the world. Each step is a server-sent event.',
      body: jsonBody(replayRequestSchema),
      bodyLimit: rowsBodyLimit,
      mediaType: 'text/event-stream',
      response: z.string(),
      async handle({ body: { scenario: nameOrScenario, ...options } }, simulator, context) {
        const scenario = await resolveScenario(nameOrScenario, context)
        await offerFixture(simulator.sandboxes, scenario.world)
        const events = await replayEvents((onStep) =>
          simulator.replay(scenario, { ...options, onStep }),
        )
        return new StreamedBody('text/event-stream', events)
      },
    }),
  }),
]

/** @throws UsageError for an unknown name */
async function resolveScenario(
  scenario: string | Scenario,
  { scenarios }: ControlContext,
): Promise<Scenario> {
  if (typeof scenario !== 'string') return scenario
  const listed = await scenarios.read(scenario)
  if (listed) return listed
  const names = (await scenarios.list()).map(({ name }) => name)
  const meant = didYouMean(scenario, names)
  throw unexpectedValue('replay', 'the name of a scenario', scenario, meant, 'scenario')
}
