import { Failure } from '../errors.ts'
import type { Json, PluginRow, PluginVersion } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import { newestVersion } from './catalogue.ts'
import { isObject } from './shapes.ts'
import { withoutQuery } from './texts.ts'

/** What installing overwrites in a plugin (observed §5.2). */
export type Installed = Pick<
  PluginRow,
  | 'name'
  | 'description'
  | 'icon'
  | 'config_schema'
  | 'public_jobs'
  | 'tag'
  | 'latest_tag'
  | 'source'
>

/** The commit that stands for "the newest one" of a url of which the catalogue knows no version. */
const anyCommit = '0000000'

const forms = [
  /^https?:\/\/(?:www\.)?github\.com\/[^/]+\/(?<name>[^/]+?)(?:\.git)?(?:\/(?:tree|commit|archive|releases\/tag)\/(?<tag>[^/]+?)(?:\.zip|\.tar\.gz)?)?\/?$/,
  /^https?:\/\/(?:www\.)?gitlab\.com\/(?:[^/]+\/)+?(?<name>[^/]+?)(?:\/-\/(?:tree|commit|tags|archive)\/(?<tag>[^/]+).*)?\/?$/,
  /^https?:\/\/(?:www\.)?npmjs\.com\/package\/(?<name>(?:@[^/]+\/)?[^/]+)(?:\/v\/(?<tag>[^/]+))?\/?$/,
]

/**
 * What an archive behind a url would bring, without fetching it: from the catalogue, where it knows the url,
 * else a plugin named after the url.
 *
 * @throws Failure `validation_error` for a url that is neither `file:` nor GitHub, GitLab or npm
 */
export function installFrom(url: string, tables: Tables): Installed {
  if (url.startsWith('file:'))
    return { ...contentOf(named(lastSegment(url))), tag: null, latest_tag: null }
  const plain = withoutQuery(url)
  const { name, tag } = forms.map((form) => form.exec(plain)?.groups).find(Boolean) ?? {}
  if (!name) {
    throw new Failure(
      'validation_error',
      'Must be a GitHub/GitLab repository or a npm package URL!',
    )
  }
  const known = newestVersion(url, tables)
  const version = known ?? { tag: tag ?? anyCommit, ...named(name) }
  return { ...contentOf(version), tag: version.tag, latest_tag: version.tag }
}

/** A version of a plugin nobody wrote down: all that is known is its name. */
function named(name: string): Omit<PluginVersion, 'tag'> {
  const plugin_json = { name, config: [] }
  return { plugin_json, source: { 'plugin.json': JSON.stringify(plugin_json) } }
}

/** What a plugin.json says. */
export function contentOf({
  plugin_json,
  source,
}: Omit<PluginVersion, 'tag'>): Omit<Installed, 'tag' | 'latest_tag'> {
  const text = (name: string) => (typeof plugin_json[name] === 'string' ? plugin_json[name] : null)
  return {
    name: text('name'),
    description: text('description'),
    icon: text('icon'),
    config_schema: plugin_json.config ?? {},
    public_jobs: publicJobsOf(plugin_json.publicJobs),
    source,
  }
}

function publicJobsOf(jobs: Json | undefined): Json {
  return isObject(jobs) ? (jobs as Json) : {}
}

function lastSegment(url: string): string {
  return url.replace(/\/+$/, '').split('/').at(-1) || 'plugin'
}
