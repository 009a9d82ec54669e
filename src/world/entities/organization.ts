import type { Json, Mutable } from '../../utils/json.ts'
import { randomText, uuidFromNumber } from '../../utils/seeded-random.ts'
import { defineEntity, type FieldTable } from './field.ts'

/** An organization: projects, users and plugins belong to it. */
export interface OrganizationRow {
  /** UUID */
  readonly id: string
  readonly name: string
  /** 0 none, 3 configure, 6 install, 9 root; default: 9. */
  readonly plugins_access_level: number
}

export const organization = defineEntity({
  id: { kind: 'uuid' },
  name: { kind: 'text', usual: ({ id }) => `Organization ${id}` },
  plugins_access_level: { kind: 'level', values: [0, 3, 6, 9], inFiles: 'maybe', usual: 9 },
} satisfies FieldTable<OrganizationRow>)

/** A project of an organization: annotations belong to it. */
export interface ProjectRow {
  readonly id: number
  readonly uuid: string
  /** The id of an organization. */
  readonly organization: string
  readonly api_token: string
  readonly name: string
  readonly completed_snippet_onboarding: boolean
  readonly has_completed_onboarding_for: Json
  readonly ingested_event: boolean
  readonly is_demo: boolean
  readonly timezone: string
  readonly access_control: boolean
}

/** A project, as the API lists it. */
export type Project = Mutable<ProjectRow>

export const project = defineEntity({
  id: { kind: 'id' },
  uuid: { kind: 'uuid', inFiles: 'maybe', usual: ({ id }) => uuidFromNumber(id) },
  organization: { kind: 'reference', list: 'organizations' },
  api_token: { kind: 'text', inFiles: 'maybe', usual: ({ id }) => `phc_project_${id}` },
  name: { kind: 'text', inFiles: 'maybe', usual: ({ id }) => `Project ${id}` },
  completed_snippet_onboarding: { kind: 'flag', inFiles: 'maybe', usual: false },
  has_completed_onboarding_for: { kind: 'json', inFiles: 'maybe', usual: null },
  ingested_event: { kind: 'flag', inFiles: 'maybe', usual: false },
  is_demo: { kind: 'flag', inFiles: 'maybe', usual: false },
  timezone: { kind: 'text', inFiles: 'maybe', usual: 'UTC' },
  access_control: { kind: 'flag', inFiles: 'maybe', usual: false },
} satisfies FieldTable<ProjectRow>)

/** A user: a member of organizations and the owner of keys. */
export interface UserRow {
  readonly id: number
  readonly uuid: string
  readonly distinct_id: string | null
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly is_email_verified: boolean | null
  readonly hedgehog_config: { [key: string]: Json | undefined } | null
  /** The ids of the organizations that the user is a member of. */
  readonly organizations: readonly string[]
  /** If false, the keys of the user are refused; default: true. */
  readonly is_active: boolean
  /** If null or missing, the first project of the first organization that has one. */
  readonly current_project: number | null
}

/** The user who created an annotation. */
export type CreatedBy = Mutable<Omit<UserRow, 'organizations' | 'is_active' | 'current_project'>>

export const user = defineEntity({
  id: { kind: 'id' },
  uuid: { kind: 'uuid' },
  distinct_id: { kind: 'text', nullable: true, usual: ({ id }) => `d${id}` },
  first_name: { kind: 'text', usual: ({ id }) => `User ${id}` },
  last_name: { kind: 'text', usual: '' },
  email: { kind: 'email', usual: ({ id }) => `user${id}@example.com` },
  is_email_verified: { kind: 'flag', nullable: true },
  hedgehog_config: { kind: 'object', nullable: true, sent: { when: ['as_listed', 'july_2024'] } },
  organizations: {
    kind: 'references',
    list: 'organizations',
    usual: ({ defaults }) => [defaults.organization_id],
    sent: false,
  },
  is_active: { kind: 'flag', inFiles: 'maybe', usual: true, sent: false },
  current_project: {
    kind: 'reference',
    list: 'projects',
    nullable: true,
    inFiles: 'maybe',
    usual: null,
    sent: false,
  },
} satisfies FieldTable<UserRow, CreatedBy>)

/** A personal API key. */
export interface KeyRow {
  /** The text after "Bearer " in the Authorization header. */
  readonly value: string
  /** The purpose of the key; default: its value. */
  readonly label: string
  /** The id of a user. */
  readonly user: number
  /** object:read, object:write, or * for all scopes; null for a legacy key with full access. */
  readonly scopes: readonly string[] | null
  /** The ids of the projects that the key is limited to; if empty or missing, no limit. */
  readonly projects: readonly number[]
  /** The ids of the organizations that the key is limited to; if empty or missing, no limit. */
  readonly organizations: readonly string[]
}

export const key = defineEntity({
  value: { kind: 'key' },
  label: { kind: 'text', inFiles: 'maybe', usual: ({ value }) => value },
  user: { kind: 'reference', list: 'users' },
  scopes: { kind: 'scopes', nullable: true },
  projects: { kind: 'references', list: 'projects', inFiles: 'maybe', usual: [] },
  organizations: { kind: 'references', list: 'organizations', inFiles: 'maybe', usual: [] },
} satisfies FieldTable<KeyRow>)

/** A dashboard item: annotations can be attached to it. */
export interface DashboardItemRow {
  readonly id: number
  /** The id of a project. */
  readonly project: number
  /** Sent as insight_short_id. */
  readonly short_id: string
  /** Sent as insight_name. */
  readonly name: string | null
  /** If true, no request can refer to it. Annotations that already do keep it. */
  readonly deleted?: boolean
}

export const dashboardItem = defineEntity({
  id: { kind: 'id' },
  project: { kind: 'reference', list: 'projects' },
  short_id: { kind: 'text', usual: ({ seed, id }) => randomText(seed, id, 8) },
  name: { kind: 'text', nullable: true },
  deleted: { kind: 'flag', inFiles: 'maybe' },
} satisfies FieldTable<DashboardItemRow>)

/** An entry of the activity log of plugins. */
export interface ActivityRow {
  readonly id: number
  /** The id of a user. */
  readonly user: number | null
  /** The id of an organization. */
  readonly organization: string
  /** The current project of the user at that time. */
  readonly project: number | null
  /** installed, uninstalled, enabled, disabled, config_updated … */
  readonly activity: string
  readonly scope: string
  readonly item_id: string
  readonly detail: { [key: string]: Json | undefined }
  readonly created_at: string
}

export const activity = defineEntity({
  id: { kind: 'id' },
  user: { kind: 'reference', list: 'users', nullable: true },
  organization: { kind: 'reference', list: 'organizations' },
  project: {
    kind: 'reference',
    list: 'projects',
    nullable: true,
    usual: ({ defaults }) => defaults.project_id,
  },
  activity: { kind: 'text' },
  scope: { kind: 'text', usual: 'Plugin' },
  item_id: { kind: 'text' },
  detail: { kind: 'object', inFiles: 'maybe', usual: {} },
  created_at: { kind: 'time' },
} satisfies FieldTable<ActivityRow>)
