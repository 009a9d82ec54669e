import type { Profile } from '../../src/settings/profiles.ts'
import type { SettingOverrides } from '../../src/settings/resolve.ts'

/** A request that is refused, and the settings that decided it. */
export interface Refusal {
  readonly method?: string
  readonly path: string
  readonly key?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly profile?: Profile
  readonly settings?: SettingOverrides
  readonly status: number
  /** Each setting with its value */
  readonly decided: readonly string[]
}

export const annotations = '/api/projects/1/annotations/'
const plugins = '/api/organizations/@current/plugins/'
export const formType: Record<string, string> = {
  'content-type': 'application/x-www-form-urlencoded',
}
const live = 'live'
const currentOff = { 'paths.current': 'off' } as const
const keyStatus = 'keys.missing.status=401'
const scopeStatus = 'keys.insufficient.status=403'

export const refusals: Readonly<Record<string, Refusal>> = {
  PUT: {
    method: 'PUT',
    path: `${annotations}1/`,
    body: '{"content":"x"}',
    status: 405,
    decided: ['methods.put=off'],
  },
  'PUT on a list': {
    method: 'PUT',
    path: annotations,
    body: '{}',
    status: 403,
    key: 'phx_annotation_read',
    profile: live,
    decided: ['methods.undocumented=refused_to_scoped_keys'],
  },
  '@current as a project': {
    path: '/api/projects/@current/annotations/',
    settings: currentOff,
    status: 404,
    decided: ['paths.current=off'],
  },
  '@current as an organization': {
    path: plugins,
    settings: currentOff,
    status: 404,
    decided: ['paths.current=off'],
  },
  'a form': {
    method: 'POST',
    path: annotations,
    headers: formType,
    body: 'content=x',
    status: 415,
    decided: ['bodies.form=refused'],
  },
  XML: {
    method: 'POST',
    path: annotations,
    headers: { 'content-type': 'text/xml' },
    body: '<a/>',
    status: 415,
    decided: [],
  },
  'the parameter format': { path: `${annotations}?format=xml`, status: 404, decided: [] },
  DELETE: {
    method: 'DELETE',
    path: `${annotations}1/`,
    status: 405,
    decided: ['annotations.delete.status=405'],
  },
  'DELETE in live': {
    method: 'DELETE',
    path: `${annotations}1/`,
    profile: live,
    status: 405,
    decided: ['annotations.delete.status=405_empty'],
  },
  'no key': { path: annotations, key: '', status: 401, decided: [keyStatus] },
  'a wrong key': { path: annotations, key: 'phx_wrong', status: 401, decided: [keyStatus] },
  'a key in the query': {
    path: `${annotations}?personal_api_key=phx_all`,
    key: '',
    status: 401,
    decided: ['keys.places=header'],
  },
  'a missing scope': {
    method: 'POST',
    path: annotations,
    key: 'phx_annotation_read',
    body: '{}',
    status: 403,
    decided: [scopeStatus],
  },
  'reading with a write scope': {
    path: annotations,
    key: 'phx_annotation_write',
    status: 403,
    decided: ['keys.write_implies_read=no'],
  },
  'a deleted row': {
    path: `${annotations}6/`,
    status: 404,
    decided: ['annotations.deleted.visibility=hidden'],
  },
  'a missing row': { path: `${annotations}99/`, status: 404, decided: [] },
  'malformed JSON': { method: 'POST', path: annotations, body: '{', status: 400, decided: [] },
  'an unknown value': {
    method: 'POST',
    path: annotations,
    body: '{"scope":"tag"}',
    status: 400,
    decided: ['annotations.scope.values=may_2024'],
  },
  'a large body': {
    method: 'POST',
    path: annotations,
    headers: { 'content-length': '24' },
    body: '{"content":"1234567890"}',
    settings: { 'limits.body': 10 },
    status: 413,
    decided: ['limits.body=10'],
  },
  // The key could be in the body, whose syntax is checked first then.
  'no key, and malformed JSON': {
    method: 'POST',
    path: annotations,
    key: '',
    body: '{',
    status: 401,
    decided: [keyStatus],
  },
  'an unknown path': { path: '/api/projects/1/annotation/', status: 404, decided: [] },
  'an operation for unscoped keys in live': {
    path: '/api/organizations/@current/plugins/unused/',
    key: 'phx_all',
    profile: live,
    status: 403,
    decided: ['plugins.other.scope=refused'],
  },
  ...Object.fromEntries(
    (
      [
        ['a missing plugin', 'POST', `${plugins}999/upgrade`, 'phx_plugin_write', 404],
        ['a missing project', 'PATCH', '/api/projects/9/annotations/', 'phx_annotation_read', 404],
        ['a wrong method', 'PATCH', '/api/projects/@current/annotations/', 'phx_all', 405],
      ] as const
    ).map(([title, method, path, key, status]) => [
      `${title}, hidden by a setting`,
      { method, path, key, status, decided: [] },
    ]),
  ),
  'a missing row for a key without scopes, in live': {
    path: `${annotations}999/`,
    key: 'phx_none',
    profile: live,
    status: 404,
    decided: [],
  },
  'PUT on a missing row': {
    method: 'PUT',
    path: `${annotations}999/`,
    body: '{}',
    status: 405,
    decided: ['methods.put=off', 'methods.undocumented=405'],
  },
}
