import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { ControlContext } from './world.ts'

export const resetWorld: Endpoint<ControlContext> = defineEndpoint({
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
