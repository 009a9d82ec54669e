import type { Json, Mutable } from '../../utils/json.ts'
import { defineEntity, type FieldTable } from './field.ts'

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
  /** If null or missing, the first project of the first organization. */
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
