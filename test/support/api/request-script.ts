import { organization } from './endpoints.ts'

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

const annotations = '/api/projects/1/annotations/'
const plugins = `/api/organizations/${organization}/plugins/`
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
  request('GET', annotations),
  request('GET', annotations.slice(0, -1)),
  request('GET', `${annotations}?limit=2&offset=2&search=&b=%20&a=%C3%BC`),
  request('GET', `${annotations}?limit=2&limit=0&offset=-1`),
  request('GET', `${annotations}?search=release%20deploy`),
  request('GET', `${annotations}?search=%00%ff`),
  request('GET', `${annotations}?format=json`),
  request('GET', `${annotations}1/`),
  request('GET', `${annotations}1.json`),
  request('GET', `${annotations}6/`),
  request('GET', `${annotations}999/`),
  request('GET', `${annotations}one/`),
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
  request('HEAD', annotations),
  request('HEAD', `${annotations}999/`),
  request('OPTIONS', annotations),
  request('OPTIONS', `${plugins}21/`),
  request('PROPFIND', annotations),
  request('PATCH', annotations, { body: {} }),
  request('DELETE', `${annotations}1/`),
  request('PUT', `${annotations}1/`, { body: { content: 'Put' } }),
  request('GET', annotations, { key: null }),
  request('GET', annotations, { key: 'phx_nobody' }),
  request('GET', `${annotations}?personal_api_key=phx_all&limit=1`, { key: null }),
  request('GET', annotations, { key: 'phx_none' }),
  request('GET', annotations, { key: 'phx_annotation_write' }),
  request('GET', plugins, { key: 'phx_project_1' }),
  request('GET', annotations, { headers: { accept: 'text/html' } }),
  request('GET', annotations, { headers: { accept: 'text/html, application/*;q=0.5' } }),
  request('POST', annotations, {
    body: { content: 'Größer 🦔 "quoted" \u2028', scope: 'project' },
  }),
  request('POST', annotations, { body: {} }),
  request('POST', annotations),
  request('POST', annotations, { body: { date_marker: '2024-06-01T10:00:00.5+02:00' } }),
  request('POST', annotations, { body: { content: 'x'.repeat(401), deleted: 'maybe' } }),
  request('POST', annotations, { body: [1] }),
  request('POST', annotations, { raw: 'null', headers: json }),
  request('POST', annotations, { raw: '{"content": ', headers: json }),
  request('POST', annotations, { raw: Uint8Array.of(0x7b, 0xff), headers: json }),
  request('POST', annotations, { raw: '{"__proto__":{"deleted":true}}', headers: json }),
  request('POST', annotations, { raw: 'content=From+a+form', headers: form }),
  request('POST', annotations, { raw: 'x', headers: { 'content-type': 'text/plain' } }),
  request('POST', annotations, { raw: `{"content":"${'x'.repeat(2_000_000)}"}`, headers: json }),
  request('POST', annotations, { key: 'phx_annotation_read', body: {} }),
  request('PATCH', `${annotations}6/`, { body: { deleted: false } }),
  request('PATCH', `${annotations}9/`, { body: { dashboard_item: 10, content: null } }),
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
  request('GET', `${annotations}?limit=5`),
  request('GET', '/api/nothing'),
  request('POST', '/api/projects/1/annotation/', { body: {} }),
  request('HEAD', '/api/'),
]
