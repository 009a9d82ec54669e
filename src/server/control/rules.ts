import * as z from 'zod'
import { pathParameter } from '../../http/parameters.ts'
import {
  type FaultRequest,
  faultInfoSchema,
  faultRuleSchema,
  presetRequestSchema,
} from '../../sandbox/faults/fault-request.ts'
import { found, operation, uncheckedBody } from './operation.ts'

export const ruleOperations = {
  listFaults: operation('GET', '/__admin/faults', {
    summary: 'List the fault rules in evaluation order, with their counters.',
    response: z.array(faultInfoSchema),
    handle: (_, { faults }) => faults.list(),
  }),

  addFaults: operation('POST', '/__admin/faults', {
    summary: 'Add a fault rule, or the rules of a preset. New rules take precedence.',
    body: uncheckedBody<FaultRequest>(z.union([faultRuleSchema, presetRequestSchema])),
    status: 201,
    response: z.array(faultInfoSchema),
    errors: ['throttled'],
    handle: ({ body }, { faults }) => faults.add(body),
  }),

  clearFaults: operation('DELETE', '/__admin/faults', {
    summary: 'Remove all fault rules.',
    handle: (_, { faults }) => faults.clear(),
  }),

  removeFault: operation('DELETE', '/__admin/faults/:id', {
    summary: 'Remove a fault rule.',
    params: { id: pathParameter('The id of a fault rule.') },
    errors: ['not_found'],
    handle({ params: { id } }, { faults }) {
      const known = () => faults.list().map((fault) => fault.id)
      found(faults.remove(id), { id }, `Fault ${id}`, 'it was never added, or was removed', known)
    },
  }),
}
