import { organization } from './endpoints.ts'

/** One request of a script. The body is sent as bytes, so that fetch adds no content type. */
export interface ScriptedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

interface LineOptions {
  /** Null for a request without a key. */
  readonly key?: string | null
  /** Sent as JSON. */
  readonly body?: unknown
  readonly raw?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

const annotations = '/api/projects/1/annotations/'
const plugins = `/api/organizations/${organization}/plugins/`
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }

function line(method: string, path: string, options: LineOptions = {}): ScriptedRequest {
  const { key = 'phx_all', body, raw, headers = {} } = options
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

/** Valid and invalid requests to all operations, for the world default. Later requests depend on earlier ones. */
export const requestScript: readonly ScriptedRequest[] = [
  line('GET', annotations),
  line('GET', annotations.slice(0, -1)),
  line('GET', `${annotations}?limit=2&offset=2&search=&b=%20&a=%C3%BC`),
  line('GET', `${annotations}?limit=2&limit=0&offset=-1`),
  line('GET', `${annotations}?search=release%20deploy`),
  line('GET', `${annotations}?search=%00%ff`),
  line('GET', `${annotations}?format=json`),
  line('GET', `${annotations}1/`),
  line('GET', `${annotations}1.json`),
  line('GET', `${annotations}6/`),
  line('GET', `${annotations}999/`),
  line('GET', `${annotations}one/`),
  line('GET', '/api/projects/@current/annotations/'),
  line('GET', '/api/projects/99/annotations/'),
  line('GET', '/api/projects/%7Bproject_id%7D/annotations/'),
  line('GET', '/api/projects/?limit=1'),
  line('GET', plugins),
  line('GET', `${plugins}21/`),
  line('GET', `${plugins}21/check_for_updates/`),
  line('GET', `${plugins}21/source/`),
  line('GET', `${plugins}activity/?limit=1`),
  line('GET', `${plugins}exports_unsubscribe_configs/`),
  line('GET', `${plugins}repository/`),
  line('GET', `${plugins}unused/`),
  line('GET', '/api/organizations/018F2B6E-0000-7000-8000-00000000000A/plugins/?limit=1'),
  line('GET', '/api/organizations/nobody/plugins/'),
  line('HEAD', annotations),
  line('HEAD', `${annotations}999/`),
  line('OPTIONS', annotations),
  line('OPTIONS', `${plugins}21/`),
  line('PROPFIND', annotations),
  line('PATCH', annotations, { body: {} }),
  line('DELETE', `${annotations}1/`),
  line('PUT', `${annotations}1/`, { body: { content: 'Put' } }),
  line('GET', annotations, { key: null }),
  line('GET', annotations, { key: 'phx_nobody' }),
  line('GET', `${annotations}?personal_api_key=phx_all&limit=1`, { key: null }),
  line('GET', annotations, { key: 'phx_none' }),
  line('GET', annotations, { key: 'phx_annotation_write' }),
  line('GET', plugins, { key: 'phx_project_1' }),
  line('GET', annotations, { headers: { accept: 'text/html' } }),
  line('GET', annotations, { headers: { accept: 'text/html, application/*;q=0.5' } }),
  line('POST', annotations, { body: { content: 'Größer 🦔 "quoted" \u2028', scope: 'project' } }),
  line('POST', annotations, { body: {} }),
  line('POST', annotations),
  line('POST', annotations, { body: { date_marker: '2024-06-01T10:00:00.5+02:00' } }),
  line('POST', annotations, { body: { content: 'x'.repeat(401), deleted: 'maybe' } }),
  line('POST', annotations, { body: [1] }),
  line('POST', annotations, { raw: 'null', headers: json }),
  line('POST', annotations, { raw: '{"content": ', headers: json }),
  line('POST', annotations, { raw: Uint8Array.of(0x7b, 0xff), headers: json }),
  line('POST', annotations, { raw: '{"__proto__":{"deleted":true}}', headers: json }),
  line('POST', annotations, { raw: 'content=From+a+form', headers: form }),
  line('POST', annotations, { raw: 'x', headers: { 'content-type': 'text/plain' } }),
  line('POST', annotations, { raw: `{"content":"${'x'.repeat(2_000_000)}"}`, headers: json }),
  line('POST', annotations, { key: 'phx_annotation_read', body: {} }),
  line('PATCH', `${annotations}6/`, { body: { deleted: false } }),
  line('PATCH', `${annotations}9/`, { body: { dashboard_item: 10, content: null } }),
  line('PATCH', '/api/projects/2/annotations/9/', { body: { scope: 'organization' } }),
  line('POST', plugins, { body: { plugin_type: 'source', name: 'Mine', metrics: { a: 'sum' } } }),
  line('POST', plugins, { body: { url: 'https://github.com/acme/url-cleaner' } }),
  line('PATCH', `${plugins}22/`, { body: { name: 'Renamed', config_schema: { a: [1, null] } } }),
  line('PATCH', `${plugins}23/update_source/`, { body: { 'index.ts': 'export {}' } }),
  line('POST', `${plugins}22/upgrade/`, { body: {} }),
  line('DELETE', `${plugins}24/`),
  line('DELETE', `${plugins}24/`),
  line('GET', `${plugins}?limit=3&offset=1`),
  line('GET', `${annotations}?limit=5`),
  line('GET', '/api/nothing'),
  line('POST', '/api/projects/1/annotation/', { body: {} }),
  line('HEAD', '/api/'),
]
