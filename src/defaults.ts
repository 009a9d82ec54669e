import { UsageError } from './usage-error.ts'
import type { Tables } from './world/tables.ts'

/** Values that make a first request easy: of the first key, and the first project, of the world. */
export interface Defaults {
  /** @throws UsageError where the world has no key */
  readonly key: string
  /** @throws UsageError where the world has no project */
  readonly project_id: number
  /** UUID of that project's organization, or of the first one. @throws UsageError where the world has none */
  readonly organization_id: string
}

/** Looked up at each use, as a world can be replaced. */
export function createDefaults(sandbox: { readonly tables: Tables }): Defaults {
  const first = <Row>(rows: Iterable<Row>, list: string): Row => {
    for (const row of rows) return row
    throw new UsageError(
      `Failed to choose a default: expected a world with ${list}, got none. Add one.`,
    )
  }
  return {
    get key() {
      return first(sandbox.tables.keys.values(), 'keys').value
    },
    get project_id() {
      return first(sandbox.tables.projects.values(), 'projects').id
    },
    get organization_id() {
      const { organizations, projects } = sandbox.tables
      for (const { organization } of projects.values()) return organization
      return first(organizations.values(), 'organizations').id
    },
  }
}
