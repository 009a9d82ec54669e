import type { KeyRow, OrganizationRow, ProjectRow, UserRow } from '../rows.ts'
import type { ListName } from './lists.ts'
import { organizationIndex, type Tables } from './tables.ts'

/** Finds the rows that authentication and authorization need. */
export interface AccountDirectory {
  key(value: string): KeyRow | undefined
  user(id: number): UserRow | undefined
  project(id: number): ProjectRow | undefined
  organization(id: string): OrganizationRow | undefined
  /** The project of `@current` and of the user's activity; undefined for a user without projects */
  currentProject(user: UserRow): ProjectRow | undefined
  hasDashboardItem(id: number): boolean
}

/** Creates a directory of a sandbox. It always reads the current tables, because a reset replaces them. */
export function createAccountDirectory(sandbox: { readonly tables: Tables }): AccountDirectory {
  return {
    key: (value) => sandbox.tables.keys.get(value),
    user: (id) => sandbox.tables.users.get(id),
    project: (id) => sandbox.tables.projects.get(id),
    organization: (id) => sandbox.tables.organizations.get(id),
    currentProject: (user) => currentProject(user, sandbox.tables),
    hasDashboardItem: (id) => sandbox.tables.dashboard_items.get(id) !== undefined,
  }
}

/** The project that the user chose, else the first project of the first organization that has one. */
export function currentProject(user: UserRow, { projects }: Tables): ProjectRow | undefined {
  if (user.current_project !== null) return projects.get(user.current_project)
  for (const organization of user.organizations) {
    const first = projects.list([organizationIndex(organization)]).at(0)
    if (first) return first.row
  }
  return undefined
}

/** The id of a row; for a key its value. */
export type RowId = number | string

export function rowIdOf(list: ListName, row: object): RowId {
  const { id, value } = row as { id?: RowId; value?: string }
  return (list === 'keys' ? value : id) as RowId
}

/** Finds a row in any list. */
export function findRow(tables: Tables, list: ListName, id: RowId): object | undefined {
  return tables[list].get(id as never)
}
