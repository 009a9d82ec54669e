import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { ControlContext } from './world.ts'

export const clearActors: Endpoint<ControlContext> = defineEndpoint({
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
