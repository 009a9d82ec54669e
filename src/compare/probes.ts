/**
 * A request that shows settings. No row says what to expect: the simulator answers it with each value. In a path,
 * `:project`, `:org`, `:other` and `:missing` are ids, and `{a}` is the id that the row with `save: 'a'` got. In
 * a body and a query, `#` is the text that marks the rows of a comparison.
 */
export interface Probe {
  /** The label of a key, null for none, `wrong` for one that nobody has */
  readonly key: string | null
  readonly method: string
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  /** A body that is not JSON of `body` */
  readonly raw?: string
  readonly type?: string
  /** Names the row that the answer contains, or the first one that it lists */
  readonly save?: string
  /** Other answers are compared with this one: do they have the same message? */
  readonly like?: 'missing row' | 'unknown path' | 'missing key' | 'wrong key'
  /** A refusal is believed even if the operation never succeeds, because no server needs to have it */
  readonly isOptional?: true
}

/** A row of the table. `each` stands for every key, the default for the one that may do most. */
type Row = Omit<Probe, 'key'> & { readonly key?: string | null }

type More = Omit<Row, 'method' | 'path' | 'body'>
const row = (method: string, path: string, body?: Probe['body'], more: More = {}): Row => {
  return { method, path, ...(body && { body }), ...more }
}
const get = (path: string, more?: More): Row => row('GET', path, undefined, more)

const list = '/api/projects/:project/annotations/'
const plugins = '/api/organizations/:org/plugins/'
const elsewhere = '/api/organizations/:other/plugins/'
const unknown = '/api/understudy_unknown/'
/** The link to the page before it shows the limit, and there are no rows to send. */
const far = 'offset=1000000000'
const each = { key: 'each' } as const
const optional = { isOptional: true } as const

const annotation = {
  content: 'understudy # a',
  date_marker: '2001-01-01T00:00:00Z',
  scope: 'project',
}
const later = { date_marker: '2001-01-02T00:00:00Z' }
// A plugin of another type is installed from its url, which cannot be done from this one.
const plugin = { plugin_type: 'source', description: 'understudy #' }
const typeless = { description: 'understudy #', name: 'understudy # u' }
const url = 'https://example.com/understudy-#'
const operations = ['activity', 'exports_unsubscribe_configs', 'repository', 'unused'] as const

const [a, d, x] = ['a', 'd', 'x'].map((name) => `${list}{${name}}/`) as [string, string, string]
const [r, y] = ['r', 'y'].map((name) => `${plugins}{${name}}/`) as [string, string]

/** Values of the structured fields of a plugin: of any shape, and last of the shape that was observed. */
const structured: Readonly<Record<string, readonly unknown[]>> = {
  config_schema: ['understudy', 1, []],
  capabilities: ['understudy', 1, {}],
  metrics: ['understudy', 1, {}],
  public_jobs: ['understudy', 1, {}],
}

const table: readonly Row[] = [
  get(list, { key: null, like: 'missing key' }),
  get(list, { key: 'wrong', like: 'wrong key' }),
  get(`${list}:missing/`, { like: 'missing row' }),
  get(unknown, { like: 'unknown path', ...optional }),
  get(`${list}?limit=1`, { ...each, save: 'x' }),
  get(`${plugins}?limit=1`, { ...each, save: 'y' }),
  get('/api/projects/?limit=1', each),
  get(`${list}?limit=100000&${far}`),
  get(`${list}?limit=1001&offset=1`),
  get(`${list}?offset=1`),
  get(`${list}?${far}`),
  get(`${plugins}?${far}`),
  get(`/api/projects/?${far}`, each),
  get(`${list}?limit=many`),
  get(`${list}?offset=none&limit=1`),
  get(x),
  get(`${x}?search=nowhere`),
  get(`${list}?personal_api_key=phx_unknown1`, { key: null }),
  get('/api/projects/understudy/annotations/', optional),
  get('/api/projects/@current/annotations/?limit=1'),
  get('/api/organizations/@current/plugins/?limit=1'),
  row('POST', list, annotation, { save: 'a' }),
  row('POST', list, { ...annotation, deleted: true }, { save: 'd' }),
  get(a),
  row('PATCH', a, later, each),
  get(`${a}?search=nowhere`),
  ...['USR', 'UNDERSTUDY'].map((creation_type) => row('PATCH', a, { creation_type })),
  ...['dashboard', 'tag', 'understudy', 'project'].map((scope) => row('PATCH', a, { scope })),
  get(d),
  get(`${list}?search=#&limit=50`),
  row('PUT', a, {}, optional),
  row('POST', a, {}, { ...each, ...optional }),
  row('PATCH', a, later, {
    raw: 'date_marker=2001-01-03T00%3A00%3A00Z',
    type: 'application/x-www-form-urlencoded',
  }),
  row('PATCH', a, undefined, { raw: '{"understudy": NaN}' }),
  row('PATCH', a, undefined, { raw: '{}', type: '*/*' }),
  row('PATCH', a, { date_marker: null }),
  row('PATCH', a, { dashboard_item: null }),
  row('PATCH', a, { personal_api_key: ':key' }, { key: null }),
  row('POST', plugins, { ...plugin, url: `${url}-p` }, { save: 'p' }),
  row('POST', plugins, { ...plugin, name: 'understudy # q' }, { save: 'q' }),
  row('POST', plugins, { ...plugin, name: 'understudy # r', url: `${url}-r` }, { save: 'r' }),
  row('POST', plugins, typeless, { save: 'u' }),
  row('POST', plugins, { ...typeless, url: `${url}-t` }, { save: 't' }),
  get(r),
  row('PATCH', r, { description: 'understudy # again' }, each),
  ...['source', 'inline', 'understudy'].map((plugin_type) => row('PATCH', r, { plugin_type })),
  ...Object.entries(structured).flatMap(([field, values]) =>
    values.map((value) => row('PATCH', r, { [field]: value })),
  ),
  ...['config_schema', 'capabilities'].map((field) => row('PATCH', r, { [field]: null })),
  ...operations.map((name) => get(`${plugins}${name}/`, each)),
  get(`${y}source/`),
  get(`${r}source/`, each),
  get(`${r}check_for_updates/`, each),
  row('PATCH', `${r}update_source/`, { 'understudy.txt': 'understudy' }, each),
  row('POST', `${r}upgrade/`, { is_global: 'understudy' }, each),
  row('POST', `${r}upgrade/`, { name: 'understudy # r', url: `${url}-r` }, each),
  get(`${elsewhere}?limit=1`),
  ...operations.map((name) => get(`${elsewhere}${name}/`)),
  row('DELETE', `${plugins}{q}/`),
  row('PATCH', r, { is_global: true }),
  get(`${elsewhere}{r}/`),
  row('DELETE', r),
  row('PATCH', r, { is_global: false }),
  row('DELETE', r),
  ...['p', 't', 'u'].map((name) => row('DELETE', `${plugins}{${name}}/`)),
  row('PATCH', d, { deleted: false }),
  row('PATCH', d, { deleted: true }),
  row('DELETE', a, undefined, optional),
  row('PATCH', a, { deleted: true }),
]

/**
 * The requests of a comparison.
 *
 * @param labels the labels of the keys, the one that may do most first
 */
export function probesFor(labels: readonly string[]): Probe[] {
  const [most = 'all'] = labels
  return table.flatMap(({ key = most, ...probe }) =>
    (key === 'each' ? labels : [key]).map((label) => ({ key: label, ...probe })),
  )
}

/** The names of the saved rows in the path of a probe. */
export function usedRows({ path }: Probe): string[] {
  return [...path.matchAll(/\{(\w)\}/g)].map(([, name]) => name as string)
}

/** The names of the own rows that a probe touches. `x` and `y` are rows of others, which are only read. */
export function rowsOf(probe: Probe): string[] {
  const names = [...(probe.save ? [probe.save] : []), ...usedRows(probe)]
  return names.filter((name) => !/[xy]/.test(name))
}

/** Whether a request can change rows. Some operations change them with a GET. */
export function isWrite({ method, path }: Probe): boolean {
  return !/^(?:GET|OPTIONS|HEAD)$/.test(method) || /\{[^xy]\}\/check_for_updates/.test(path)
}

/** Whether a request needs own rows, or makes some. */
export function needsRows(probe: Probe): boolean {
  return isWrite(probe) || rowsOf(probe).length > 0 || listsOwnRows(probe)
}

/** Whether a request lists all own rows of a kind. */
export function listsOwnRows({ path }: Pick<Probe, 'path'>): boolean {
  return /[?&]search=#/.test(path)
}
