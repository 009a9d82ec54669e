import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { ControlContext } from './world.ts'

export const clearFaults: Endpoint<ControlContext> = defineEndpoint({
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
