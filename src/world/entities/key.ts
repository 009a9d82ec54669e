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
  label: { kind: 'text', inFiles: 'maybe', usual: ({ value }) => value },
  user: { kind: 'reference', list: 'users' },
  scopes: { kind: 'scopes', nullable: true },
  projects: { kind: 'references', list: 'projects', inFiles: 'maybe', usual: [] },
  organizations: { kind: 'references', list: 'organizations', inFiles: 'maybe', usual: [] },
} satisfies FieldTable<KeyRow>)
