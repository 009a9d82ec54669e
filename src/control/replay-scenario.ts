import * as z from 'zod'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { Streamed } from '../http/streamed.ts'
import { bodyOf } from './body.ts'
import { replayEvents } from './replay-events.ts'
import { replayRequest, scenarioOf } from './replay-request.ts'
import type { World } from './world.ts'

/** In a world of its own, which begins as the one that is asked where the scenario does not say. */
export const replayScenario: Endpoint<World> = endpoint({
  id: 'replayScenario',
  summary:
    'Replay a scenario, and tell of each step by server-sent events; the world stays as it is.',

  method: 'POST',
  path: '/__admin/replays',
  scope: 'operator',

  params: {},
  body: bodyOf(replayRequest),
  bodyLimit: 536_870_912,
  status: 200,
  mediaType: 'text/event-stream',
  response: z.string(),
  errors: bodyErrors,

  async handle({ body }, world) {
    const { scenario: _, ...options } = body
    const scenario = await scenarioOf(body, world)
    const events = await replayEvents((onStep) =>
      world.simulator.replay(scenario, { ...options, onStep }),
    )
    return new Streamed<string>('text/event-stream', events)
  },
})
