import type { SettingId } from '../../src/settings/setting.ts'
import { annotationsPath as annotations } from '../support/api/paths.ts'
import {
  body,
  foreign,
  hasAllRows,
  hasId,
  type JsonObject,
  must,
  noHeader,
  type PlantedClient,
  plugins,
  refused,
  row,
  sendMany,
  status,
  tag,
} from './planted-client.ts'

const json = { 'content-type': 'application/json' }
const hello = { name: 'X', url: 'https://github.com/acme/hello' }
const old = { key: 'phx_old' }

/** A client for each setting that a client can depend on. */
export const plantedClients: Readonly<Record<SettingId, PlantedClient>> = {
  'annotations.creation_type.values': status(400, 'POST', annotations, {
    body: { creation_type: 'BOT' },
  }),
  'annotations.scope.values': status(400, 'POST', annotations, { body: { scope: 'dashboard' } }),
  'annotations.restore': status(200, 'PATCH', `${annotations}6/`, { body: { deleted: false } }),
  'annotations.deleted.visibility': status(404, 'GET', `${annotations}6/`),
  'annotations.delete.status': status(405, 'DELETE', row),
  'annotations.list.limit.default': body(hasAllRows, 'GET', annotations),
  'annotations.search.reach': status(200, 'GET', `${row}?search=zzz`),
  'annotations.fields': body((annotation) => !('dashboard_id' in annotation), 'GET', row),
  'plugins.json_fields.structure': status(200, 'PATCH', `${plugins}21/`, {
    body: { config_schema: 'text' },
  }),
  'plugins.json_fields.null': status(200, 'PATCH', `${plugins}21/`, {
    body: { config_schema: null },
  }),
  'plugins.plugin_type.values': status(400, 'PATCH', `${plugins}21/`, {
    body: { plugin_type: 'inline' },
  }),
  'plugins.list.limit.default': body(hasAllRows, 'GET', plugins),
  'plugins.create.required': status(201, 'POST', plugins, { body: { plugin_type: 'source' } }),
  'plugins.create.install': body(({ name }) => name === 'X', 'POST', plugins, { body: hello }),
  'plugins.delete.global': status(204, 'DELETE', `${plugins}24/`),
  'plugins.global.visibility': body(({ count }) => count === 0, 'GET', foreign),
  'plugins.access_level': status(201, 'POST', foreign, {
    body: { ...hello, plugin_type: 'source' },
  }),
  'plugins.other.scope': status(200, 'GET', `${plugins}21/check_for_updates/`, {
    key: 'phx_plugin_read',
  }),
  'plugins.other.body': body(hasId, 'GET', `${plugins}unused/`, old),
  'plugins.upgrade.effect': {
    run: async (send) => {
      const before = await tag(await send('GET', `${plugins}21/`))
      const after = await tag(await send('POST', `${plugins}21/upgrade/`, { ...old, body: {} }))
      must(after !== before, 'another tag')
    },
  },
  'keys.missing.status': status(401, 'GET', annotations, { key: null }),
  'keys.insufficient.status': status(403, 'GET', annotations, { key: 'phx_plugins' }),
  'keys.www_authenticate': noHeader('www-authenticate', 'GET', annotations, { key: null }),
  'keys.write_implies_read': refused('GET', annotations, { key: 'phx_annotation_write' }),
  'keys.empty_scopes': refused('GET', annotations, { key: 'phx_none' }),
  'keys.places': refused('GET', `${annotations}?personal_api_key=phx_all`, { key: null }),
  'projects.list.scope': status(200, 'GET', '/api/projects/', { key: 'phx_plugins' }),
  'projects.list.limit.default': body(hasAllRows, 'GET', '/api/projects/', old),
  'errors.body': {
    run: async (send) => {
      const { detail } = (await (await send('GET', `${annotations}999/`)).json()) as JsonObject
      must(typeof detail === 'string', 'a detail')
    },
  },
  'fields.nullable': status(201, 'POST', annotations, { body: { content: null } }),
  'lists.limit.maximum': body(hasAllRows, 'GET', '/api/projects/9/annotations/?limit=5000'),
  'lists.limit.invalid': status(200, 'GET', `${annotations}?limit=many`),
  'methods.put': refused('PUT', row, { body: {} }),
  'methods.undocumented': status(405, 'POST', row, { body: {} }),
  'headers.allow': noHeader('allow', 'GET', row),
  'headers.location': noHeader('location', 'POST', plugins, {
    body: { ...hello, plugin_type: 'source' },
  }),
  'paths.current': status(200, 'GET', '/api/projects/@current/annotations/'),
  'bodies.form': status(415, 'POST', annotations, {
    raw: new URLSearchParams({ content: 'From a form' }),
  }),
  'bodies.json': status(400, 'POST', annotations, { raw: '{"content": NaN}', headers: json }),
  'limits.rate': { run: async (send) => must((await sendMany(send)).status === 200, '200') },
  'limits.retry_after': {
    settings: { 'limits.rate': '480_per_minute' },
    run: async (send) => must(!(await sendMany(send)).headers.has('retry-after'), 'no header'),
  },
  'limits.body': status(201, 'POST', annotations, {
    raw: `{"content": "x"${' '.repeat(200_000)}}`,
    headers: json,
  }),
}
