import { isObject } from '../utils/json.ts'
import { parseUuid } from '../utils/python.ts'
import { addOrganization, addUser } from './accounts-seen.ts'
import { type DraftLists, toDraft } from './draft-rows.ts'
import { itemsOf, type Observation } from './observation.ts'
import type { RowsSeen } from './rows-seen.ts'

/**
 * Adds the rows behind the other operations on plugins: the catalogue and its versions, the activity before the first
 * request, and configurations.
 *
 * @param lists the rows of the world, with its plugins. Changed in place
 * @returns what is made up, in sentences
 */
export function addOtherLists(
  lists: DraftLists,
  observations: readonly Observation[],
  plugins: RowsSeen,
): string[] {
  const first = (operation: string): Observation | undefined =>
    observations.find(
      (observation) => observation.operation === operation && observation.other !== undefined,
    )
  for (const entry of itemsOf(first('listPluginRepository')?.other).filter(isObject)) {
    lists.repository.push(toDraft('repository', entry, {}))
  }
  addVersions(lists, observations)
  addActivity(lists, first('listPluginActivity'))
  return addPluginConfigs(lists, observations, plugins)
}

/** A check for updates shows the newest tag of the catalogue, and an upgrade everything of the newest version. */
function addVersions(lists: DraftLists, observations: readonly Observation[]): void {
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

function addActivity(lists: DraftLists, observation: Observation | undefined): void {
  const entries = itemsOf(observation?.other).filter(isObject)
  const project = lists.projects[0]?.id ?? null
  const organization = lists.organizations[0]?.id
  for (const [index, entry] of entries.entries()) {
    const user = isObject(entry.user) ? findUser(lists, entry.user) : null
    const id = entries.length - index
    lists.activity.push(toDraft('activity', entry, { id, user, organization, project }))
  }
}

/** The id of the user with an e-mail address. Adds the user if no other response shows one. */
function findUser(lists: DraftLists, { email, first_name }: Record<string, unknown>): unknown {
  const known = lists.users.find((user) => user.email === email)
  const organizations = lists.organizations.map(({ id }) => id)
  return known?.id ?? addUser(lists, { first_name, email, organizations })
}

/** Which plugins of a service have no enabled configuration. */
interface UnusedPlugins {
  readonly ids: ReadonlySet<unknown>
  /** The response says nothing about plugins with higher ids */
  readonly upTo: number
  /** The organization that it is about. Null for all of them */
  readonly organization: string | null
}

/** Adds the configurations of plugins: those that a list shows, and one for each plugin that the service calls used. */
function addPluginConfigs(
  lists: DraftLists,
  observations: readonly Observation[],
  plugins: RowsSeen,
): string[] {
  const exporting = firstOf('listExportsUnsubscribeConfigs', observations)
  for (const config of itemsOf(exporting?.other).filter(isObject)) addShown(lists, config)
  for (const plugin of exporting?.rows ?? []) {
    addPlugin(lists, plugin)
    addUse(lists, plugin.id)
  }
  const observation = firstOf('listUnusedPlugins', observations)
  const unused = observation && readUnused(observation)
  if (!unused) return []
  const warnings = addUnusedPlugins(lists, unused, observations, plugins)
  for (const { id, organization } of lists.plugins) {
    const isNamed = Number(id) > unused.upTo || unused.ids.has(id)
    const isOther = unused.organization !== null && organization !== unused.organization
    const isUsed = lists.plugin_configs.some(({ plugin, enabled }) => plugin === id && enabled)
    if (!isNamed && !isOther && !isUsed) addUse(lists, id)
  }
  return warnings
}

function firstOf(operation: string, observations: readonly Observation[]): Observation | undefined {
  return observations.find(
    (observation) =>
      observation.operation === operation &&
      (observation.other !== undefined || observation.rows.length > 0),
  )
}

/** By the setting of the service, the response is the ids, a page of them, or the first such plugin. */
function readUnused({ rows, other, params }: Observation): UnusedPlugins {
  const organization = parseUuid(params.organization_id ?? '') ?? null
  const [first] = rows
  if (first) return { ids: new Set([first.id]), upTo: Number(first.id), organization }
  // A plugin with the id 0 stands for none.
  if (isObject(other) && other.id === 0) return { ids: new Set(), upTo: Infinity, organization }
  const ids = itemsOf(other)
  const isWhole = !isObject(other) || other.count === ids.length
  return {
    ids: new Set(ids),
    upTo: isWhole ? Infinity : Number(ids.at(-1) ?? 0),
    organization: null,
  }
}

/** Adds a configuration that a response showed, with its plugin and its project. */
function addShown(lists: DraftLists, config: Record<string, unknown>): void {
  const { plugin_info: plugin, team_id: project } = config
  const organization = isObject(plugin) ? plugin.organization_id : undefined
  if (isObject(plugin)) addPlugin(lists, plugin)
  if (!lists.projects.some(({ id }) => id === project)) {
    lists.projects.push({ id: project, organization })
  }
  lists.plugin_configs.push(toDraft('plugin_configs', config, { project }))
}

function addPlugin({ plugins }: DraftLists, shown: Record<string, unknown>): void {
  if (plugins.some(({ id }) => id === shown.id)) return
  plugins.push(toDraft('plugins', shown, { organization: shown.organization_id }))
}

/** Adds the unused plugins that no other response shows. A list of plugins would have shown those of its organization. */
function addUnusedPlugins(
  lists: DraftLists,
  { ids }: UnusedPlugins,
  observations: readonly Observation[],
  { created }: RowsSeen,
): string[] {
  const added = [...ids].filter(
    (id): id is number =>
      Number.isInteger(id) &&
      !created.has(id as number) &&
      !lists.plugins.some((row) => row.id === id),
  )
  if (added.length === 0) return []
  const isListed = observations.some(({ list, page }) => list === 'plugins' && page)
  const organization = isListed ? addOrganization(lists) : lists.organizations[0]?.id
  lists.plugins.push(...added.map((id) => createPlugin(id, organization)))
  return [`The content of plugins ${added.join(', ')} is made up: they are only listed as unused.`]
}

/** Adds an enabled configuration of a plugin, in a project of its organization if there is one. */
function addUse({ plugins, projects, plugin_configs }: DraftLists, plugin: unknown): void {
  const organization = plugins.find(({ id }) => id === plugin)?.organization
  const project = projects.find((row) => row.organization === organization) ?? projects[0]
  const id = plugin_configs.reduce((most, row) => Math.max(most, Number(row.id)), 0) + 1
  plugin_configs.push({ id, plugin, project: project?.id, enabled: true, order: 1, config: {} })
}

/** A plugin of which only the id is known. */
function createPlugin(id: number, organization: unknown): Record<string, unknown> {
  return toDraft('plugins', { id, plugin_type: 'local', name: `Plugin ${id}` }, { organization })
}
