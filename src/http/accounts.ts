import type { KeyRow, OrganizationRow, ProjectRow, UserRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'

/** Finds the rows that authentication and authorization need. */
export interface AccountDirectory {
  key(value: string): KeyRow | undefined
  user(id: number): UserRow | undefined
  project(id: number): ProjectRow | undefined
  projectByToken(token: string): ProjectRow | undefined
  organization(id: string): OrganizationRow | undefined
  /** The project of `@current` and of the user's activity; undefined for a user without projects */
  currentProject(user: UserRow): ProjectRow | undefined
  hasDashboardItem(id: number): boolean
  /** The label of a key that is no longer there */
  formerKey(value: string): string | undefined
  /** Whether another sandbox has a key */
  isTakenElsewhere(value: string): boolean
}

interface DirectorySource {
  readonly tables: Tables
  readonly changes: { readonly formerKeys: ReadonlyMap<string, string> }
  isTakenElsewhere(key: string): boolean
}

/** The directory of a sandbox. It always reads the current tables, because a reset replaces them. */
export class TableDirectory implements AccountDirectory {
  readonly #sandbox: DirectorySource

  constructor(sandbox: DirectorySource) {
    this.#sandbox = sandbox
  }

  key(value: string): KeyRow | undefined {
    return this.#sandbox.tables.keys.get(value)
  }

  user(id: number): UserRow | undefined {
    return this.#sandbox.tables.users.get(id)
  }

  project(id: number): ProjectRow | undefined {
    return this.#sandbox.tables.projects.get(id)
  }

  projectByToken(token: string): ProjectRow | undefined {
    const projects = this.#sandbox.tables.projects.values()
    return [...projects].find(({ api_token }) => api_token === token)
  }

  organization(id: string): OrganizationRow | undefined {
    return this.#sandbox.tables.organizations.get(id)
  }

  currentProject(user: UserRow): ProjectRow | undefined {
    return currentProject(user, this.#sandbox.tables)
  }

  hasDashboardItem(id: number): boolean {
    return this.#sandbox.tables.dashboard_items.get(id) !== undefined
  }

  formerKey(value: string): string | undefined {
    return this.#sandbox.changes.formerKeys.get(value)
  }

  isTakenElsewhere(value: string): boolean {
    return this.#sandbox.isTakenElsewhere(value)
  }
}

/** The project that the user chose, else the first project of the first organization that has one. */
export function currentProject(user: UserRow, { projects }: Tables): ProjectRow | undefined {
  if (user.current_project !== null) return projects.get(user.current_project)
  const all = [...projects.values()]
  for (const organization of user.organizations) {
    const first = all.find((project) => project.organization === organization)
    if (first) return first
  }
  return undefined
}
