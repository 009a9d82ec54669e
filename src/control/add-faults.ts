import * as z from 'zod'
import type { FaultRequest } from '../faults/request.ts'
import { faultInfo, faultRule, presetRequest } from '../faults/schema.ts'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { anyBody } from './body.ts'
import type { World } from './world.ts'

/** One that can never apply is added too, with a warning. */
export const addFaults: Endpoint<World> = endpoint({
  id: 'addFaults',
  summary: 'Add a fault rule, or the rules of a preset, before those that are there.',

  method: 'POST',
  path: '/__admin/faults',
  scope: 'operator',

  params: {},
  body: { ...anyBody<FaultRequest>(), schema: z.union([faultRule, presetRequest]) },
  status: 201,
  response: z.array(faultInfo),
  errors: [...bodyErrors, 'throttled'],

  handle({ body }, { simulator }) {
    return simulator.faults.add(body)
  },
})
