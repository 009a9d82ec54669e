import * as z from 'zod'
import { Failure } from '../../http/failures.ts'
import { StreamedBody } from '../../http/messages.ts'
import { pathParameter } from '../../http/parameters.ts'
import { offerFixture } from '../../sandbox/sandboxes/offer-fixture.ts'
import type { Sandboxes } from '../../sandbox/sandboxes/sandboxes.ts'
import type { Scenario, ScenarioLibrary } from '../../scenarios/format/scenario.ts'
import type { ReplayResult, StepResult } from '../../scenarios/run/result.ts'
import { AsyncQueue, encodeText } from '../../utils/async-queue.ts'
import { maxTextLength } from '../../utils/json.ts'
import { typed } from '../../utils/schema-issues.ts'
import { didYouMean, listWords, type UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import { anyObject, createPause, found, jsonBody, operation } from './operation.ts'
import { overridesSchema, profileSchema } from './settings.ts'

const replayRequestSchema = z.strictObject({
  scenario: z.union([z.string(), typed<Scenario>(z.looseObject({}))], {
    error: 'expected the name of a scenario, or a scenario',
  }),
  world: z
    .string()
    .describe('The world of a scenario that names none: a fixture or a snapshot.')
    .exactOptional(),
  profile: profileSchema.exactOptional(),
  settings: overridesSchema.exactOptional(),
})

const replayInPlaceSchema = replayRequestSchema.extend({
  in_place: z
    .boolean()
    .describe(
      'Whether the steps run in this world instead of one of their own, without the setup and the faults of the scenario.',
    )
    .exactOptional(),
})

const listedScenarioSchema = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  steps: z.int(),
  from: z.enum(['package', 'folder']),
  issue: z.string().nullable(),
})

export const scenarioSchema = typed<Scenario>(
  z.looseObject({ title: z.string(), steps: z.array(anyObject) }),
)

/** The recording that a server replays to its clients. */
const recordedRequestSchema = z.object({
  step: z.int(),
  title: z.string(),
  method: z.string(),
  path: z.string(),
  count: z.int(),
})

const replayInfoSchema = z
  .object({
    title: z.string(),
    requests: z.array(recordedRequestSchema),
    unused: z.array(recordedRequestSchema),
    unexpected: z.array(
      z.object({
        method: z.string(),
        path: z.string(),
        nearest: z
          .object({ step: z.int(), title: z.string(), differences: z.array(z.string()) })
          .nullable(),
      }),
    ),
  })
  .nullable()

export const scenarioOperations = {
  readReplay: operation('GET', '/__admin/replay', {
    summary:
      'Read the progress of the recording: requests received, not received and unexpected. Null without a recording.',
    response: replayInfoSchema,
    handle(_, { replaying }) {
      if (!replaying) return null
      const { title, requests, unused, unexpected } = replaying
      return { title, requests, unused, unexpected }
    },
  }),

  rewindReplay: operation('POST', '/__admin/replay/rewind', {
    summary: 'Rewind the recording to its first request, and its world to the start.',
    errors: ['not_found'],
    handle(_, { replaying }) {
      if (!replaying) throw new Failure('not_found', 'Replay not found: no recording is replayed.')
      replaying.rewind()
    },
  }),

  // An invalid scenario is listed too, with its error.
  listScenarios: operation('GET', '/__admin/scenarios', {
    summary: 'List the scenarios of the package and of the folder named by --scenarios.',
    response: z.array(listedScenarioSchema),
    errors: ['validation_error'],
    handle: (_input, _simulator, { scenarios }) => scenarios.list(),
  }),

  retrieveScenario: operation('GET', '/__admin/scenarios/:name', {
    summary: 'Read a scenario file.',
    params: { name: pathParameter('The name of a scenario.') },
    response: scenarioSchema,
    errors: ['not_found', 'validation_error'],
    async handle({ params: { name } }, _, { scenarios }) {
      const scenario = await scenarios.read(name)
      const names = scenario ? [] : await listNames(scenarios)
      const reason = 'it never existed, or was removed'
      return found(scenario, { name }, `Scenario ${name}`, reason, () => names)
    },
  }),

  replayScenario: operation('POST', '/__admin/replays', {
    summary: 'Replay a scenario in a world of its own. Each step is a server-sent event.',
    body: jsonBody(replayInPlaceSchema),
    bodyLimit: maxTextLength,
    mediaType: 'text/event-stream',
    response: z.string(),
    async handle({ body: { scenario: nameOrScenario, ...options } }, simulator, { scenarios }) {
      const scenario = await resolveScenario(nameOrScenario, scenarios)
      await offerWorlds(simulator.sandboxes, scenario.world, options.world)
      const events = await replayEvents((onStep) =>
        simulator.replay(scenario, { ...options, onStep }),
      )
      return new StreamedBody('text/event-stream', events)
    },
  }),
}

/** @throws UsageError for an unknown name, also if the scenario names another world */
async function offerWorlds(
  sandboxes: Sandboxes<unknown>,
  own: Scenario['world'],
  world: string | undefined,
): Promise<void> {
  await offerFixture(sandboxes, own)
  await offerFixture(sandboxes, world)
  if (world === undefined || sandboxes.hasSource(world)) return
  try {
    sandboxes.loadSource(world)
  } catch (error) {
    throw Object.assign(error as UsageError, { field: 'world' })
  }
}

async function resolveScenario(
  scenario: string | Scenario,
  scenarios: ScenarioLibrary,
): Promise<Scenario> {
  if (typeof scenario !== 'string') return scenario
  const listed = await scenarios.read(scenario)
  if (listed) return listed
  const names = await listNames(scenarios)
  const meant = didYouMean(scenario, names)
  const expected = `the name of a scenario${meant === undefined ? `, one of ${listWords(names)}` : ''}`
  throw unexpectedValue('replay', expected, scenario, meant, 'scenario')
}

async function listNames(scenarios: ScenarioLibrary): Promise<string[]> {
  return (await scenarios.list()).map(({ name }) => name)
}

/**
 * Converts a replay to server-sent events: `step` after each step, then `result`, or `error` if an error ends the
 * replay. If the client disconnects, the replay ends after the current step.
 *
 * @param replay runs a scenario, until `onStep` throws
 * @throws the error of `replay`, if it occurs before the first step
 */
async function replayEvents(
  replay: (onStep: (step: StepResult) => Promise<void>) => Promise<ReplayResult>,
): Promise<AsyncIterable<Uint8Array>> {
  const events: Uint8Array[] = []
  let [isComplete, isClosed] = [false, false]
  const queue = new AsyncQueue({
    read: () => events.shift() ?? (isComplete ? 'end' : null),
    close() {
      isClosed = true
    },
  })
  const send = (event: 'step' | 'result' | 'error', data: unknown): void => {
    isComplete = event !== 'step'
    events.push(encodeText(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    queue.notify()
  }
  const pause = createPause()
  await new Promise<void>((resolve, reject) => {
    const onStep = async (step: StepResult): Promise<void> => {
      send('step', step)
      resolve()
      await pause()
      if (isClosed) throw new Error('The client disconnected.')
    }
    replay(onStep).then(
      (result) => {
        send('result', result)
        resolve()
      },
      (error: Error) => {
        send('error', { message: error.message })
        // After a step the response has begun. The promise is resolved then, and the client reads the event.
        reject(error)
      },
    )
  })
  return { [Symbol.asyncIterator]: () => queue }
}
