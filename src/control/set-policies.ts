import * as z from 'zod'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { PolicyOverrides } from '../policies/settings.ts'
import { bodyOf } from './body.ts'
import type { World } from './world.ts'

const setting = z.union([z.string(), z.number()], { error: 'expected a word or a number' })
const request = z.record(z.string(), setting) as unknown as z.ZodType<PolicyOverrides>

/** All or none: an unknown policy or value leaves every one as it was. */
export const setPolicies: Endpoint<World> = endpoint({
  id: 'setPolicies',
  summary: 'Set some policies by their ids; answers what every policy is set to.',

  method: 'PATCH',
  path: '/__admin/policies',
  scope: 'operator',

  params: {},
  body: bodyOf(request),
  status: 200,
  response: z.record(z.string(), z.union([z.string(), z.int()])),
  errors: bodyErrors,

  handle({ body }, { simulator: { policies } }) {
    policies.set(body)
    return { ...policies.settings }
  },
})
