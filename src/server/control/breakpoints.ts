import * as z from 'zod'
import { integerIdParameter, type Parameter, pathParameter } from '../../http/parameters.ts'
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
import { maskedKeySchema, messageSchema } from '../../sandbox/journal/journal-schemas.ts'
import { abortOf } from '../../utils/abort.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import { found, operation, removeRule, uncheckedBody } from './operation.ts'

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

/** Breakpoints, and the requests that they hold. */
export const breakpointOperations = {
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
