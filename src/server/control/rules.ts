import * as z from 'zod'
import { pathParameter } from '../../http/parameters.ts'
import {
  type ActorRequest,
  stepSchemas,
  triggerSchema,
} from '../../sandbox/actors/actor-request.ts'
import {
  type FaultRequest,
  faultInfoSchema,
  faultRuleSchema,
  presetRequestSchema,
} from '../../sandbox/faults/fault-request.ts'
import { found, operation, uncheckedBody } from './operation.ts'

const anyStep = z.union(
  Object.entries(stepSchemas).flatMap(([action, schemas]) => {
    const references = action === 'create' ? [false] : [false, true]
    return Object.values(schemas).flatMap((createSchema) => references.map(createSchema))
  }),
)

/** Describes a requested actor in the OpenAPI document. `parseActor` validates it. */
const actorRequestSchema = z.strictObject({ after: triggerSchema, steps: z.array(anyStep).min(1) })

const actorInfoSchema = z.object({
  id: z.string(),
  after: triggerSchema,
  steps: z.array(anyStep),
  runs: z.int(),
  remaining: z.int().nullable(),
  errors: z.array(z.object({ run: z.int(), step: z.string(), message: z.string() })),
  warning: z.string().nullable(),
})

/** Fault rules and second actors: rules about the requests that follow. One that can never apply has a warning. */
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
    handle: ({ params: { id } }, { faults }) => removeRule(faults, 'Fault', id),
  }),

  listActors: operation('GET', '/__admin/actors', {
    summary: 'List the second actors, with their runs and errors.',
    response: z.array(actorInfoSchema),
    handle: (_, { actors }) => actors.list(),
  }),

  addActor: operation('POST', '/__admin/actors', {
    summary: 'Add a second actor, which writes after the requests that it names.',
    body: uncheckedBody<ActorRequest>(actorRequestSchema),
    status: 201,
    response: actorInfoSchema,
    errors: ['throttled'],
    handle: ({ body }, { actors }) => actors.add(body),
  }),

  clearActors: operation('DELETE', '/__admin/actors', {
    summary: 'Remove all second actors. The rows that they wrote stay.',
    handle: (_, { actors }) => actors.clear(),
  }),

  removeActor: operation('DELETE', '/__admin/actors/:id', {
    summary: 'Remove a second actor. The rows that it wrote stay.',
    params: { id: pathParameter('The id of a second actor.') },
    errors: ['not_found'],
    handle: ({ params: { id } }, { actors }) => removeRule(actors, 'Actor', id),
  }),
}

interface RuleList {
  remove(id: string): boolean
  list(): readonly { readonly id: string }[]
}

/** Removes a rule. @throws Failure `not_found` for an unknown id */
function removeRule(rules: RuleList, kind: string, id: string): void {
  const known = () => rules.list().map((rule) => rule.id)
  found(rules.remove(id), { id }, `${kind} ${id}`, 'it was never added, or was removed', known)
}
