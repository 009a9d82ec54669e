import * as z from 'zod'
import type { FaultRequest } from '../faults/request.ts'
import { faultInfoSchema, faultRuleSchema, presetRequestSchema } from '../faults/schema.ts'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { uncheckedBody } from './body.ts'
import type { ControlContext } from './world.ts'

/** One that can never apply is added too, with a warning. */
export const addFaults: Endpoint<ControlContext> = defineEndpoint({
  id: 'addFaults',
  summary: 'Add a fault rule, or the rules of a preset, before those that are there.',

  method: 'POST',
  path: '/__admin/faults',
  scope: 'operator',

  params: {},
  body: {
    ...uncheckedBody<FaultRequest>(),
    schema: z.union([faultRuleSchema, presetRequestSchema]),
  },
  status: 201,
  response: z.array(faultInfoSchema),
  errors: [...bodyFailures, 'throttled'],

  handle({ body }, { simulator }) {
    return simulator.faults.add(body)
  },
})
