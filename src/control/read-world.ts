import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { worldSchema } from '../world/schema/world.ts'
import type { ControlContext } from './world.ts'

/** What it gives can be put back, or kept as a fixture. */
export const readWorld: Endpoint<ControlContext> = defineEndpoint({
  id: 'readWorld',
  summary: 'Read the whole world, in the format of fixtures.',

  method: 'GET',
  path: '/__admin/world',
  scope: 'operator',

  params: {},
  status: 200,
  response: worldSchema,
  errors: [],

  handle(_input, { simulator }) {
    return simulator.world.toJSON()
  },
})
