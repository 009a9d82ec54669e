import * as z from 'zod'
import { integerIdParameter, type Parameter, pathParameter } from '../../http/parameters.ts'
import {
  type ActorRequest,
  stepSchemas,
  triggerSchema,
} from '../../sandbox/actors/actor-request.ts'
import {
  type BreakpointRequest,
  breakpointInfoSchema,
  breakpointSchema,
  changesSchema,
  type FulfilledResponse,
  fulfilledSchema,
  type HeldRequestInfo,
  type RequestChanges,
} from '../../sandbox/breakpoints/breakpoint-request.ts'
import type { Breakpoints } from '../../sandbox/breakpoints/breakpoints.ts'
import type { HeldRequest } from '../../sandbox/breakpoints/held-request.ts'
import { readBreakpoints } from '../../sandbox/breakpoints/read-breakpoints.ts'
import {
  type FaultRequest,
  faultInfoSchema,
  faultRuleSchema,
  presetRequestSchema,
} from '../../sandbox/faults/fault-request.ts'
import { maskedKeySchema, messageSchema } from '../../sandbox/journal/journal-schemas.ts'
import { abortOf } from '../../utils/abort.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
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

/** The longest time that a request waits for a change, in milliseconds. Proxies close idle connections after a minute. */
const maxWait = 50_000

const heldRequestSchema: z.ZodType<HeldRequestInfo> = z.object({
  id: z.int(),
  breakpoint: z.string(),
  at: z.string(),
  remaining_ms: z.int(),
  operation: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()),
  key: maskedKeySchema.nullable(),
  request: messageSchema,
})

const stateSchema = z.object({
  version: z.int(),
  breakpoints: z.array(breakpointInfoSchema),
  held: z.array(heldRequestSchema),
})

const heldId = integerIdParameter('The id of a held request.')

/**
 * Fault rules, second actors and breakpoints with the requests that they hold: rules about the requests that follow. One
 * that can never apply has a warning.
 */
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

  listBreakpoints: operation('GET', '/__admin/breakpoints', {
    summary: 'List the breakpoints and the requests that they hold, now or after a wait.',
    query: {
      wait_ms: countParameter(
        'wait_ms',
        'Milliseconds to wait until a request is held, or with after until anything changes.',
        maxWait,
      ),
      after: countParameter('after', 'The version of an earlier response.'),
    },
    response: stateSchema,
    errors: ['validation_error'],
    handle: ({ query: { wait_ms, after } }, { breakpoints }, { closed }) =>
      readBreakpoints(breakpoints, after, wait_ms ?? 0, abortOf(closed)),
  }),

  addBreakpoint: operation('POST', '/__admin/breakpoints', {
    summary: 'Add a breakpoint, which holds matching requests.',
    body: uncheckedBody<BreakpointRequest>(breakpointSchema),
    status: 201,
    response: breakpointInfoSchema,
    errors: ['throttled'],
    handle: ({ body }, { breakpoints }) => breakpoints.add(body),
  }),

  clearBreakpoints: operation('DELETE', '/__admin/breakpoints', {
    summary: 'Remove all breakpoints. The requests that they hold continue.',
    handle: (_, { breakpoints }) => breakpoints.clear(),
  }),

  removeBreakpoint: operation('DELETE', '/__admin/breakpoints/:id', {
    summary: 'Remove a breakpoint. The requests that it holds continue.',
    params: { id: pathParameter('The id of a breakpoint.') },
    errors: ['not_found'],
    handle: ({ params: { id } }, { breakpoints }) => removeRule(breakpoints, 'Breakpoint', id),
  }),

  continueRequest: operation('POST', '/__admin/held/:id/continue', {
    summary: 'Let a held request go on, as it is or with changes.',
    params: { id: heldId },
    body: uncheckedBody<RequestChanges>(changesSchema),
    errors: ['not_found'],
    handle: ({ params: { id }, body = {} }, { breakpoints }) =>
      heldRequest(id, breakpoints).continue(body),
  }),

  fulfillRequest: operation('POST', '/__admin/held/:id/fulfill', {
    summary: 'Respond to a held request in place of the service.',
    params: { id: heldId },
    body: uncheckedBody<FulfilledResponse>(fulfilledSchema),
    errors: ['not_found'],
    handle: ({ params: { id }, body = {} }, { breakpoints }) =>
      heldRequest(id, breakpoints).fulfill(body),
  }),

  dropRequest: operation('POST', '/__admin/held/:id/drop', {
    summary: 'Break the connection of a held request.',
    params: { id: heldId },
    errors: ['not_found'],
    handle: ({ params: { id } }, { breakpoints }) => heldRequest(id, breakpoints).drop(),
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

function heldRequest(id: number, breakpoints: Breakpoints): HeldRequest {
  const request = breakpoints.held().find((held) => held.id === id)
  return found(request, { id }, `Held request ${id}`, 'it was never held, or has ended')
}

/** An optional whole number from 0 on. */
function countParameter(
  name: string,
  description: string,
  maximum: number = Number.MAX_SAFE_INTEGER,
): Parameter<number | null> {
  return {
    description,
    schema: { type: 'integer', minimum: 0, ...(maximum < Number.MAX_SAFE_INTEGER && { maximum }) },
    read(text) {
      if (text === null) return null
      if (/^\d{1,15}$/.test(text) && Number(text) <= maximum) return Number(text)
      const limit = maximum < Number.MAX_SAFE_INTEGER ? ` from 0 to ${maximum}` : ', 0 or greater'
      const expected = `${name} to be a whole number${limit}`
      throw unexpectedValue('list the breakpoints', expected, text, undefined, name)
    },
  }
}
