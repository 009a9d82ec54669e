import { type DeclaredFields, defineEntity } from './entity.ts'
import { field } from './field.ts'

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
  value: field.key(),
  label: field
    .text()
    .default(({ value }: Pick<KeyRow, 'value'>) => value)
    .optional(),
  user: field.reference('users'),
  scopes: field.scopes().nullable(),
  projects: field.references('projects').default([]).optional(),
  organizations: field.references('organizations').default([]).optional(),
} satisfies DeclaredFields<KeyRow>)
