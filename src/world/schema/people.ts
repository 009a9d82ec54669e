import * as z from 'zod'
import { misspelt } from '../../usage-error.ts'
import { scopeObjects } from '../known.ts'
import type {
  DashboardItemJson,
  KeyJson,
  OrganizationJson,
  ProjectJson,
  UserJson,
} from '../world-json.ts'
import { id, json, jsonObject, once, uuid } from './values.ts'

export const organization: z.ZodType<OrganizationJson> = z.strictObject({
  id: uuid,
  name: z.string(),
  plugins_access_level: z.literal([0, 3, 6, 9]).exactOptional(),
})

export const project: z.ZodType<ProjectJson> = z.strictObject({
  id,
  organization: uuid,
  name: z.string().exactOptional(),
  uuid: uuid.exactOptional(),
  api_token: z.string().exactOptional(),
  timezone: z.string().exactOptional(),
  completed_snippet_onboarding: z.boolean().exactOptional(),
  has_completed_onboarding_for: json.exactOptional(),
  ingested_event: z.boolean().exactOptional(),
  is_demo: z.boolean().exactOptional(),
  access_control: z.boolean().exactOptional(),
})

/** The service sends it as an e-mail address, and clients may check that it is one. */
const email = z
  .string()
  .meta({ format: 'email' })
  .regex(/^[^\s@]+@[^\s@]+$/, { error: 'expected an e-mail address' })

export const user: z.ZodType<UserJson> = z.strictObject({
  id,
  uuid,
  distinct_id: z.string().nullable(),
  first_name: z.string(),
  last_name: z.string(),
  email,
  is_email_verified: z.boolean().nullable(),
  hedgehog_config: jsonObject.nullable(),
  organizations: once(uuid),
  is_active: z.boolean().exactOptional(),
  current_project: id.nullable().exactOptional(),
})

const scopeForm = /^([a-z_]+:(read|write)|\*)$/

const keyScope = z
  .string()
  .regex(scopeForm, { error: 'expected object:read, object:write or *' })
  .check(({ value, issues }) => {
    const [object = '', access] = value.split(':')
    // Of other objects the service has scopes, too.
    const meant = misspelt(object, scopeObjects)
    if (meant === undefined || !scopeForm.test(value)) return
    const params = { meant: `${meant}:${access}` }
    const message = 'expected an object that the service has scopes of'
    issues.push({ code: 'custom', message, params, input: value })
  })

/** The value of a key: what a header or an address can hold. */
export const keyText: z.ZodString = z
  .string()
  .regex(/^\S.*\S$/, { error: 'expected two characters or more, without space around them' })
  .refine((text) => !/\p{Surrogate}/u.test(text), {
    error: 'expected well-formed Unicode, without half of a surrogate pair',
  })

export const key: z.ZodType<KeyJson> = z.strictObject({
  value: keyText,
  label: z.string().exactOptional(),
  user: id,
  scopes: z.array(keyScope).nullable(),
  projects: z.array(id).exactOptional(),
  organizations: z.array(uuid).exactOptional(),
})

export const dashboardItem: z.ZodType<DashboardItemJson> = z.strictObject({
  id,
  project: id,
  short_id: z.string(),
  name: z.string().nullable(),
})
