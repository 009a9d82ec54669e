import * as z from 'zod'
import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import type { Failure } from '../../http/failures.ts'
import { pathParameter } from '../../http/parameters.ts'
import { StreamedBody } from '../../http/responses.ts'
import type { RemoteReplayOptions } from '../../remote/scenarios.ts'
import type { ListedScenario, Scenario } from '../../scenarios/format/scenario.ts'
import { didYouMean } from '../../utils/did-you-mean.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import {
  type ControlContext,
  jsonBody,
  resourceNotFound,
  withGeneratedRows,
} from './control-endpoint.ts'
import { replayEvents } from './replay-events.ts'

/** What shall be replayed. */
export interface ReplayRequest extends Omit<RemoteReplayOptions, 'onStep'> {
  /** The name of a listed scenario, or a scenario */
  readonly scenario: string | Scenario
}

const replayRequestSchema: z.ZodType<ReplayRequest> = z.strictObject({
  scenario: z.union([z.string(), z.looseObject({})], {
    error: 'expected the name of a scenario, or a scenario',
  }),
  profile: z.string().exactOptional(),
  policies: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
}) as unknown as z.ZodType<ReplayRequest>

/** @throws UsageError for a name that none has */
async function resolveScenario(
  { scenario }: ReplayRequest,
  { scenarios, simulator, readFixture, loadGenerator }: ControlContext,
): Promise<Scenario> {
  const found = typeof scenario === 'string' ? await scenarios.read(scenario) : scenario
  const from = found?.world
  if (typeof from === 'string' && !simulator.sandboxes.hasSource(from)) {
    const world = await readFixture(from)
    if (world) simulator.sandboxes.addFixture(from, await withGeneratedRows(world, loadGenerator))
  }
  if (found) return found
  const names = (await scenarios.list()).map(({ name }) => name)
  const meant = didYouMean(String(scenario), names)
  throw unexpectedValue('replay', 'the name of a scenario', scenario, meant, 'scenario')
}

function scenarioNotFound(name: string): Failure {
  return resourceNotFound('name', `Scenario ${name}`, 'it never was, or its file is gone')
}

const listedScenarioSchema: z.ZodType<ListedScenario> = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  steps: z.int(),
  from: z.enum(['package', 'folder']),
  fault: z.string().nullable(),
})

/** One that cannot be replayed is there too, with its fault. */
export const listScenarios: Endpoint<ControlContext> = defineEndpoint({
  id: 'listScenarios',
  summary: 'List the scenarios that are at hand: those of the package, and of --scenarios.',

  method: 'GET',
  path: '/__admin/scenarios',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(listedScenarioSchema),
  errors: ['validation_error'],

  handle: (_input, { scenarios }) => scenarios.list(),
})

const scenarioSchema = z.looseObject({
  title: z.string(),
  steps: z.array(z.record(z.string(), z.unknown())),
}) as unknown as z.ZodType<Scenario>

export const retrieveScenario: Endpoint<ControlContext> = defineEndpoint({
  id: 'retrieveScenario',
  summary: 'Show a scenario whole, as it stands in its file.',

  method: 'GET',
  path: '/__admin/scenarios/:name',
  scope: 'operator',

  params: { name: pathParameter('The name of a scenario.') },
  status: 200,
  response: scenarioSchema,
  errors: ['not_found', 'validation_error'],

  async handle({ params: { name } }, { scenarios }) {
    const found = await scenarios.read(name)
    if (!found) throw scenarioNotFound(name)
    return found
  },
})

/** In a world of its own, which begins as the one that is asked where the scenario does not say. */
export const replayScenario: Endpoint<ControlContext> = defineEndpoint({
  id: 'replayScenario',
  summary:
    'Replay a scenario, and tell of each step by server-sent events; the world stays as it is.',

  method: 'POST',
  path: '/__admin/replays',
  scope: 'operator',

  params: {},
  body: jsonBody(replayRequestSchema),
  bodyLimit: 536_870_912,
  status: 200,
  mediaType: 'text/event-stream',
  response: z.string(),
  errors: bodyFailures,

  async handle({ body }, world) {
    const { scenario: _, ...options } = body
    const scenario = await resolveScenario(body, world)
    const events = await replayEvents((onStep) =>
      world.simulator.replay(scenario, { ...options, onStep }),
    )
    return new StreamedBody<string>('text/event-stream', events)
  },
})
