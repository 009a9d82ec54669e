import * as z from 'zod'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { PolicyInfo } from '../policies/info.ts'
import type { ControlContext } from './world.ts'

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
