import { isObject } from '../utils/json.ts'
import { type DraftLists, toDraft } from './draft-rows.ts'
import { itemsOf, type Observation } from './observation.ts'

/**
 * Adds the plugin catalogue: the entries that a list shows, and the versions that checks and upgrades show. A check for
 * updates shows the newest tag, and an upgrade everything of the newest version.
 *
 * @param lists the rows of the world, with its plugins. Changed in place
 */
export function addCatalogue(lists: DraftLists, observations: readonly Observation[]): void {
  const list = observations.find(
    ({ operation, other }) => operation === 'listPluginRepository' && other !== undefined,
  )
  for (const entry of itemsOf(list?.other).filter(isObject))
    lists.repository.push(toDraft('repository', entry, {}))
  for (const { operation, rows } of observations) {
    const isCheck = operation === 'checkPluginForUpdates'
    if (!isCheck && operation !== 'upgradePlugin') continue
    for (const { id, url, latest_tag: tag, ...shown } of rows) {
      const { name, description, icon, config_schema, public_jobs } = shown
      const before = lists.plugins.find((plugin) => plugin.id === id)
      if (typeof url !== 'string' || typeof tag !== 'string') continue
      if (before?.latest_tag === tag && isCheck) continue
      const text = (value: unknown): string => (typeof value === 'string' ? value : '')
      const known = lists.repository.find((entry) => entry.url === url)
      const entry = known ?? {
        ...{ name: text(name), url, description: text(description) },
        ...{ verified: false, maintainer: '' },
      }
      if (!known) lists.repository.push(entry)
      const versions = (entry.versions ?? []) as { tag: string }[]
      const others = versions.filter((version) => version.tag !== tag)
      if (isCheck && others.length < versions.length) continue
      const plugin_json = {
        name,
        description,
        icon,
        config: config_schema,
        publicJobs: public_jobs,
      }
      entry.versions = [...others, { tag, plugin_json, source: {} }]
    }
  }
}
