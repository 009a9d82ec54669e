import * as z from 'zod'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { StreamedBody } from '../http/streamed.ts'
import { jsonBody } from './body.ts'
import { replayEvents } from './replay-events.ts'
import { replayRequestSchema, resolveScenario } from './replay-request.ts'
import type { ControlContext } from './world.ts'

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
