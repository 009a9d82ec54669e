import type { Json } from '../rows.ts'
import { randomMoment } from './calendar.ts'
import type { RowContext, RowDraft } from './making.ts'
import { formatMoment } from './moments.ts'

const activityKinds = [
  { weight: 4, name: 'installed', scope: 'Plugin' },
  { weight: 1, name: 'uninstalled', scope: 'Plugin' },
  { weight: 4, name: 'enabled', scope: 'PluginConfig' },
  { weight: 2, name: 'disabled', scope: 'PluginConfig' },
  { weight: 3, name: 'config_updated', scope: 'PluginConfig' },
]

/** Something that a member of an organization did with one of its plugins (observed §5.6). */
export function draftActivity(making: RowContext<'activity'>): RowDraft<'activity'> {
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
