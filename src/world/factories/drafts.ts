import type { Json } from '../rows.ts'
import type { ListName } from '../tables.ts'
import { draftAnnotation } from './annotations.ts'
import { formatMoment, randomMoment } from './dates.ts'
import { draftPlugin, draftPluginConfig, draftRepositoryEntry } from './plugins.ts'
import type { RandomSource, RelatedRows, RowContext, RowDraft } from './row-context.ts'

/** Generates the fields that depend on other rows or fields. The models have the defaults of all other fields. */
export const rowDrafts: {
  readonly [List in ListName]: (context: RowContext<List>) => RowDraft<List>
} = {
  organizations: () => ({}),
  projects: ({ overrides, related, random, position }) => ({
    organization: overrides.organization ?? related.choose('organizations', position).id,
    name: overrides.name ?? drawProjectName(related, random),
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

const projectNames =
  'Web shop|Mobile app|Admin|Landing pages|Partner portal|Help centre|Checkout|Blog|Customer portal|Developer docs'

/** A name that no project has yet. After ten projects, the names have a number. */
function drawProjectName(related: RelatedRows, random: RandomSource): string {
  const names = projectNames.split('|')
  const number = Math.floor(related.all('projects').length / names.length) + 1
  const start = random.integer(0, names.length - 1)
  const numbered = [...names.slice(start), ...names.slice(0, start)].map((name) =>
    number === 1 ? name : `${name} ${number}`,
  )
  const free = numbered.find((name) => !related.hasProjectName(name))
  return free ?? `${numbered[0]} ${related.all('projects').length + 1}`
}

/** The e-mail address contains the name, and the id, which makes it unique. */
function draftUser({
  overrides,
  id,
  related,
  random,
  position,
}: RowContext<'users'>): RowDraft<'users'> {
  const first_name = overrides.first_name ?? random.fake.person.firstName()
  const last_name = overrides.last_name ?? random.fake.person.lastName()
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

function draftActivity(context: RowContext<'activity'>): RowDraft<'activity'> {
  const { overrides, related, random, position } = context
  const project =
    overrides.project === undefined
      ? related.choose('projects', position)
      : related.find('projects', overrides.project)
  const organization =
    overrides.organization ?? project?.organization ?? related.choose('organizations', position).id
  const config = random.pickOptional(related.referencing('plugin_configs', 'projects', project?.id))
  const kinds = config ? activityKinds : activityKinds.filter(({ scope }) => scope === 'Plugin')
  const kind =
    activityKinds.find(({ name }) => name === overrides.activity) ?? random.pickWeighted(kinds)

  const isConfig = (overrides.scope ?? kind.scope) === 'PluginConfig'
  const plugin = isConfig
    ? related.find('plugins', config?.plugin)
    : random.pickOptional(related.referencing('plugins', 'organizations', organization))
  const changes = kind.name === 'config_updated' ? structuredClone(configChange) : null
  return {
    user:
      random.pickOptional(related.referencing('users', 'organizations', organization))?.id ?? null,
    organization,
    project: project?.id ?? null,
    activity: kind.name,
    scope: kind.scope,
    item_id: String((isConfig ? config : plugin)?.id ?? 1),
    detail: { changes, trigger: null, name: plugin?.name ?? null, short_id: null, type: null },
    created_at: formatMoment(randomMoment(context), random.integer(1, 999_999)),
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
