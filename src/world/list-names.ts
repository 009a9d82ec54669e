// The names of the lists within a table, as rows say in which they stand and readers ask for them.

/** The rows of a project; null: of none. */
export function ofProject(id: number | null | undefined): string {
  return `project:${id}`
}

/** The rows of an organization; of plugins and annotations, those of the organization itself. */
export function ofOrganization(id: string): string {
  return `organization:${id}`
}

/** The configurations of a plugin. */
export function ofPlugin(id: number): string {
  return `plugin:${id}`
}

/** The deleted annotations that would stand in a list. */
export function deletedOf(list: string): string {
  return `${list}:deleted`
}

/** The global plugins of every organization. */
export const everyGlobal = 'global'

/** The global plugins of an organization. */
export function globalOf(organization: string): string {
  return `${ofOrganization(organization)}:global`
}

/** All plugins that an organization has. */
export function ownPlugins(organization: string): string[] {
  return [ofOrganization(organization), globalOf(organization)]
}

/** All plugins that an organization sees. @param everyones with the global ones of the others */
export function seenPlugins(organization: string, everyones: boolean): string[] {
  return [ofOrganization(organization), everyones ? everyGlobal : globalOf(organization)]
}
