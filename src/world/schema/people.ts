import * as z from 'zod'
import type { DashboardItemRow, KeyRow, OrganizationRow, ProjectRow, UserRow } from '../rows.ts'
import { id, json, jsonObject, uuid } from './values.ts'

export const organization: z.ZodType<OrganizationRow> = z.strictObject({
  id: uuid,
  name: z.string(),
  plugins_access_level: z.literal([0, 3, 6, 9]).default(9),
})

/** Whatever a project leaves out follows from its id. */
export const project: z.ZodType<ProjectRow> = z
  .strictObject({
    id,
    organization: uuid,
    name: z.string().optional(),
    uuid: uuid.optional(),
    api_token: z.string().optional(),
    timezone: z.string().default('UTC'),
    completed_snippet_onboarding: z.boolean().default(false),
    has_completed_onboarding_for: json.default(null),
    ingested_event: z.boolean().default(false),
    is_demo: z.boolean().default(false),
    access_control: z.boolean().default(false),
  })
  .transform((row) => ({
    ...row,
    name: row.name ?? `Project ${row.id}`,
    uuid: row.uuid ?? `00000000-0000-4000-8000-${row.id.toString(16).padStart(12, '0')}`,
    api_token: row.api_token ?? `phc_project_${row.id}`,
  }))

export const user: z.ZodType<UserRow> = z.strictObject({
  id,
  uuid,
  distinct_id: z.string().nullable(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  is_email_verified: z.boolean().nullable(),
  hedgehog_config: jsonObject.nullable(),
  organizations: z.array(uuid),
  is_active: z.boolean().default(true),
  current_project: id.nullable().default(null),
})

const keyScope = z
  .string()
  .regex(/^([a-z_]+:(read|write)|\*)$/, { error: 'expected object:read, object:write or *' })

export const key: z.ZodType<KeyRow> = z
  .strictObject({
    value: z
      .string()
      .regex(/^\S.*\S$/, { error: 'expected two characters or more, without space around' }),
    label: z.string().optional(),
    user: id,
    scopes: z.array(keyScope).nullable(),
    projects: z.array(id).default([]),
    organizations: z.array(uuid).default([]),
  })
  .transform((row) => ({ ...row, label: row.label ?? row.value }))

export const dashboardItem: z.ZodType<DashboardItemRow> = z.strictObject({
  id,
  project: id,
  short_id: z.string(),
  name: z.string().nullable(),
})
