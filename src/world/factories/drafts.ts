import type { ListName } from '../tables.ts'
import { draftAnnotation } from './annotations.ts'
import { formatMoment, randomMoment } from './dates.ts'
import { draftPlugin, draftPluginConfig, draftRepositoryEntry } from './plugins.ts'
import { pickOptional, type RowContext, type RowDraft } from './row-context.ts'

/** Generates the fields that depend on other rows or fields. The models have all others. */
export const rowDrafts: {
  readonly [List in ListName]: (context: RowContext<List>) => RowDraft<List>
} = {
  organizations: () => ({}),
  projects: draftProject,
  users: draftUser,
  keys: draftKey,
  dashboard_items: ({ overrides, related, index }) => ({
    project: overrides.project ?? related.choose('projects', index).id,
  }),
  repository: draftRepositoryEntry,
  plugins: draftPlugin,
  plugin_configs: draftPluginConfig,
  annotations: draftAnnotation,
  activity: draftActivity,
}

const projectNames = ['Web shop', 'Mobile app', 'Admin', 'Partner portal', 'Help centre', 'Blog']

/** After six projects, the names have a number. */
function draftProject({
  overrides,
  id,
  related,
  index,
}: RowContext<'projects'>): RowDraft<'projects'> {
  const round = Math.ceil(id / projectNames.length)
  const name = `${projectNames[(id - 1) % projectNames.length]}`
  return {
    organization: overrides.organization ?? related.choose('organizations', index).id,
    name: round === 1 ? name : `${name} ${round}`,
  }
}

/** The e-mail address contains the name, and the id, which makes it unique. */
function draftUser({
  overrides,
  id,
  related,
  fake,
  index,
}: RowContext<'users'>): RowDraft<'users'> {
  const first_name = overrides.first_name ?? fake.person.firstName()
  const last_name = overrides.last_name ?? fake.person.lastName()
  const name = `${first_name}.${last_name}`.toLowerCase().replace(/[^a-z.]/g, '')
  return {
    first_name,
    last_name,
    email: `${name}${id}@example.com`,
    organizations: overrides.organizations ?? [related.choose('organizations', index).id],
  }
}

function draftKey({ overrides, related }: RowContext<'keys'>): RowDraft<'keys'> {
  const scopes = overrides.scopes === undefined ? ['*'] : overrides.scopes
  const names = scopes?.join(', ').replace('*', 'all')
  return {
    user: overrides.user ?? related.choose('users').id,
    scopes,
    label: names === undefined ? 'old' : names || 'none',
  }
}

/** The activities of a configuration. Others are of a plugin. */
const ofConfigs: readonly string[] = ['enabled', 'disabled']

/** An entry about a plugin of the organization, or about a configuration of the project. */
function draftActivity(context: RowContext<'activity'>): RowDraft<'activity'> {
  const { overrides, related, fake, index } = context
  const project =
    overrides.project === undefined
      ? related.choose('projects', index)
      : related.find('projects', overrides.project)
  const organization =
    overrides.organization ?? project?.organization ?? related.choose('organizations', index).id
  const config = pickOptional(fake, related.referencing('plugin_configs', 'projects', project?.id))
  const drawn = fake.helpers.arrayElement([
    'installed',
    'uninstalled',
    ...(config ? ofConfigs : []),
  ])
  const activity = overrides.activity ?? drawn
  const scope = overrides.scope ?? (ofConfigs.includes(activity) ? 'PluginConfig' : 'Plugin')
  const isOfConfig = scope === 'PluginConfig'
  const plugin = isOfConfig
    ? related.find('plugins', config?.plugin)
    : pickOptional(fake, related.referencing('plugins', 'organizations', organization))
  const user = pickOptional(fake, related.referencing('users', 'organizations', organization))
  return {
    user: user?.id ?? null,
    organization,
    project: project?.id ?? null,
    activity,
    scope,
    item_id: String((isOfConfig ? config : plugin)?.id ?? 1),
    detail: {
      changes: null,
      trigger: null,
      name: plugin?.name ?? null,
      short_id: null,
      type: null,
    },
    created_at: formatMoment(randomMoment(context), fake.number.int({ min: 1, max: 999_999 })),
  }
}
