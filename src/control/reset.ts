import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { World } from './world.ts'

export const resetWorld: Endpoint<World> = endpoint({
  id: 'resetWorld',
  summary: 'Go back to the rows the simulator began with.',

  method: 'POST',
  path: '/__admin/reset',
  scope: 'operator',

  params: {},
  status: 204,
  response: z.undefined(),
  errors: [],

  handle(_input, { simulator }): undefined {
    simulator.reset()
  },
})
