import * as z from 'zod'
import { faultInfo } from '../faults/schema.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { World } from './world.ts'

export const listFaults: Endpoint<World> = endpoint({
  id: 'listFaults',
  summary:
    'List the fault rules in the order in which they are asked, with what they have counted.',

  method: 'GET',
  path: '/__admin/faults',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(faultInfo),
  errors: [],

  handle(_input, { simulator }) {
    return simulator.faults.list()
  },
})
