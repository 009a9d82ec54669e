import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import type { SettingOverrides } from '../../../src/settings/resolve.ts'
import {
  type SettingId,
  type SettingValues,
  settingIds,
  settingsById,
} from '../../../src/settings/setting.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import type { Random } from '../random.ts'

const initech = '018f2b6e-0000-7000-8000-00000000000b'

/** The world `default`, whose users belong to a second organization, which has a project and no plugin. */
const world = {
  ...defaultWorld,
  organizations: [
    ...defaultWorld.organizations,
    { id: initech, name: 'Initech', plugins_access_level: 9 },
  ],
  projects: [
    ...defaultWorld.projects,
    {
      ...defaultWorld.projects[0],
      id: 3,
      organization: initech,
      uuid: initech,
      api_token: 'phc_3',
    },
  ],
  users: defaultWorld.users.map((user) => ({
    ...user,
    organizations: [...user.organizations, initech],
  })),
} as unknown as WorldJson

/** One key of each kind, as users name them with `--key`. */
export const allKeys: Readonly<Record<string, string>> = {
  all: 'phx_all',
  old: 'phx_old',
  none: 'phx_none',
  'plugin:read': 'phx_plugin_read',
  'annotation:write': 'phx_annotation_write',
}

/** A simulator, as a server whose settings are to be found. */
export function createServer(hidden: SettingOverrides = {}, rows: WorldJson = world): Simulator {
  return createSimulator({ world: rows, settings: hidden, clock: '2024-06-15T12:00:00Z' })
}

/** A world with some of the rows, and the key of each kind with a value of its own. */
export function randomWorld(random: Random): { world: WorldJson; keys: Record<string, string> } {
  const some = <Row>(rows: readonly Row[] = []): Row[] => rows.filter(() => random.below(3) > 0)
  const plugins = some(world.plugins)
  const hasPlugin = ({ plugin }: { readonly plugin: number }): boolean =>
    plugins.some(({ id }) => id === plugin)
  const labels = Object.entries(allKeys)
  const keys = labels.map(([label]) => [
    label,
    `phx_${random.below(1e9).toString(36)}_${label.length}`,
  ])
  const values = Object.fromEntries(keys) as Record<string, string>
  const renamed = world.keys?.map((key) => {
    const label = labels.find(([, value]) => value === key.value)?.[0]
    return label === undefined ? key : { ...key, value: values[label] as string }
  })
  return {
    world: {
      ...world,
      ...(renamed && { keys: renamed }),
      annotations: some(world.annotations),
      plugins,
      plugin_configs: some(world.plugin_configs).filter(hasPlugin),
      repository: some(world.repository),
      activity: some(world.activity),
    },
    keys: values,
  }
}

/** A random value of each setting. */
export function randomSettings(random: Random): SettingOverrides {
  return Object.fromEntries(settingIds.map((id) => [id, randomValue(id, random)]))
}

function randomValue(id: SettingId, random: Random): string | number {
  // A lower limit would refuse the bodies of the comparison.
  if (id === 'limits.body') return 4096 + random.below(1_000_000)
  if (settingsById[id].values.integer) return 1 + random.below(2_000)
  return random.pick(Object.keys(settingsById[id].values))
}

/** The ids of rows that a comparison left. */
export function ownRows({ world: rows }: Simulator): unknown[] {
  const isOwn = (row: object): boolean => JSON.stringify(row).includes('understudy ')
  return [
    ...rows.annotations.list().filter((row) => isOwn(row) && !row.deleted),
    ...rows.plugins.list().filter(isOwn),
  ]
}

const withoutMessage = ({ 'errors.body': form }: SettingValues) =>
  form === 'html' || form === 'empty'

const isNotBelowMaximum = (id: SettingId) => (settings: SettingValues) => {
  const { 'lists.limit.maximum': maximum } = settings
  return maximum !== 'none' && Number(settings[id]) >= Number(maximum)
}

const never = () => true

/** The settings under which another one shows itself in no response, even with all keys and writes. */
const masks: { readonly [Id in SettingId]?: (settings: SettingValues) => boolean } = {
  'keys.www_authenticate': (settings) => settings['keys.missing.status'] === '403',
  'keys.empty_scopes': (settings) =>
    withoutMessage(settings) &&
    settings['keys.empty_scopes'] === 'nothing' &&
    settings['keys.missing.status'] === '403' &&
    settings['keys.insufficient.status'] === '403' &&
    settings['projects.list.scope'] !== 'any_key',
  'annotations.list.limit.default': isNotBelowMaximum('annotations.list.limit.default'),
  'plugins.list.limit.default': isNotBelowMaximum('plugins.list.limit.default'),
  'projects.list.limit.default': isNotBelowMaximum('projects.list.limit.default'),
  'annotations.delete.status': (settings) =>
    settings['errors.body'] === 'empty' && settings['annotations.delete.status'].startsWith('405'),
  // An installation, an organization without access, and thousands of requests.
  'plugins.upgrade.effect': never,
  'plugins.access_level': never,
  'limits.rate': never,
  'limits.retry_after': never,
  'limits.body': never,
}

/** Whether a comparison with all keys and writes can show a value. */
export function isVisible(id: SettingId, settings: SettingValues): boolean {
  return !masks[id]?.(settings)
}
