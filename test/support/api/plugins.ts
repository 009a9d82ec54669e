import emptyWorld from '../../../fixtures/empty.json' with { type: 'json' }
import type { Plugin } from '../../../src/index.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { shownFields } from './document.ts'
import { acme, initech } from './paths.ts'

/** The paths of the plugins of Acme, and of Initech. */
export const plugins = `/api/organizations/${acme}/plugins/`
export const elsewhere = `/api/organizations/${initech}/plugins/`

/** The first plugin of the world `empty`: each field that the API's document has, null where nothing else is said. */
export const bare = {
  ...Object.fromEntries(shownFields.plugin.map((name) => [name, null])),
  id: 1,
  config_schema: {},
  is_global: false,
  organization_id: acme,
  organization_name: 'Acme',
  capabilities: {},
  metrics: {},
  public_jobs: {},
} as object as Plugin & Record<string, unknown>

const [ada] = emptyWorld.users

/**
 * Two organizations without plugins. Ada belongs to both, and has the keys `phx_all` and `phx_old`, a key without
 * scopes. Noor belongs only to Initech, and has the keys `phx_noor` and `phx_noor_old`.
 */
export function neighbours(levels: { acme?: number; initech?: number } = {}): WorldJson {
  return {
    organizations: [
      { id: acme, name: 'Acme', plugins_access_level: levels.acme ?? 9 },
      { id: initech, name: 'Initech', plugins_access_level: levels.initech ?? 9 },
    ],
    projects: [
      { id: 1, organization: acme },
      { id: 2, organization: initech },
    ],
    users: [
      {
        ...ada,
        id: 1,
        first_name: 'Ada',
        email: 'ada@example.com',
        organizations: [acme, initech],
      },
      { ...ada, id: 2, first_name: 'Noor', email: 'noor@example.com', organizations: [initech] },
    ] as NonNullable<WorldJson['users']>,
    keys: [
      { value: 'phx_all', user: 1, scopes: ['*'] },
      { value: 'phx_old', user: 1, scopes: null },
      { value: 'phx_noor', user: 2, scopes: ['*'] },
      { value: 'phx_noor_old', user: 2, scopes: null },
    ],
  }
}

/** The key of Ada without scopes, as an option of a request. */
export const legacyKey = { key: 'phx_old' }
