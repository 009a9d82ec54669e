import type { Json } from '../rows.ts'
import { draftAnnotation } from './annotations.ts'
import { formatMoment, randomMoment } from './dates.ts'
import type { ListName } from './partial-rows.ts'
import { draftPlugin, draftPluginConfig, draftRepositoryEntry } from './plugins.ts'
import type { RowContext, RowDraft } from './row-context.ts'

/** What a row gets that goes with other rows, or with other fields of its own. The models have the rest. */
export const rowDrafts: {
  readonly [List in ListName]: (making: RowContext<List>) => RowDraft<List>
} = {
  organizations: () => ({}),
  projects: ({ overrides, related, position }) => ({
    organization: overrides.organization ?? related.choose('organizations', position).id,
  }),
  users: draftUser,
  keys: draftKey,
  dashboard_items: ({ overrides, related, position }) => ({
    project: overrides.project ?? related.choose('projects', position).id,
  }),
  repository: draftRepositoryEntry,
  plugins: draftPlugin,
  plugin_configs: draftPluginConfig,
  annotations: draftAnnotation,
  activity: draftActivity,
}

/** The address follows from the name; the id makes it one of a kind. */
function draftUser({
  overrides,
  id,
  related,
  random,
  position,
}: RowContext<'users'>): RowDraft<'users'> {
  const first_name = overrides.first_name ?? random.firstName()
  const last_name = overrides.last_name ?? random.lastName()
  const name = `${first_name}.${last_name}`.toLowerCase().replace(/[^a-z.]/g, '')
  return {
    first_name,
    last_name,
    email: `${name}${id}@example.com`,
    organizations: overrides.organizations ?? [related.choose('organizations', position).id],
  }
}

function draftKey({ overrides, related }: RowContext<'keys'>): RowDraft<'keys'> {
  const scopes = overrides.scopes === undefined ? ['*'] : overrides.scopes
  const names = scopes?.join(', ').replace('*', 'all')
  const member = related.all('users').find(({ is_active }) => is_active)
  return {
    user: overrides.user ?? (member ?? related.choose('users')).id,
    scopes,
    label: names === undefined ? 'old' : names || 'none',
  }
}

const activityKinds = [
  { weight: 4, name: 'installed', scope: 'Plugin' },
  { weight: 1, name: 'uninstalled', scope: 'Plugin' },
  { weight: 4, name: 'enabled', scope: 'PluginConfig' },
  { weight: 2, name: 'disabled', scope: 'PluginConfig' },
  { weight: 3, name: 'config_updated', scope: 'PluginConfig' },
]

/** Something that a member of an organization did with one of its plugins (observed §5.6). */
function draftActivity(making: RowContext<'activity'>): RowDraft<'activity'> {
  const { overrides, related, random, position } = making
  const project =
    overrides.project === undefined
      ? related.choose('projects', position)
      : related.find('projects', overrides.project)
  const organization =
    overrides.organization ?? project?.organization ?? related.choose('organizations', position).id
  const config = random.pickOptional(related.referencing('plugin_configs', 'projects', project?.id))
  const possible = config ? activityKinds : activityKinds.filter(({ scope }) => scope === 'Plugin')
  const deed =
    activityKinds.find(({ name }) => name === overrides.activity) ?? random.pickWeighted(possible)

  const isOfConfig = (overrides.scope ?? deed.scope) === 'PluginConfig'
  const plugin = isOfConfig
    ? related.find('plugins', config?.plugin)
    : random.pickOptional(related.referencing('plugins', 'organizations', organization))
  const changes = deed.name === 'config_updated' ? structuredClone(configChange) : null
  return {
    user:
      random.pickOptional(related.referencing('users', 'organizations', organization))?.id ?? null,
    organization,
    project: project?.id ?? null,
    activity: deed.name,
    scope: deed.scope,
    item_id: String((isOfConfig ? config : plugin)?.id ?? 1),
    detail: { changes, trigger: null, name: plugin?.name ?? null, short_id: null, type: null },
    created_at: formatMoment(randomMoment(making), random.integer(1, 999_999)),
  }
}

const configChange: Json = [
  {
    type: 'PluginConfig',
    action: 'changed',
    field: 'host',
    before: 'old.example.com',
    after: 'example.com',
  },
]
