import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { World } from './world.ts'

export const clearActors: Endpoint<World> = endpoint({
  id: 'clearActors',
  summary: 'Take all second actors away; what they wrote stays.',

  method: 'DELETE',
  path: '/__admin/actors',
  scope: 'operator',

  params: {},
  status: 204,
  response: z.undefined(),
  errors: [],

  handle(_input, { simulator }): undefined {
    simulator.actors.clear()
  },
})
