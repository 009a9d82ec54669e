import type { SettingId } from '../../src/settings/setting.ts'
import { annotationsPath as annotations } from '../support/api/paths.ts'
import {
  body,
  hasAllRows,
  type JsonObject,
  must,
  noHeader,
  type PlantedClient,
  plugins,
  refused,
  row,
  sendMany,
  status,
} from './planted-client.ts'
import { plantedPluginClients } from './planted-plugin-clients.ts'

/** A client for each setting that a client can depend on. */
export const plantedClients: Readonly<Partial<Record<SettingId, PlantedClient>>> = {
  'annotations.creation_type.values': status(
    'leaves the check of creation_type to the service',
    400,
    'POST',
    annotations,
    { body: { creation_type: 'BOT' } },
  ),
  'annotations.scope.values': status(
    'takes a refusal of the scope dashboard for granted',
    400,
    'POST',
    annotations,
    { body: { scope: 'dashboard' } },
  ),
  'annotations.restore': status('undoes a deletion by PATCH', 200, 'PATCH', `${annotations}6/`, {
    body: { deleted: false },
  }),
  'annotations.deleted.visibility': status(
    'takes 404 as the sign that a row is deleted',
    404,
    'GET',
    `${annotations}6/`,
  ),
  'annotations.delete.status': status(
    'falls back to PATCH if DELETE returns 405, and fails otherwise',
    405,
    'DELETE',
    row,
  ),
  'annotations.list.limit.default': body(
    'takes the first page for the whole list of annotations',
    hasAllRows,
    'GET',
    annotations,
  ),
  'annotations.search.reach': status(
    'appends its search to the URL of a row',
    200,
    'GET',
    `${row}?search=zzz`,
  ),
  ...plantedPluginClients,
  'keys.missing.status': status('signs in again after 401 only', 401, 'GET', annotations, {
    key: null,
  }),
  'keys.insufficient.status': status(
    'takes 404 as the sign that a row is gone, also without the scope',
    403,
    'GET',
    annotations,
    { key: 'phx_plugins' },
  ),
  'keys.www_authenticate': noHeader(
    'hands a 401 with WWW-Authenticate to the dialog of the browser',
    'www-authenticate',
    'GET',
    annotations,
    { key: null },
  ),
  'keys.write_implies_read': refused(
    'trusts that a write-only key reads nothing',
    'GET',
    annotations,
    { key: 'phx_annotation_write' },
  ),
  'keys.empty_scopes': refused('takes a key without scopes for harmless', 'GET', annotations, {
    key: 'phx_none',
  }),
  'keys.places': refused(
    'trusts that a key in the query has no effect',
    'GET',
    `${annotations}?personal_api_key=phx_all`,
    { key: null },
  ),
  'projects.list.scope': status(
    'lists projects with a key for plugins',
    200,
    'GET',
    '/api/projects/',
    { key: 'phx_plugins' },
  ),
  'projects.list.limit.default': body(
    'takes the first page for the whole list of projects',
    hasAllRows,
    'GET',
    '/api/projects/',
    { key: 'phx_old' },
  ),
  'errors.body': {
    assumes: 'parses each response as JSON, and shows its detail',
    run: async (send) => {
      const { detail } = (await (await send('GET', `${annotations}999/`)).json()) as JsonObject
      must(typeof detail === 'string', 'a detail')
    },
  },
  'fields.nullable': status('sends null for a field without a value', 201, 'POST', annotations, {
    body: { content: null },
  }),
  'lists.limit.maximum': body(
    'gets any list at once with a high limit',
    hasAllRows,
    'GET',
    '/api/projects/9/annotations/?limit=5000',
  ),
  'lists.limit.invalid': status(
    'sends a limit that is not a number',
    200,
    'GET',
    `${annotations}?limit=many`,
  ),
  'methods.put': refused('trusts that PUT changes nothing', 'PUT', row, { body: {} }),
  'methods.undocumented': status('detects an older version of the API by a 405', 405, 'POST', row, {
    body: {},
  }),
  'headers.allow': noHeader('takes the header Allow as the sign of an error', 'allow', 'GET', row),
  'paths.current': status(
    'writes @current in place of a project',
    200,
    'GET',
    '/api/projects/@current/annotations/',
  ),
  'headers.location': noHeader(
    'follows each header Location that it meets',
    'location',
    'POST',
    plugins,
    { body: { name: 'X', url: 'https://github.com/acme/hello', plugin_type: 'source' } },
  ),
  'bodies.form': status('trusts that a form is refused', 415, 'POST', annotations, {
    raw: new URLSearchParams({ content: 'From a form' }),
  }),
  'bodies.json': status('leaves the check of its JSON to the service', 400, 'POST', annotations, {
    raw: '{"content": NaN}',
    headers: { 'content-type': 'application/json' },
  }),
  'limits.rate': {
    assumes: 'sends 481 requests a minute',
    run: async (send) => must((await sendMany(send)).status === 200, '200'),
  },
  'limits.retry_after': {
    assumes: 'reads the wait from the message only',
    settings: { 'limits.rate': '480_per_minute' },
    run: async (send) => must(!(await sendMany(send)).headers.has('retry-after'), 'no header'),
  },
  'limits.body': status('sends a body of 200 kB', 201, 'POST', annotations, {
    raw: `{"content": "x"${' '.repeat(200_000)}}`,
    headers: { 'content-type': 'application/json' },
  }),
  'annotations.fields': body(
    'stores each field of an annotation in a column of its own',
    (annotation) => !('dashboard_id' in annotation),
    'GET',
    row,
  ),
}
