import * as z from 'zod'
import type { Profile } from '../../policies/settings.ts'
import { typed } from '../../utils/schema-issues.ts'
import { jsonBody, operation } from './operation.ts'

export const settingSchema = z.union([z.string(), z.int()])

export const evidenceSchema = z.enum(['documented', 'observed', 'assumed'])

const policyInfoSchema = z.object({
  id: z.string(),
  documentation: z.string(),
  question: z.string(),
  setting: settingSchema,
  documented: settingSchema,
  live: settingSchema,
  values: z.array(
    z.object({
      value: z.string(),
      meaning: z.string(),
      evidence: evidenceSchema,
      source: z.string(),
      minimum: z.int().exactOptional(),
      maximum: z.int().exactOptional(),
    }),
  ),
})

export const profileSchema = typed<Profile>(z.string())

export const overridesSchema = z.record(
  z.string(),
  z.union([z.string(), z.number()], { error: 'expected a string or a number' }),
)

export const policyOperations = {
  listPolicies: operation('GET', '/__admin/policies', {
    summary: 'List the policies: question, setting, and the possible values with their evidence.',
    response: z.array(policyInfoSchema),
    handle: (_, { policies }) => policies.list(),
  }),

  setPolicies: operation('PATCH', '/__admin/policies', {
    summary: 'Set policies by id, all or none. Returns the settings of all policies.',
    body: jsonBody(overridesSchema),
    response: z.record(z.string(), settingSchema),
    handle({ body }, { policies }) {
      policies.set(body)
      return policies.settings
    },
  }),
}
