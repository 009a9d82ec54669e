import { anyJson, anyText, bool, objectOf, type Shape } from '../../http/fields/shape.ts'
import type { PluginVersion, RepositoryRow } from '../../world/rows.ts'
import type { Tables } from '../../world/table/tables.ts'
import { normalizeUrl } from './plugin.ts'

/** A plugin of the catalogue, as the API returns it. */
export interface CatalogueEntry {
  name: string
  url: string
  description: string
  verified: boolean
  maintainer: string
}

export const catalogueEntryShape: Shape<CatalogueEntry> = objectOf(
  { name: anyText, url: anyText, description: anyText, verified: bool, maintainer: anyText },
  anyJson,
)

/** The catalogue in its own order. Additional fields of an entry are returned unchanged. */
export function listCatalogue({ repository }: Tables): CatalogueEntry[] {
  return [...repository.values()].map(
    ({ name, url, description, verified, maintainer, extra }) => ({
      name,
      url,
      description,
      verified,
      maintainer,
      ...extra,
    }),
  )
}

/** Finds the entry with a URL. */
export function findCatalogueEntry(
  url: string | null,
  { repository }: Tables,
): RepositoryRow | undefined {
  if (url === null) return undefined
  for (const entry of repository.values()) {
    if (normalizeUrl(entry.url) === normalizeUrl(url)) return entry
  }
  return undefined
}

/** The newest version of the plugin with a URL, according to the catalogue. */
export function findNewestVersion(url: string | null, tables: Tables): PluginVersion | undefined {
  return findCatalogueEntry(url, tables)?.versions.at(-1)
}
