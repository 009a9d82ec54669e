import type { Json, Mutable } from '../../utils/json.ts'
import { type DeclaredFields, defineEntity } from './entity.ts'
import { field } from './field.ts'

/** A user: a member of organizations and the owner of keys. */
export interface UserRow {
  readonly id: number
  readonly uuid: string
  readonly distinct_id: string | null
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly is_email_verified: boolean | null
  readonly hedgehog_config: { [key: string]: Json } | null
  /** The ids of the organizations that the user is a member of. */
  readonly organizations: readonly string[]
  /** If false, the keys of the user are refused; default: true. */
  readonly is_active: boolean
  /** If null or missing, the first project of the first organization. */
  readonly current_project: number | null
}

/** The user who created an annotation. */
export type CreatedBy = Mutable<Omit<UserRow, 'organizations' | 'is_active' | 'current_project'>>

export const user = defineEntity({
  id: field.id(),
  uuid: field.uuid(),
  distinct_id: field
    .text()
    .nullable()
    .initial(({ id }) => `d${id}`),
  first_name: field.text().initial(({ id }) => `User ${id}`),
  last_name: field.text().initial(() => ''),
  email: field.email().initial(({ id }) => `user${id}@example.com`),
  is_email_verified: field.flag().nullable(),
  hedgehog_config: field
    .object()
    .nullable()
    .when({ versioning: ['none', 'july_2024'] }),
  organizations: field
    .references('organizations', true)
    .initial(({ defaults }) => [defaults.organization_id])
    .hidden(),
  is_active: field.flag().default(true).optional().hidden(),
  current_project: field.reference('projects').nullable().optional().hidden(),
} satisfies DeclaredFields<UserRow, CreatedBy>)
