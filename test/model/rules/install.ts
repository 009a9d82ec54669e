import type { CatalogueEntry, Json, Plugin, Rows } from '../rows.ts'
import { invalid, serverError } from './answers.ts'
import type { PluginCall } from './call.ts'
import { withoutQuery } from './plugins.ts'

type Version = CatalogueEntry['versions'][number]

export function install(
  { rows, organization }: PluginCall,
  type: string | null | undefined,
  url: string | null,
): Partial<Plugin> {
  if (!url && type !== 'source') throw serverError()
  const own = rows.plugins.filter((row) => row.organization === organization.id)
  if (url && own.some((row) => withoutQuery(row.url) === withoutQuery(url))) {
    throw invalid(null, `Plugin from URL "${withoutQuery(url)}" already installed!`)
  }
  if (!url || type === 'source') return { url }
  if (url.startsWith('file:')) {
    const { tag: _, latest_tag: __, ...content } = contentOf(unknownVersion(nameIn(url), ''))
    return { ...content, plugin_type: 'local', url, tag: null, latest_tag: null }
  }
  const plugin_type = type === 'repository' ? type : 'custom'
  return { ...contentOf(download(rows, url)), plugin_type, url }
}

/** The forms of an address, with the tag that can follow it. */
const addresses = [
  /^(https?:\/\/(?:www\.)?github\.com\/[\w.-]+\/[\w.-]+?)(?:\/(?:commit|tree|releases\/tag)\/([\w./-]+))?$/,
  /^(https?:\/\/(?:www\.)?gitlab\.com\/[\w./-]+?)(?:\/-\/(?:commit|tree)\/([\w./-]+))?$/,
  /^(https?:\/\/(?:www\.)?npmjs\.com\/package\/(?:@[\w.-]+\/)?[\w.-]+?)(?:\/v\/([\w./-]+))?$/,
]

/** The version that a URL names: of the catalogue if that has it, and the newest one without a tag. */
function download(rows: Rows, url: string): Version {
  const match = addresses.map((form) => form.exec(withoutQuery(url) ?? '')).find(Boolean)
  if (!match) throw invalid(null, 'Must be a GitHub/GitLab repository or a npm package URL!')
  const [, address = '', tag] = match
  const entry = rows.repository.find((known) => known.url === address)
  const known =
    tag === undefined ? entry?.versions.at(-1) : entry?.versions.find((known) => known.tag === tag)
  return known ?? unknownVersion(nameIn(address), tag ?? noCommit)
}

/** Stands for the newest commit of a repository that the catalogue does not have. */
const noCommit = '0000000'

/** The last part of a URL, and the scope of a npm package before it. */
const nameIn = (url: string): string =>
  /(?:@[^/]+\/)?[^/]+$/.exec(withoutQuery(url) ?? '')?.[0] ?? ''

/** Only the name is known of what is not in the catalogue. */
function unknownVersion(name: string, tag: string): Version {
  const plugin_json = { name, config: [] }
  return { tag, plugin_json, source: { 'plugin.json': JSON.stringify(plugin_json) } }
}

/** The newest version of a plugin in the catalogue, or null if the catalogue does not have it. */
export function newest(rows: Rows, row: Plugin): Version | null {
  return rows.repository.find(({ url }) => url === withoutQuery(row.url))?.versions.at(-1) ?? null
}

/** What a plugin becomes that is installed or upgraded. */
export function contentOf({ tag, plugin_json, source }: Version) {
  const { name, description, icon, config, publicJobs } = plugin_json
  return {
    name: (name ?? null) as string | null,
    description: (description ?? null) as string | null,
    icon: (icon ?? null) as string | null,
    config_schema: (config ?? {}) as Json,
    public_jobs: publicJobs ?? {},
    tag,
    latest_tag: tag,
    source,
  }
}
