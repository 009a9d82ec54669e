import * as z from 'zod'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { type Expectation, expectationSchema } from '../journal/expectation.ts'
import type { VerifyResult } from '../journal/verify.ts'
import { uncheckedBody } from './body.ts'
import type { ControlContext } from './world.ts'

const verdictSchema: z.ZodType<VerifyResult> = z.object({
  held: z.boolean(),
  found: z.int(),
  nearest: z.array(z.object({ entry: z.int(), differences: z.array(z.string()) })),
  message: z.string(),
})

/** An expectation that does not hold is an answer like any other: 200, with `held` false. */
export const verifyRequests: Endpoint<ControlContext> = defineEndpoint({
  id: 'verifyRequests',
  summary: 'Tell whether expected requests came, and which came nearest.',

  method: 'POST',
  path: '/__admin/verify',
  scope: 'operator',

  params: {},
  body: uncheckedBody<Expectation>(expectationSchema),
  status: 200,
  response: verdictSchema,
  errors: bodyFailures,

  handle({ body = {} }, { simulator }) {
    return simulator.journal.verify(body)
  },
})
