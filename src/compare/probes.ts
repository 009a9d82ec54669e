import { isPerSetting, possibleValues, type SettingId } from '../settings/setting.ts'
import { annotation as annotationEntity } from '../world/entities/annotation.ts'
import type { Entity } from '../world/entities/field.ts'
import { plugin as pluginEntity } from '../world/entities/plugin.ts'

/** The rows that probes are about. Those of others are the first ones of their lists, which are only read. */
export const rows = {
  firstAnnotation: { list: 'annotations', isOwn: false },
  firstPlugin: { list: 'plugins', isOwn: false },
  annotation: { list: 'annotations', isOwn: true },
  deletedAnnotation: { list: 'annotations', isOwn: true },
  pluginWithoutName: { list: 'plugins', isOwn: true },
  pluginWithoutUrl: { list: 'plugins', isOwn: true },
  plugin: { list: 'plugins', isOwn: true },
  pluginWithoutType: { list: 'plugins', isOwn: true },
  pluginOfUrl: { list: 'plugins', isOwn: true },
} as const

export type RowName = keyof typeof rows

export type ListOfRows = (typeof rows)[RowName]['list']

/**
 * A request that shows settings. No row says what to expect: the simulator answers it with each value. In a path,
 * `:project`, `:org`, `:other` and `:missing` are ids, and `{plugin}` is the id that the row with `save: 'plugin'` got. In
 * a body and a query, `#` is the text that marks the rows of a comparison. The value `:key` of a field is a key.
 */
export interface Probe {
  /** The label of a key, null for none, `wrong` for one that nobody has */
  readonly key: string | null
  readonly method: string
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  /** What the row must have after the request, for the setting that it is about */
  readonly stays?: Readonly<Record<string, unknown>>
  /** A body that is not JSON of `body` */
  readonly raw?: string
  readonly type?: string
  /** Names the row that the answer contains, or the first one that it lists */
  readonly save?: RowName
  /** Other answers are compared with this one: do they have the same message? */
  readonly like?: 'missing row' | 'unknown path' | 'missing key' | 'wrong key'
  /** A refusal is believed even if the operation never succeeds, because no server needs to have it */
  readonly isOptional?: true
  /** The setting is none of its values if another status comes than with the best value, or if a value does not stay */
  readonly about?: SettingId
}

/** A probe of the table. The key `each` stands for every key, the default for the one that may do most. */
type TableProbe = Omit<Probe, 'key'> & { readonly key?: string | null }

type Traits = Omit<TableProbe, 'method' | 'path' | 'body'>
const send = (
  method: string,
  path: string,
  body?: Probe['body'],
  traits: Traits = {},
): TableProbe => {
  return { method, path, ...(body && { body }), ...traits }
}
const get = (path: string, traits?: Traits) => send('GET', path, undefined, traits)

export const lists = {
  annotations: '/api/projects/:project/annotations/',
  plugins: '/api/organizations/:org/plugins/',
} as const
const { annotations, plugins } = lists
const elsewhere = '/api/organizations/:other/plugins/'
const projects = '/api/projects/'
const unknown = '/api/understudy_unknown/'
/** The link to the page before it shows the limit, and there are no rows to send. */
const far = 'offset=1000000000'
const withEachKey = { key: 'each' } as const
const optional = { isOptional: true } as const
const replacing = { ...optional, about: 'methods.put' } as const

const pathOf = (name: RowName) => `${lists[rows[name].list]}{${name}}/`
const [ofOthers, annotation, deleted] = [
  pathOf('firstAnnotation'),
  pathOf('annotation'),
  pathOf('deletedAnnotation'),
]
const [plugin, pluginOfOthers] = [pathOf('plugin'), pathOf('firstPlugin')]

const newAnnotation = {
  content: 'understudy # a',
  date_marker: '2001-01-01T00:00:00Z',
  scope: 'project',
}
const later = { date_marker: '2001-01-02T00:00:00Z' }
// A plugin of another type is installed from its url, which cannot be done from this one.
const newPlugin = { plugin_type: 'source', description: 'understudy #' }
const typeless = { description: 'understudy #', name: 'understudy # u' }
const url = 'https://example.com/understudy-#'
const extraLists = ['activity', 'exports_unsubscribe_configs', 'repository', 'unused'] as const

/** Values of the structured fields of a plugin: of any shape, and last of the shape that was observed. */
const structured: Readonly<Record<string, readonly unknown[]>> = {
  config_schema: ['understudy', 1, [1], []],
  capabilities: ['understudy', 1, { methods: 1 }, {}],
  metrics: ['understudy', 1, { understudy: 1 }, {}],
  public_jobs: ['understudy', 1, { understudy: 1 }, {}],
}

/** A request with each word that some value of a setting allows, and with one that none does. The last one stays. */
function wordsOf(path: string, field: string, entity: Entity, last: string): TableProbe[] {
  const allowed = entity.stored.find(({ name }) => name === field)?.body?.words
  if (!allowed || !isPerSetting(allowed)) return []
  const sets = possibleValues(allowed).filter((words) => words !== 'any')
  const words = [...new Set([...sets.flat(), 'UNDERSTUDY'])].filter(
    (word) => word !== '' && word !== last,
  )
  return [...words, last].map((word) =>
    send('PATCH', path, { [field]: word }, { about: allowed.setting }),
  )
}

const table: readonly TableProbe[] = [
  get(annotations, { key: null, like: 'missing key' }),
  get(annotations, { key: 'wrong', like: 'wrong key' }),
  get(`${annotations}:missing/`, { like: 'missing row' }),
  get(unknown, { like: 'unknown path', ...optional }),
  get(`${annotations}?limit=1`, { ...withEachKey, save: 'firstAnnotation' }),
  get(`${plugins}?limit=1`, { ...withEachKey, save: 'firstPlugin' }),
  get(`${projects}?limit=1`, withEachKey),
  get(`${annotations}?limit=100000&${far}`),
  get(`${annotations}?limit=1001&offset=1`),
  get(`${annotations}?offset=1`),
  get(`${annotations}?${far}`),
  get(`${plugins}?${far}`),
  get(`${projects}?${far}`, withEachKey),
  get(`${annotations}?limit=many`),
  get(`${annotations}?offset=none&limit=1`),
  get(ofOthers),
  get(`${ofOthers}?search=nowhere`),
  get(`${annotations}?personal_api_key=phx_unknown1`, { key: null }),
  get('/api/projects/understudy/annotations/', optional),
  get('/api/projects/@current/annotations/?limit=1'),
  get('/api/organizations/@current/plugins/?limit=1'),
  send('POST', annotations, newAnnotation, { save: 'annotation' }),
  send('POST', annotations, { ...newAnnotation, deleted: true }, { save: 'deletedAnnotation' }),
  get(annotation),
  send('PATCH', annotation, later, withEachKey),
  get(`${annotation}?search=nowhere`),
  send('PATCH', `${annotation}?search=nowhere`, later),
  ...wordsOf(annotation, 'creation_type', annotationEntity, 'USR'),
  ...wordsOf(annotation, 'scope', annotationEntity, 'project'),
  get(deleted),
  get(`${annotations}?search=#&limit=50`),
  send('PUT', annotation, {}, { ...replacing, stays: { content: newAnnotation.content } }),
  send('POST', annotation, {}, { ...withEachKey, ...optional, about: 'methods.undocumented' }),
  send('PATCH', annotation, later, {
    raw: 'date_marker=2001-01-03T00%3A00%3A00Z',
    type: 'application/x-www-form-urlencoded',
  }),
  send('PATCH', annotation, undefined, { raw: '{"understudy": NaN}' }),
  send('PATCH', annotation, undefined, { raw: '{}', type: '*/*' }),
  send('PATCH', annotation, { date_marker: null }),
  send('PATCH', annotation, { dashboard_item: null }),
  send('PATCH', annotation, { personal_api_key: ':key' }, { key: null }),
  send('POST', plugins, { ...newPlugin, url: `${url}-p` }, { save: 'pluginWithoutName' }),
  send('POST', plugins, { ...newPlugin, name: 'understudy # q' }, { save: 'pluginWithoutUrl' }),
  send(
    'POST',
    plugins,
    { ...newPlugin, name: 'understudy # r', url: `${url}-r` },
    { save: 'plugin' },
  ),
  send('POST', plugins, typeless, { save: 'pluginWithoutType' }),
  send('POST', plugins, { ...typeless, url: `${url}-t` }, { save: 'pluginOfUrl' }),
  get(plugin),
  send('PATCH', plugin, { description: 'understudy # again' }, withEachKey),
  ...wordsOf(plugin, 'plugin_type', pluginEntity, 'source'),
  ...Object.entries(structured).flatMap(([field, values]) =>
    values.map((value) => send('PATCH', plugin, { [field]: value })),
  ),
  ...['config_schema', 'capabilities'].map((field) => send('PATCH', plugin, { [field]: null })),
  send('PUT', plugin, {}, { ...replacing, stays: { name: 'understudy # r' } }),
  ...extraLists.map((name) => get(`${plugins}${name}/`, withEachKey)),
  get(`${pluginOfOthers}source/`),
  get(`${plugin}source/`, withEachKey),
  get(`${plugin}check_for_updates/`, withEachKey),
  send('PATCH', `${plugin}update_source/`, { 'understudy.txt': 'understudy' }, withEachKey),
  send('POST', `${plugin}upgrade/`, { is_global: 'understudy' }, withEachKey),
  send('POST', `${plugin}upgrade/`, { name: 'understudy # r', url: `${url}-r` }, withEachKey),
  get(`${elsewhere}?limit=1`),
  ...extraLists.map((name) => get(`${elsewhere}${name}/`)),
  send('DELETE', pathOf('pluginWithoutUrl')),
  send('PATCH', plugin, { is_global: true }),
  get(`${elsewhere}{plugin}/`),
  send('DELETE', plugin),
  send('PATCH', plugin, { is_global: false }),
  send('DELETE', plugin),
  ...(['pluginWithoutName', 'pluginOfUrl', 'pluginWithoutType'] as const).map((name) =>
    send('DELETE', pathOf(name)),
  ),
  send(
    'PATCH',
    deleted,
    { deleted: false },
    { about: 'annotations.restore', stays: { deleted: false } },
  ),
  send('PATCH', deleted, { deleted: true }),
  send('DELETE', `${annotations}:missing/`, undefined, optional),
  send('DELETE', annotation, undefined, optional),
  send('PATCH', annotation, { deleted: true }),
]

/**
 * The requests of a comparison.
 *
 * @param labels the labels of the keys, the one that may do most first
 * @param hasWrites whether it makes rows, and changes them
 */
export function probesFor(labels: readonly string[], hasWrites: boolean): Probe[] {
  const [most = 'all'] = labels
  const probes = table.flatMap(({ key = most, ...probe }) =>
    (key === 'each' ? labels : [key]).map((label) => ({ key: label, ...probe })),
  )
  return probes.filter((probe) => hasWrites || !needsRows(probe))
}

/** Nothing else can be an id, and not everything can be a text. */
export function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

/** A number in the query of a probe. 0 for none */
export function numberIn({ path }: Pick<Probe, 'path'>, name: 'limit' | 'offset'): number {
  return Number(new RegExp(`${name}=(\\d+)`).exec(path)?.[1] ?? 0)
}

function ownRowsOf(probe: Probe) {
  const names = [...probe.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as RowName)
  return [...(probe.save ? [probe.save] : []), ...names].filter((name) => rows[name].isOwn)
}

/** The names of the own rows that a probe is about. A list of own rows is about all of them. */
export function subjectsOf(at: number, probes: readonly Probe[]): readonly RowName[] {
  const probe = probes[at] as Probe
  return listsOwnRows(probe) ? probes.flatMap(ownRowsOf) : ownRowsOf(probe)
}

/** Whether a request makes an own row. */
export function isCreation({ method, save }: Probe): boolean {
  return method === 'POST' && save !== undefined
}

/** Whether a request can change rows. Some operations change them with a GET. */
export function isWriteProbe(probe: Probe): boolean {
  return (
    probe.method !== 'GET' ||
    (probe.path.endsWith('check_for_updates/') && ownRowsOf(probe).length > 0)
  )
}

/** Whether a request needs own rows, or makes some. */
function needsRows(probe: Probe) {
  return isWriteProbe(probe) || ownRowsOf(probe).length > 0 || listsOwnRows(probe)
}

function listsOwnRows({ path }: Pick<Probe, 'path'>) {
  return path.includes('search=#')
}

/** A probe as people write requests: without ids, and with the label of its key. */
export function describeProbe({ key, method, path, body, raw, type }: Probe): string {
  const shown = path
    .replace(':project', '{project_id}')
    .replace(':org', '{organization_id}')
    .replace(':other', '{other_organization_id}')
    .replace(':missing', '{missing_id}')
    .replace(/\{(?!\w+_id)\w+\}/, '{id}')
    .replace('search=#', 'search=TEXT')
  const sent = raw ?? (body && JSON.stringify(body).replaceAll(/[ -]#/g, ''))
  const content = sent && (sent !== '{}' || type) ? ` ${sent}` : ''
  return `${method} ${shown}${content}${type ? ` as ${type}` : ''}${describeKey(key)}`
}

function describeKey(key: Probe['key']) {
  if (key === null) return ' without a key'
  if (key === 'wrong') return ' with a wrong key'
  return key === 'all' ? '' : ` with the key ${key}`
}
