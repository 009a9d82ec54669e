import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import type { Annotation, Json, Key, Plugin, Rows } from './rows.ts'
import { firstAnnotation, firstPlugin } from './rules/fields.ts'

/** Two organizations with rows, one without any, and one that may install plugins but not make them global. */
export const acme = '018f2b6e-0000-7000-8000-00000000000a'
export const beta = '018f2b6e-0000-7000-8000-00000000000b'
export const hollow = '018f2b6e-0000-7000-8000-00000000000c'
export const delta = '018f2b6e-0000-7000-8000-00000000000d'

/** Where the clock stands when a run starts. */
export const noon = '2024-06-15T12:00:00Z'

const all = ['*']
const codes = { 'index.ts': 'one', 'site.ts': 'two', 'plugin.json': '{"name": "Plugin 23"}' }

/** The world that every run starts with: few rows, but every kind of key, plugin and annotation. */
export function startRows(): Rows {
  return structuredClone({
    organizations: [
      { id: acme, name: 'Acme', plugins_access_level: 9 },
      { id: beta, name: 'Beta', plugins_access_level: 0 },
      { id: hollow, name: 'Hollow', plugins_access_level: 3 },
      { id: delta, name: 'Delta', plugins_access_level: 6 },
    ],
    projects: [project(1, acme), project(2, acme), project(3, beta), project(4, delta)],
    users: [
      user(1, [acme, hollow, delta], { hedgehog_config: { color: 'green', accessories: ['cap'] } }),
      user(2, [beta, acme], { is_email_verified: null, distinct_id: null, current_project: 3 }),
      user(3, [acme], { is_active: false }),
      user(4, []),
    ],
    keys: [
      key('all', 1, all),
      // Only these two reach the other operations in `live`.
      key('old', 1, null),
      key('old_second', 2, null),
      key('annotations', 1, ['annotation:read', 'annotation:write']),
      key('annotation_read', 1, ['annotation:read']),
      key('annotation_write', 1, ['annotation:write']),
      key('plugins', 1, ['plugin:read', 'plugin:write']),
      key('plugin_read', 1, ['plugin:read']),
      key('plugin_write', 1, ['plugin:write']),
      key('none', 1, []),
      key('projects', 1, ['project:read']),
      key('project_1', 1, all, { projects: [1] }),
      key('project_1_read', 1, ['annotation:read'], { projects: [1] }),
      key('project_3', 1, all, { projects: [3] }),
      key('acme_only', 2, all, { organizations: [acme] }),
      key('beta_only', 2, ['annotation:read', 'plugin:read'], { organizations: [beta] }),
      key('both', 2, all, { projects: [3], organizations: [beta] }),
      key('second', 2, all),
      key('inactive', 3, all),
      key('alone', 4, all),
    ],
    dashboard_items: [
      { id: 10, project: 1, short_id: 'AbCd1234', name: 'Signups' },
      { id: 11, project: 1, short_id: 'EfGh5678', name: null },
      { id: 12, project: 2, short_id: 'IjKl9012', name: 'Push opt-ins' },
      { id: 13, project: 3, short_id: 'MnOp3456', name: '' },
    ],
    repository: [
      entry('cleaner', ['0.4.0']),
      // Their plugins have the ids 22 and 21.
      entry('parser', ['1.2.0', '1.3.0']),
      entry('export', ['3f2c1d0', '9b8a7c6']),
      { ...entry('notes', ['1', '2']), displayOnWebsiteLib: true, type: 'data_in' },
      {
        ...entry('mailer', []),
        url: 'https://www.npmjs.com/package/@acme/mailer',
        versions: [{ tag: '2.0.0', plugin_json: {}, source: {} }],
      },
    ],
    plugins: [
      plugin(21, acme, {
        url: 'https://github.com/acme/export',
        tag: '3f2c1d0',
        source: { 'index.ts': 'export {}', 'plugin.json': '{"name": "Plugin 21"}' },
        revision: 1,
      }),
      plugin(22, acme, {
        plugin_type: 'repository',
        url: 'https://github.com/acme/parser?private_token=x',
        config_schema: [{ key: 'host' }, { key: 'token', secret: true }, { markdown: 'Text' }],
        revision: 3,
      }),
      // The catalogue has the URLs of these two, which an upgrade leaves as they are.
      plugin(23, acme, {
        plugin_type: 'source',
        url: 'https://github.com/acme/notes',
        config_schema: [],
        source: codes,
        revision: 2,
      }),
      plugin(24, acme, {
        plugin_type: 'local',
        url: 'https://github.com/acme/cleaner',
        capabilities: {},
      }),
      plugin(25, beta, { url: 'https://github.com/acme/cleaner', tag: '0.4.0', is_global: true }),
      plugin(27, acme, { is_global: true, capabilities: { methods: ['processEvent'] } }),
      plugin(26, beta, { plugin_type: null, name: null, metrics: null, public_jobs: null }),
      plugin(28, delta, {
        is_global: true,
        config_schema: { token: { secret: true }, host: { secret: false } },
      }),
    ],
    plugin_configs: [
      // A plugin of another organization, which this one does not see.
      config(30, 25, 2, {}),
      config(31, 24, 1, {}),
      // The first plugin that exports is not the first plugin.
      config(32, 22, 1, { config: { host: 'h', token: 's', other: 1 } }),
      config(33, 21, 2, { enabled: false }),
      config(36, 27, 1, {}),
      config(34, 25, 3, {}),
      config(35, 23, 1, { deleted: true }),
      config(37, 28, 1, { config: { token: 7, host: null } }),
      config(38, 28, 2, { config: { token: '' } }),
    ],
    annotations: [
      annotation(1, 1, { content: 'Release 1.0', dashboard_item: 10 }),
      annotation(2, 1, { content: 'Spring, campaign', scope: 'project', created_by: 2 }),
      annotation(3, 2, { content: 'PRICING release', scope: 'organization' }),
      annotation(4, 1, { content: null, date_marker: null, created_by: null }),
      annotation(5, 1, { content: 'Removed', deleted: true }),
      annotation(6, 3, { content: 'Theirs 100%', scope: 'organization', created_by: 2 }),
      annotation(7, 3, { content: 'Theirs', dashboard_item: 13, creation_type: 'GIT' }),
      annotation(8, 2, { content: '', date_marker: '2024-06-05T14:20:00.500000Z' }),
    ],
    activity: [
      entryOf(1, 1, 1, '2024-06-01T10:00:00Z', { name: 'Plugin 21' }),
      entryOf(2, 2, 1, '2024-06-02T10:00:00.500000Z', { changes: [{ field: 'enabled' }] }),
      entryOf(3, null, 1, '2024-06-02T10:00:00Z', {}),
      entryOf(4, 2, 3, '2024-06-03T10:00:00Z', { name: 'Plugin 25', short_id: 'x' }),
      entryOf(5, 1, null, '2024-06-04T10:00:00Z', {}),
      // More than a page.
      ...[6, 7, 8, 9, 10, 11, 12, 13].map((id) => entryOf(id, 1, 1, '2024-05-30T10:00:00Z', {})),
    ],
    // Rows with higher ids were removed before.
    nextAnnotation: 12,
    nextPlugin: 40,
    nextActivity: 20,
    nextRevision: 4,
  } satisfies Rows)
}

/** A row of the world `default`, which has every field, with other values. */
const like = <Row, Changes>([row]: readonly Row[], changes: Changes) =>
  ({ ...row, ...changes }) as Omit<Row, keyof Changes> & Changes

export const project = (id: number, organization: string) =>
  like(defaultWorld.projects, {
    ...{ id, organization, name: `Project ${id}`, uuid: uuid(100 + id) },
    ...{ api_token: `phc_project_${id}`, ingested_event: id === 1, is_demo: id === 3 },
  })

export const user = (id: number, organizations: readonly string[], rest: object = {}) =>
  like(defaultWorld.users, {
    ...{ id, organizations, uuid: uuid(id), first_name: `First ${id}`, last_name: `Last ${id}` },
    ...{ distinct_id: `d${id}` as string | null, email: `user${id}@example.com` },
    ...{ is_email_verified: true as boolean | null, hedgehog_config: null as Json },
    ...{ is_active: true, current_project: null as number | null, ...rest },
  })

const uuid = (id: number) => `018f2b6e-0000-7000-8000-${String(id).padStart(12, '0')}`

function key(label: string, user: number, scopes: Key['scopes'], rest: Partial<Key> = {}): Key {
  const limits = { projects: [], organizations: [] }
  return { value: `phx_${label}`, label, user, scopes, ...limits, ...rest }
}

function entry(name: string, tags: readonly string[]) {
  return {
    name,
    url: `https://github.com/acme/${name}`,
    description: `The ${name}`,
    verified: true,
    maintainer: 'official' as const,
    versions: tags.map((tag) => ({
      tag,
      plugin_json: {
        name: `${name} ${tag}`,
        description: `Version ${tag}`,
        icon: `https://example.com/${tag}.png`,
        config: [{ key: tag }],
        publicJobs: { [tag]: { payload: {} } },
      },
      source: { 'index.ts': tag },
    })),
  }
}

function plugin(id: number, organization: string, rest: Partial<Plugin> = {}): Plugin {
  return {
    ...firstPlugin,
    id,
    plugin_type: 'custom',
    name: `Plugin ${id}`,
    description: 'Does something',
    organization,
    capabilities: { methods: ['exportEvents'] },
    ...rest,
  }
}

export const config = (id: number, plugin: number, project: number, rest: object) =>
  like(defaultWorld.plugin_configs, {
    ...{ id, plugin, project, enabled: true, order: id },
    ...{ config: {} as { readonly [field: string]: Json }, ...rest },
  })

export const entryOf = (
  id: number,
  user: number | null,
  project: number | null,
  created_at: string,
  detail: { readonly [name: string]: Json },
) => ({
  ...{ id, user, organization: acme, project, activity: 'installed', detail, created_at },
  ...{ scope: id === 2 ? 'PluginConfig' : 'Plugin', item_id: '21' },
})

function annotation(id: number, projectId: number, rest: Partial<Annotation>): Annotation {
  return {
    ...firstAnnotation,
    id,
    content: `Annotation ${id}`,
    date_marker: `2024-06-0${id}T09:00:00Z`,
    created_by: 1,
    created_at: '2024-06-10T09:00:01.123456Z',
    updated_at: '2024-06-10T09:00:01.123470Z',
    project: projectId,
    ...rest,
  }
}
