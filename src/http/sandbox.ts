import type { PolicySettings } from '../policies/policies.ts'
import type { KeyRow, OrganizationRow, ProjectRow, UserRow } from '../world/rows.ts'

/** Looks up who asks, and where. */
export interface Directory {
  key(value: string): KeyRow | undefined
  user(id: number): UserRow | undefined
  project(id: number): ProjectRow | undefined
  organization(id: string): OrganizationRow | undefined
  /** Where `@current` leads, and where a user's activity is recorded: null for a user without projects. */
  currentProject(user: UserRow): ProjectRow | undefined
  hasDashboardItem(id: number): boolean
}

/** What a request is answered from: one isolated world, its policies and its clock. */
export interface Sandbox<W> {
  readonly settings: PolicySettings
  readonly directory: Directory
  readonly world: W
  /** Milliseconds since 1970, by the world's clock. */
  now(): number
  /** Counts a request of a key; gives the seconds to wait when it is one too many, else 0. */
  throttle(key: string): number
  /** Told of what should not happen: an exception that is no refusal. */
  report(error: unknown): void
}
