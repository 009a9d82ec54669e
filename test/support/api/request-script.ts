import { acme, annotationsPath } from './paths.ts'

export interface ScriptedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

interface RequestParts {
  /** Null for a request without a key */
  readonly key?: string | null
  /** Sent as JSON */
  readonly body?: unknown
  readonly raw?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

const plugins = `/api/organizations/${acme}/plugins/`
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }

function request(method: string, path: string, parts: RequestParts = {}): ScriptedRequest {
  const { key = 'phx_all', body, raw, headers = {} } = parts
  const text = body === undefined ? raw : JSON.stringify(body)
  return {
    method,
    path,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : json),
      ...headers,
    },
    ...(text === undefined ? {} : { body: Buffer.from(text as string) }),
  }
}

export const requestScript: readonly ScriptedRequest[] = [
  request('GET', annotationsPath),
  request('GET', annotationsPath.slice(0, -1)),
  request('GET', `${annotationsPath}?limit=2&offset=2&search=&b=%20&a=%C3%BC`),
  request('GET', `${annotationsPath}?limit=2&limit=0&offset=-1`),
  request('GET', `${annotationsPath}?search=release%20deploy`),
  request('GET', `${annotationsPath}?search=%00%ff`),
  request('GET', `${annotationsPath}?format=json`),
  request('GET', `${annotationsPath}1/`),
  request('GET', `${annotationsPath}1.json`),
  request('GET', `${annotationsPath}6/`),
  request('GET', `${annotationsPath}999/`),
  request('GET', `${annotationsPath}one/`),
  request('GET', '/api/projects/@current/annotations/'),
  request('GET', '/api/projects/99/annotations/'),
  request('GET', '/api/projects/%7Bproject_id%7D/annotations/'),
  request('GET', '/api/projects/?limit=1'),
  request('GET', plugins),
  request('GET', `${plugins}21/`),
  request('GET', `${plugins}21/check_for_updates/`),
  request('GET', `${plugins}21/source/`),
  request('GET', `${plugins}activity/?limit=1`),
  request('GET', `${plugins}exports_unsubscribe_configs/`),
  request('GET', `${plugins}repository/`),
  request('GET', `${plugins}unused/`),
  request('GET', '/api/organizations/018F2B6E-0000-7000-8000-00000000000A/plugins/?limit=1'),
  request('GET', '/api/organizations/nobody/plugins/'),
  request('HEAD', annotationsPath),
  request('HEAD', `${annotationsPath}999/`),
  request('OPTIONS', annotationsPath),
  request('OPTIONS', `${plugins}21/`),
  request('PROPFIND', annotationsPath),
  request('PATCH', annotationsPath, { body: {} }),
  request('DELETE', `${annotationsPath}1/`),
  request('PUT', `${annotationsPath}1/`, { body: { content: 'Put' } }),
  request('GET', annotationsPath, { key: null }),
  request('GET', annotationsPath, { key: 'phx_nobody' }),
  request('GET', `${annotationsPath}?personal_api_key=phx_all&limit=1`, { key: null }),
  request('GET', annotationsPath, { key: 'phx_none' }),
  request('GET', annotationsPath, { key: 'phx_annotation_write' }),
  request('GET', plugins, { key: 'phx_project_1' }),
  request('GET', annotationsPath, { headers: { accept: 'text/html' } }),
  request('GET', annotationsPath, { headers: { accept: 'text/html, application/*;q=0.5' } }),
  request('POST', annotationsPath, {
    body: { content: 'Größer 🦔 "quoted" \u2028', scope: 'project' },
  }),
  request('POST', annotationsPath, { body: {} }),
  request('POST', annotationsPath),
  request('POST', annotationsPath, { body: { date_marker: '2024-06-01T10:00:00.5+02:00' } }),
  request('POST', annotationsPath, { body: { content: 'x'.repeat(401), deleted: 'maybe' } }),
  request('POST', annotationsPath, { body: [1] }),
  request('POST', annotationsPath, { raw: 'null', headers: json }),
  request('POST', annotationsPath, { raw: '{"content": ', headers: json }),
  request('POST', annotationsPath, { raw: Uint8Array.of(0x7b, 0xff), headers: json }),
  request('POST', annotationsPath, { raw: '{"__proto__":{"deleted":true}}', headers: json }),
  request('POST', annotationsPath, { raw: 'content=From+a+form', headers: form }),
  request('POST', annotationsPath, { raw: 'x', headers: { 'content-type': 'text/plain' } }),
  request('POST', annotationsPath, {
    raw: `{"content":"${'x'.repeat(1_100_000)}"}`,
    headers: json,
  }),
  request('POST', annotationsPath, { key: 'phx_annotation_read', body: {} }),
  request('PATCH', `${annotationsPath}6/`, { body: { deleted: false } }),
  request('PATCH', `${annotationsPath}9/`, { body: { dashboard_item: 10, content: null } }),
  request('PATCH', '/api/projects/2/annotations/9/', { body: { scope: 'organization' } }),
  request('POST', plugins, {
    body: { plugin_type: 'source', name: 'Mine', metrics: { a: 'sum' } },
  }),
  request('POST', plugins, { body: { url: 'https://github.com/acme/url-cleaner' } }),
  request('PATCH', `${plugins}22/`, { body: { name: 'Renamed', config_schema: { a: [1, null] } } }),
  request('PATCH', `${plugins}23/update_source/`, { body: { 'index.ts': 'export {}' } }),
  request('POST', `${plugins}22/upgrade/`, { body: {} }),
  request('DELETE', `${plugins}24/`),
  request('DELETE', `${plugins}24/`),
  request('GET', `${plugins}?limit=3&offset=1`),
  request('GET', `${annotationsPath}?limit=5`),
  request('GET', '/api/nothing'),
  request('POST', '/api/projects/1/annotation/', { body: {} }),
  request('HEAD', '/api/'),
]
