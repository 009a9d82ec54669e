import * as z from 'zod'
import type { Profile } from '../../settings/resolve.ts'
import { typed } from '../../utils/schema-issues.ts'
import { jsonBody, operation } from './operation.ts'

export const settingSchema = z.union([z.string(), z.int()])

const evidenceSchema = z.enum(['documented', 'observed', 'assumed'])

const settingInfoSchema = z.object({
  id: z.string(),
  documentation: z.string(),
  question: z.string(),
  value: settingSchema,
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

export const settingOperations = {
  listSettings: operation('GET', '/__admin/settings', {
    summary: 'List the settings: question, value, and the possible values with their evidence.',
    response: z.array(settingInfoSchema),
    handle: (_, { settings }) => settings.list(),
  }),

  setSettings: operation('PATCH', '/__admin/settings', {
    summary: 'Set settings by id, all or none. Returns the settings of all settings.',
    body: jsonBody(overridesSchema),
    response: z.record(z.string(), settingSchema),
    handle({ body }, { settings }) {
      settings.set(body)
      return settings.values
    },
  }),
}
