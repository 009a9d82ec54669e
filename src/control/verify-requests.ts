import * as z from 'zod'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { type Expectation, expectation } from '../journal/expectation.ts'
import type { Verdict } from '../journal/verify.ts'
import { anyBody } from './body.ts'
import type { World } from './world.ts'

const verdict: z.ZodType<Verdict> = z.object({
  held: z.boolean(),
  found: z.int(),
  nearest: z.array(z.object({ entry: z.int(), differences: z.array(z.string()) })),
  message: z.string(),
})

/** An expectation that does not hold is an answer like any other: 200, with `held` false. */
export const verifyRequests: Endpoint<World> = endpoint({
  id: 'verifyRequests',
  summary: 'Tell whether expected requests came, and which came nearest.',

  method: 'POST',
  path: '/__admin/verify',
  scope: 'operator',

  params: {},
  body: anyBody<Expectation>(expectation),
  status: 200,
  response: verdict,
  errors: bodyErrors,

  handle({ body = {} }, { simulator }) {
    return simulator.journal.verify(body)
  },
})
