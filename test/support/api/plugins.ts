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

/** A version of a plugin of the catalogue. */
export const newest = {
  tag: '2.0.0',
  plugin_json: {
    name: 'Hello 2',
    description: 'Greets twice',
    icon: 'https://example.com/2.png',
    config: [{ key: 'host', name: 'Host', type: 'string' }],
    publicJobs: { again: { payload: {} } },
  },
  source: { 'plugin.json': '{"name":"Hello 2"}', 'index.ts': 'export const two = 2' },
}

/** The fields of a plugin in that version. */
export const newestFields = {
  name: 'Hello 2',
  description: 'Greets twice',
  icon: 'https://example.com/2.png',
  config_schema: [{ key: 'host', name: 'Host', type: 'string' }],
  public_jobs: { again: { payload: {} } },
  tag: '2.0.0',
  latest_tag: '2.0.0',
}

const listed = { name: 'Hello', description: '', verified: true, maintainer: 'official' } as const
const older = { tag: '1.0.0', plugin_json: { name: 'Hello' }, source: {} }

/** The two organizations with a catalogue: a plugin with two versions, and one without versions. */
export const catalogue: WorldJson = {
  ...neighbours(),
  repository: [
    { ...listed, url: 'https://github.com/acme/hello', versions: [older, newest] },
    { ...listed, url: 'https://github.com/acme/nothing-yet' },
  ],
}

/** The key of Ada without scopes, as an option of a request. */
export const legacyKey = { key: 'phx_old' }
