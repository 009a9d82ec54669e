// The names of the lists within a table, as rows say in which they stand and readers ask for them.

/** The rows of a project; null: of none. */
export function projectIndex(id: number | null | undefined): string {
  return `project:${id}`
}

/** The rows of an organization; of plugins and annotations, those of the organization itself. */
export function organizationIndex(id: string): string {
  return `organization:${id}`
}

/** The configurations of a plugin. */
export function pluginIndex(id: number): string {
  return `plugin:${id}`
}

/** The deleted annotations that would stand in a list. */
export function deletedIndex(list: string): string {
  return `${list}:deleted`
}

/** The global plugins of every organization. */
export const globalPluginsIndex = 'global'

/** The global plugins of an organization. */
export function organizationGlobalPluginsIndex(organization: string): string {
  return `${organizationIndex(organization)}:global`
}

/** All plugins that an organization has. */
export function ownPluginIndexes(organization: string): string[] {
  return [organizationIndex(organization), organizationGlobalPluginsIndex(organization)]
}

/** All plugins that an organization sees. @param everyones with the global ones of the others */
export function visiblePluginIndexes(organization: string, everyones: boolean): string[] {
  return [
    organizationIndex(organization),
    everyones ? globalPluginsIndex : organizationGlobalPluginsIndex(organization),
  ]
}
