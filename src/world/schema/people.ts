import * as z from 'zod'
import { correctTypo } from '../../usage-error.ts'
import { scopeObjects } from '../known.ts'
import type {
  DashboardItemJson,
  KeyJson,
  OrganizationJson,
  ProjectJson,
  UserJson,
} from '../world-json.ts'
import {
  idSchema,
  jsonObjectSchema,
  jsonValueSchema,
  uniqueArraySchema,
  uuidSchema,
} from './values.ts'

export const organizationSchema: z.ZodType<OrganizationJson> = z.strictObject({
  id: uuidSchema,
  name: z.string(),
  plugins_access_level: z.literal([0, 3, 6, 9]).exactOptional(),
})

export const projectSchema: z.ZodType<ProjectJson> = z.strictObject({
  id: idSchema,
  organization: uuidSchema,
  name: z.string().exactOptional(),
  uuid: uuidSchema.exactOptional(),
  api_token: z.string().exactOptional(),
  timezone: z.string().exactOptional(),
  completed_snippet_onboarding: z.boolean().exactOptional(),
  has_completed_onboarding_for: jsonValueSchema.exactOptional(),
  ingested_event: z.boolean().exactOptional(),
  is_demo: z.boolean().exactOptional(),
  access_control: z.boolean().exactOptional(),
})

/** The service sends it as an e-mail address, and clients may check that it is one. */
const emailSchema = z
  .string()
  .meta({ format: 'email' })
  .regex(/^[^\s@]+@[^\s@]+$/, { error: 'expected an e-mail address' })

export const userSchema: z.ZodType<UserJson> = z.strictObject({
  id: idSchema,
  uuid: uuidSchema,
  distinct_id: z.string().nullable(),
  first_name: z.string(),
  last_name: z.string(),
  email: emailSchema,
  is_email_verified: z.boolean().nullable(),
  hedgehog_config: jsonObjectSchema.nullable(),
  organizations: uniqueArraySchema(uuidSchema),
  is_active: z.boolean().exactOptional(),
  current_project: idSchema.nullable().exactOptional(),
})

const scopePattern = /^([a-z_]+:(read|write)|\*)$/

const keyScopeSchema = z
  .string()
  .regex(scopePattern, { error: 'expected object:read, object:write or *' })
  .check(({ value, issues }) => {
    const [object = '', access] = value.split(':')
    // Of other objects the service has scopes, too.
    const meant = correctTypo(object, scopeObjects)
    if (meant === undefined || !scopePattern.test(value)) return
    const params = { meant: `${meant}:${access}` }
    const message = 'expected an object that the service has scopes of'
    issues.push({ code: 'custom', message, params, input: value })
  })

/** The value of a key: what a header or an address can hold. */
export const keyValueSchema: z.ZodString = z
  .string()
  .regex(/^\S.*\S$/, { error: 'expected two characters or more, without space around them' })
  .refine((text) => !/\p{Surrogate}/u.test(text), {
    error: 'expected well-formed Unicode, without half of a surrogate pair',
  })

export const keySchema: z.ZodType<KeyJson> = z.strictObject({
  value: keyValueSchema,
  label: z.string().exactOptional(),
  user: idSchema,
  scopes: z.array(keyScopeSchema).nullable(),
  projects: z.array(idSchema).exactOptional(),
  organizations: z.array(uuidSchema).exactOptional(),
})

export const dashboardItemSchema: z.ZodType<DashboardItemJson> = z.strictObject({
  id: idSchema,
  project: idSchema,
  short_id: z.string(),
  name: z.string().nullable(),
})
