import { isObject } from '../../utils/json.ts'
import { uuidFromNumber } from '../../utils/seeded-random.ts'
import type { Assumption } from './assumption.ts'
import { type DraftLists, toDraft } from './draft-rows.ts'
import { addPluginConfigs } from './plugin-configs-seen.ts'
import type { RowHistory } from './row-history.ts'
import { itemsOf, type Sighting } from './sighting.ts'

/**
 * Adds the rows behind the extra operations on plugins: the catalogue and its versions, the activity before the first
 * request, and configurations.
 *
 * @param lists the rows of the world, with its plugins. Changed in place
 */
export function addExtras(
  lists: DraftLists,
  sightings: readonly Sighting[],
  plugins: RowHistory,
): Assumption[] {
  const first = (operation: string): Sighting | undefined =>
    sightings.find((sighting) => sighting.operation === operation && sighting.other !== undefined)
  for (const entry of itemsOf(first('listPluginRepository')?.other).filter(isObject)) {
    lists.repository.push(toDraft('repository', entry, {}))
  }
  addVersions(lists, sightings)
  addActivity(lists, first('listPluginActivity'))
  return addPluginConfigs(lists, sightings, plugins)
}

/** A check for updates shows the newest tag of the catalogue, and an upgrade everything of the newest version. */
function addVersions(lists: DraftLists, sightings: readonly Sighting[]): void {
  for (const { operation, rows } of sightings) {
    const isCheck = operation === 'checkPluginForUpdates'
    if (!isCheck && operation !== 'upgradePlugin') continue
    for (const { id, url, latest_tag: tag, ...shown } of rows) {
      const { name, description, icon, config_schema, public_jobs } = shown
      const before = lists.plugins.find((plugin) => plugin.id === id)
      if (typeof url !== 'string' || typeof tag !== 'string') continue
      if (before?.latest_tag === tag && isCheck) continue
      const text = (value: unknown): string => (typeof value === 'string' ? value : '')
      const found = lists.repository.find((entry) => entry.url === url)
      const entry = found ?? {
        ...{ name: text(name), url, description: text(description) },
        ...{ verified: false, maintainer: '' },
      }
      if (!found) lists.repository.push(entry)
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

function addActivity(lists: DraftLists, sighting: Sighting | undefined): void {
  const entries = itemsOf(sighting?.other).filter(isObject)
  const project = lists.projects[0]?.id ?? null
  const organization = lists.organizations[0]?.id
  for (const [index, entry] of entries.entries()) {
    const user = isObject(entry.user) ? findUser(lists, entry.user) : null
    const id = entries.length - index
    lists.activity.push(toDraft('activity', entry, { id, user, organization, project }))
  }
}

/** The id of the user with an e-mail address. Adds the user if no other response shows one. */
function findUser({ users, organizations }: DraftLists, shown: Record<string, unknown>): unknown {
  const known = users.find(({ email }) => email === shown.email)
  if (known) return known.id
  const id = users.reduce((most, user) => Math.max(most, Number(user.id)), 0) + 1
  users.push({
    ...{ id, uuid: uuidFromNumber(id + 100), distinct_id: `user-${id}` },
    ...{ first_name: shown.first_name, last_name: '', email: shown.email },
    ...{ is_email_verified: null, hedgehog_config: null },
    organizations: organizations.map((organization) => organization.id),
  })
  return id
}
