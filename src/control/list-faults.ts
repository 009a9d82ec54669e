import * as z from 'zod'
import { faultInfoSchema } from '../faults/schema.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { ControlContext } from './world.ts'

export const listFaults: Endpoint<ControlContext> = defineEndpoint({
  id: 'listFaults',
  summary:
    'List the fault rules in the order in which they are asked, with what they have counted.',

  method: 'GET',
  path: '/__admin/faults',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(faultInfoSchema),
  errors: [],

  handle(_input, { simulator }) {
    return simulator.faults.list()
  },
})
