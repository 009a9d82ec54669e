import type { AnnotationRow } from './entities/annotation.ts'
import type {
  ActivityRow,
  DashboardItemRow,
  KeyRow,
  OrganizationRow,
  ProjectRow,
  UserRow,
} from './entities/organization.ts'
import type { PluginConfigRow, PluginRow, RepositoryRow } from './entities/plugin.ts'

export type { Json, Mutable } from '../utils/json.ts'
export type { PluginVersion, SourceFiles } from './entities/plugin.ts'
export type {
  ActivityRow,
  AnnotationRow,
  DashboardItemRow,
  KeyRow,
  OrganizationRow,
  PluginConfigRow,
  PluginRow,
  ProjectRow,
  RepositoryRow,
  UserRow,
}

export interface Rows {
  organizations: OrganizationRow
  projects: ProjectRow
  users: UserRow
  keys: KeyRow
  dashboard_items: DashboardItemRow
  plugins: PluginRow
  plugin_configs: PluginConfigRow
  repository: RepositoryRow
  annotations: AnnotationRow
  activity: ActivityRow
}

/** Whether a key has every scope: a key with `*`, or an older one without a list of scopes. */
export function hasAllScopes({ scopes }: Pick<KeyRow, 'scopes'>): boolean {
  return scopes?.includes('*') ?? true
}

/**
 * The first key that may do everything. Where operations refuse keys with scopes, it is one without a list of scopes, if
 * there is one.
 */
export function findFullAccess(
  keys: readonly KeyRow[],
  settings: Readonly<Partial<Record<string, string | number>>>,
): KeyRow | undefined {
  const unlimited = keys.filter(
    (key) => hasAllScopes(key) && key.projects.length + key.organizations.length === 0,
  )
  const isRefused = settings['plugins.other.scope'] === 'refused'
  return (isRefused && unlimited.find(({ scopes }) => scopes === null)) || unlimited[0]
}

/** What a key may do, and where. @param settings the values of settings, by id */
export function describeAccess(
  key: KeyRow,
  settings: Readonly<Partial<Record<string, string | number>>>,
): string {
  const { scopes, projects, organizations } = key
  const limits = [
    ...projects.map((id) => `project ${id}`),
    ...organizations.map((id) => `organization ${id}`),
  ]
  const only = limits.length > 0 ? `, only in ${limits.join(', ')}` : ''
  if (scopes === null) return `legacy key without scopes: full access${only}`
  if (scopes.length === 0)
    return `no scopes${settings['keys.empty_scopes'] === 'everything' ? ': full access' : ''}${only}`
  const all =
    settings['plugins.other.scope'] === 'refused'
      ? 'all scopes; eight operations on plugins refuse it'
      : 'full access'
  return `${hasAllScopes(key) ? all : scopes.join(', ')}${only}`
}

export interface WriteObserver {
  /** Called after each write. A new row has no `before`, a removed row has no `after`. */
  noteWrite(list: keyof Rows, before: object | undefined, after: object | undefined): void
}
