import * as z from 'zod'
import { pathParameter } from '../../http/parameters.ts'
import {
  type FaultRequest,
  faultInfoSchema,
  faultRuleSchema,
  presetRequestSchema,
} from '../../sandbox/faults/fault-request.ts'
import { suggestWord } from '../../utils/usage-error.ts'
import { type ControlOperations, found, operation } from './control-endpoint.ts'
import { uncheckedBody } from './request-body.ts'

export const faultOperations: ControlOperations = {
  listFaults: operation('GET', '/__admin/faults', {
    summary: 'List the fault rules in evaluation order, with their counters.',
    response: z.array(faultInfoSchema),
    handle: (_, { faults }) => faults.list(),
  }),

  // A rule that can never apply is added too, with a warning.
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
      const ids = () => faults.list().map((info) => info.id)
      const reason = 'it was never added, or was removed'
      found(faults.remove(id), 'id', `Fault ${id}`, reason, () => suggestWord(id, ids()))
    },
  }),
}
