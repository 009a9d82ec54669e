import * as z from 'zod'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { PolicyOverrides } from '../policies/settings.ts'
import { jsonBody } from './body.ts'
import type { ControlContext } from './world.ts'

const settingInput = z.union([z.string(), z.number()], { error: 'expected a word or a number' })
const setPoliciesRequest = z.record(
  z.string(),
  settingInput,
) as unknown as z.ZodType<PolicyOverrides>

/** All or none: an unknown policy or value leaves every one as it was. */
export const setPolicies: Endpoint<ControlContext> = defineEndpoint({
  id: 'setPolicies',
  summary: 'Set some policies by their ids; answers what every policy is set to.',

  method: 'PATCH',
  path: '/__admin/policies',
  scope: 'operator',

  params: {},
  body: jsonBody(setPoliciesRequest),
  status: 200,
  response: z.record(z.string(), z.union([z.string(), z.int()])),
  errors: bodyFailures,

  handle({ body }, { simulator: { policies } }) {
    policies.set(body)
    return { ...policies.settings }
  },
})
