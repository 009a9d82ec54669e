import * as z from 'zod'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { worldBody } from './body.ts'
import { filled, type World } from './world.ts'

/** Whole or not at all: a world with a fault leaves the one that is there. */
export const replaceWorld: Endpoint<World> = endpoint({
  id: 'replaceWorld',
  summary: 'Replace the whole world; resetting comes back to the new one.',

  method: 'PUT',
  path: '/__admin/world',
  scope: 'operator',

  params: {},
  body: worldBody,
  bodyLimit: 536_870_912,
  status: 200,
  response: z.record(z.string(), z.int()),
  errors: bodyErrors,

  async handle({ body }, { simulator, generator }) {
    simulator.replaceWorld(await filled(body, generator))
    return simulator.world.counts
  },
})
