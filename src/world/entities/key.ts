import { defineEntity, type FieldTable } from './field.ts'

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
  label: { kind: 'text', file: { or: ({ value }) => value } },
  user: { kind: 'reference', list: 'users' },
  scopes: { kind: 'scopes', nullable: true },
  projects: { kind: 'references', list: 'projects', file: { or: [] } },
  organizations: { kind: 'references', list: 'organizations', file: { or: [] } },
} satisfies FieldTable<KeyRow>)
