import * as z from 'zod'
import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { pathParameter } from '../../http/parameters.ts'
import type { FaultRequest } from '../../sandbox/faults/fault-request.ts'
import {
  faultInfoSchema,
  faultRuleSchema,
  presetRequestSchema,
} from '../../sandbox/faults/rule-schema.ts'
import { type ControlContext, resourceNotFound, uncheckedBody } from './control-endpoint.ts'

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

export const removeFault: Endpoint<ControlContext> = defineEndpoint({
  id: 'removeFault',
  summary: 'End a fault rule.',

  method: 'DELETE',
  path: '/__admin/faults/:id',
  scope: 'operator',

  params: { id: pathParameter('The id of a fault rule.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (simulator.faults.remove(params.id)) return
    throw resourceNotFound('id', `Fault ${params.id}`, 'it was never added, or was removed')
  },
})
