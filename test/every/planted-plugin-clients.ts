import type { SettingId } from '../../src/settings/setting.ts'
import {
  body,
  foreign,
  hasAllRows,
  hasId,
  must,
  type PlantedClient,
  plugins,
  status,
  tag,
} from './planted-client.ts'

/** A client for each setting of plugins that a client can depend on. */
export const plantedPluginClients: Readonly<Partial<Record<SettingId, PlantedClient>>> = {
  'plugins.json_fields.structure': status(
    'writes a text as config_schema',
    200,
    'PATCH',
    `${plugins}21/`,
    { body: { config_schema: 'text' } },
  ),
  'plugins.json_fields.null': status(
    'clears config_schema with null',
    200,
    'PATCH',
    `${plugins}21/`,
    { body: { config_schema: null } },
  ),
  'plugins.plugin_type.values': status(
    'takes a refusal of the type inline for granted',
    400,
    'PATCH',
    `${plugins}21/`,
    { body: { plugin_type: 'inline' } },
  ),
  'plugins.list.limit.default': body(
    'takes the first page for the whole list of plugins',
    hasAllRows,
    'GET',
    plugins,
  ),
  'plugins.create.required': status('creates a plugin without a name', 201, 'POST', plugins, {
    body: { plugin_type: 'source' },
  }),
  'plugins.create.install': body(
    'expects the name that it sent with a url',
    ({ name }) => name === 'X',
    'POST',
    plugins,
    { body: { name: 'X', url: 'https://github.com/acme/hello' } },
  ),
  'plugins.delete.global': status(
    'deletes a global plugin without making it local first',
    204,
    'DELETE',
    `${plugins}24/`,
  ),
  'plugins.global.visibility': body(
    'counts the plugins of an organization as its own',
    ({ count }) => count === 0,
    'GET',
    foreign,
  ),
  'plugins.access_level': status(
    'creates a plugin whatever the access level of the organization',
    201,
    'POST',
    foreign,
    { body: { name: 'X', url: 'https://github.com/acme/hello', plugin_type: 'source' } },
  ),
  'plugins.other.scope': status(
    'checks for updates with the scope plugin:read',
    200,
    'GET',
    `${plugins}21/check_for_updates/`,
    { key: 'phx_plugin_read' },
  ),
  'plugins.other.body': body(
    'reads the unused plugins as one plugin',
    hasId,
    'GET',
    `${plugins}unused/`,
    { key: 'phx_old' },
  ),
  'plugins.upgrade.effect': {
    assumes: 'expects another tag after an upgrade',
    run: async (send) => {
      const before = await tag(await send('GET', `${plugins}21/`))
      const upgrade = { key: 'phx_old', body: {} }
      const after = await tag(await send('POST', `${plugins}21/upgrade/`, upgrade))
      must(after !== before, 'another tag')
    },
  },
}
