import type { Json } from '../rows.ts'
import { someMoment } from './calendar.ts'
import type { Draft, Making } from './making.ts'
import { toTime } from './moments.ts'

const deeds = [
  { weight: 4, name: 'installed', scope: 'Plugin' },
  { weight: 1, name: 'uninstalled', scope: 'Plugin' },
  { weight: 4, name: 'enabled', scope: 'PluginConfig' },
  { weight: 2, name: 'disabled', scope: 'PluginConfig' },
  { weight: 3, name: 'config_updated', scope: 'PluginConfig' },
]

/** Something that a member of an organization did with one of its plugins (observed §5.6). */
export function draftActivity(making: Making<'activity'>): Draft<'activity'> {
  const { given, places, dice, part } = making
  const project =
    given.project === undefined
      ? places.one('projects', part)
      : places.find('projects', given.project)
  const organization =
    given.organization ?? project?.organization ?? places.one('organizations', part).id
  const config = dice.any(places.of('plugin_configs', 'projects', project?.id))
  const possible = config ? deeds : deeds.filter(({ scope }) => scope === 'Plugin')
  const deed = deeds.find(({ name }) => name === given.activity) ?? dice.weigh(possible)

  const isOfConfig = (given.scope ?? deed.scope) === 'PluginConfig'
  const plugin = isOfConfig
    ? places.find('plugins', config?.plugin)
    : dice.any(places.of('plugins', 'organizations', organization))
  const changes = deed.name === 'config_updated' ? structuredClone(changed) : null
  return {
    user: dice.any(places.of('users', 'organizations', organization))?.id ?? null,
    organization,
    project: project?.id ?? null,
    activity: deed.name,
    scope: deed.scope,
    item_id: String((isOfConfig ? config : plugin)?.id ?? 1),
    detail: { changes, trigger: null, name: plugin?.name ?? null, short_id: null, type: null },
    created_at: toTime(someMoment(making), dice.whole(1, 999_999)),
  }
}

const changed: Json = [
  {
    type: 'PluginConfig',
    action: 'changed',
    field: 'host',
    before: 'old.example.com',
    after: 'example.com',
  },
]
