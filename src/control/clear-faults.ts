import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { World } from './world.ts'

export const clearFaults: Endpoint<World> = endpoint({
  id: 'clearFaults',
  summary: 'End all fault rules.',

  method: 'DELETE',
  path: '/__admin/faults',
  scope: 'operator',

  params: {},
  status: 204,
  response: z.undefined(),
  errors: [],

  handle(_input, { simulator }): undefined {
    simulator.faults.clear()
  },
})
