import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import type { SettingOverrides } from '../../../src/settings/resolve.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { acme, initech } from '../api/paths.ts'
import { twoOrganizations } from '../api/two-organizations.ts'

/** The world `default`, whose users belong to a second organization, which has a project and no plugin. */
const world: WorldJson = {
  ...twoOrganizations,
  annotations: (defaultWorld as WorldJson).annotations ?? [],
  keys: (defaultWorld as WorldJson).keys ?? [],
  users: (twoOrganizations.users ?? []).map((user) => ({
    ...user,
    organizations: [acme, initech],
  })),
}

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

/** The ids of rows that a comparison left. */
export function ownRows({ world: rows }: Simulator): unknown[] {
  const isOwn = (row: object): boolean => JSON.stringify(row).includes('understudy ')
  return [
    ...rows.annotations.list().filter((row) => isOwn(row) && !row.deleted),
    ...rows.plugins.list().filter(isOwn),
  ]
}
