import * as z from 'zod'
import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import type { PolicyOverrides } from '../../policies/settings.ts'
import type { PolicyInfo } from '../../policies/simulator-policies.ts'
import { type ControlContext, jsonBody } from './control-endpoint.ts'

const setting = z.union([z.string(), z.int()])

const policyInfoSchema = z.object({
  id: z.string(),
  line: z.string(),
  question: z.string(),
  setting,
  documented: setting,
  live: setting,
  values: z.array(
    z.object({
      value: z.string(),
      says: z.string(),
      evidence: z.enum(['documented', 'observed', 'assumed']),
      source: z.string(),
      minimum: z.int().exactOptional(),
      maximum: z.int().exactOptional(),
    }),
  ),
}) as unknown as z.ZodType<PolicyInfo>

export const listPolicies: Endpoint<ControlContext> = defineEndpoint({
  id: 'listPolicies',
  summary: 'List the policies: what each asks, is set to, and can be set to, with evidence.',

  method: 'GET',
  path: '/__admin/policies',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(policyInfoSchema),
  errors: [],

  handle(_input, { simulator }) {
    return simulator.policies.list()
  },
})

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
