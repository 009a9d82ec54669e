import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { annotationFields } from '../../support/api/annotation.ts'

const acme = '018f2b6e-0000-7000-8000-00000000000a'
const [organization] = defaultWorld.organizations
const [project] = defaultWorld.projects
const [user] = defaultWorld.users
const [key] = defaultWorld.keys
const [item] = defaultWorld.dashboard_items
const [plugin] = defaultWorld.plugins
const [config] = defaultWorld.plugin_configs
const [annotation] = defaultWorld.annotations
const [activity] = defaultWorld.activity

/** The default world with some lists replaced. */
const withLists = (lists: object) => ({ ...defaultWorld, ...lists })

/** Invalid worlds, each with all of its issues. */
export const worlds: readonly [description: string, world: unknown, issues: readonly string[]][] = [
  ['a list', [], ['expected object, got []']],
  [
    'an unknown field',
    { anotations: [] },
    ['anotations: unknown field. Did you mean "annotations"?'],
  ],
  ['an object instead of a list', { projects: {} }, ['projects: expected array, got {}']],
  [
    'rows that are not objects',
    { users: [null, 5] },
    ['users[0]: expected object, got null', 'users[1]: expected object, got 5'],
  ],
  [
    'unknown fields of rows, one of which only responses have',
    withLists({
      annotations: [
        { ...annotation, tags: [] },
        { ...annotation, id: 2, insight_name: 'x' },
      ],
    }),
    [
      `annotations[0].tags: unknown field. Allowed: ${annotationFields()}`,
      `annotations[1].insight_name: unknown field. Allowed: ${annotationFields()}`,
    ],
  ],
  [
    'rows without required fields',
    { dashboard_items: [{ id: 1 }], organizations: [{}] },
    [
      'organizations[0].id: expected string, got nothing',
      'organizations[0].name: expected string, got nothing',
      'dashboard_items[0].project: expected number, got nothing',
      'dashboard_items[0].short_id: expected string, got nothing',
      'dashboard_items[0].name: expected string or null, got nothing',
    ],
  ],
  [
    'misspelt scopes',
    withLists({
      keys: [{ ...key, scopes: ['annotations:read', 'feature_flag:read', 'plugn:write'] }],
    }),
    [
      'keys[0].scopes[0]: expected a known scope, got "annotations:read". Did you mean annotation:read?',
      'keys[0].scopes[2]: expected a known scope, got "plugn:write". Did you mean plugin:write?',
    ],
  ],
  [
    'wrong types',
    withLists({
      projects: [{ ...project, id: '1', is_demo: 'no' }],
      keys: [{ ...key, scopes: 'annotation:read', projects: [1.5] }],
      plugins: [{ ...plugin, is_global: null, config_schema: undefined }],
    }),
    [
      'projects[0].id: expected number, got "1"',
      'projects[0].is_demo: expected boolean, got "no"',
      'keys[0].scopes: expected array or null, got "annotation:read"',
      'keys[0].projects[0]: expected int, got 1.5',
      'plugins[0].config_schema: expected JSON with at most 900 levels and finite numbers, got nothing',
      'plugins[0].is_global: expected boolean, got null',
      'plugin_configs[1].plugin: expected an id in plugins, got 22',
    ],
  ],
  [
    'values that are not allowed',
    withLists({
      organizations: [{ ...organization, plugins_access_level: 5 }],
      plugins: [{ ...plugin, plugin_type: 'robot', name: 'x'.repeat(201) }],
      annotations: [{ ...annotation, scope: 'team', creation_type: 'BOT', id: 0 }],
    }),
    [
      'organizations[0].plugins_access_level: expected one of 0, 3, 6, 9, got 5',
      'plugins[0].plugin_type: expected one of "local", "custom", "repository", "source", "", "inline" or null, got "robot"',
      `plugins[0].name: expected at most 200 characters, got "${'x'.repeat(79)}…`,
      'annotations[0].id: expected at least 1, got 0',
      'annotations[0].creation_type: expected one of "USR", "GIT", got "BOT"',
      'annotations[0].scope: expected one of "dashboard_item", "dashboard", "project", "organization", "recording", "tag", got "team"',
      'plugin_configs[1].plugin: expected an id in plugins, got 22',
    ],
  ],
  [
    'ids that are not UUIDs',
    {
      organizations: [
        { id: 'ACME', name: 'Acme' },
        { id: acme.toUpperCase(), name: '' },
      ],
    },
    [
      'organizations[0].id: expected a lower-case UUID, got "ACME"',
      `organizations[1].id: expected a lower-case UUID, got "${acme.toUpperCase()}"`,
    ],
  ],
  [
    'keys that no client can send',
    withLists({
      keys: [
        { ...key, value: 'x' },
        { ...key, value: ' phx ' },
        { ...key, value: 'phx_half\ud800' },
        { ...key, value: 'ok', scopes: ['annotation:delete', 'Annotation:read'] },
      ],
    }),
    [
      'keys[0].value: expected at least two characters, without surrounding white space, got "x"',
      'keys[1].value: expected at least two characters, without surrounding white space, got " phx "',
      'keys[2].value: expected well-formed Unicode, without lone surrogates, got "phx_half\\ud800"',
      'keys[3].scopes[0]: expected a scope such as annotation:read, or *, got "annotation:delete"',
      'keys[3].scopes[1]: expected a scope such as annotation:read, or *, got "Annotation:read". Did you mean annotation:read?',
    ],
  ],
  [
    'invalid times',
    withLists({
      now: 'today',
      annotations: [
        {
          ...annotation,
          date_marker: '2024-02-30',
          created_at: '2024-02-30 noon',
          updated_at: null,
        },
      ],
      activity: [{ ...activity, created_at: '0001-01-01T00:00+01' }],
    }),
    [
      'now: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "today"',
      'annotations[0].date_marker: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "2024-02-30"',
      'annotations[0].created_at: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "2024-02-30 noon"',
      'annotations[0].updated_at: expected string, got null',
      'activity[0].created_at: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "0001-01-01T00:00+01"',
    ],
  ],
  [
    'repeated ids',
    withLists({
      organizations: [organization, organization],
      keys: [key, { ...key, label: 'again' }],
      annotations: [annotation, { ...annotation, id: 2 }, annotation],
    }),
    [
      `organizations[1].id: expected a unique value, got "${acme}" again`,
      'keys[1].value: expected a unique value, got "phx_all" again',
      'annotations[2].id: expected a unique value, got 1 again',
    ],
  ],
  [
    'references to missing rows',
    {
      projects: [project],
      users: [{ ...user, current_project: 3 }],
      keys: [{ ...key, user: 4, projects: [1, 5] }],
      dashboard_items: [{ ...item, project: 6 }],
      plugin_configs: [{ ...config, plugin: 7 }],
      annotations: [{ ...annotation, dashboard_item: 8, created_by: 9, project: 10 }],
    },
    [
      `projects[0].organization: expected an id in organizations, got "${acme}"`,
      `users[0].organizations[0]: expected an id in organizations, got "${acme}"`,
      'users[0].current_project: expected an id in projects, got 3',
      'keys[0].user: expected an id in users, got 4',
      'keys[0].projects[1]: expected an id in projects, got 5',
      'dashboard_items[0].project: expected an id in projects, got 6',
      'plugin_configs[0].plugin: expected an id in plugins, got 7',
      'annotations[0].project: expected an id in projects, got 10',
      'annotations[0].dashboard_item: expected an id in dashboard_items, got 8',
      'annotations[0].created_by: expected an id in users, got 9',
    ],
  ],
  [
    'used next_ids',
    withLists({ next_ids: { annotations: 8, plugins: 25, users: 1 } }),
    [
      'next_ids.users: expected more than 2, the highest id, got 1',
      'next_ids.annotations: expected more than 8, the highest id, got 8',
    ],
  ],
  [
    'invalid next_ids',
    { next_ids: { keys: 5, annotations: 'x' } },
    [
      'next_ids.keys: unknown field. Did you mean "keys" beside "next_ids"? Allowed: projects, users, dashboard_items, plugins, plugin_configs, annotations, activity',
      'next_ids.annotations: expected number, got "x"',
    ],
  ],
  [
    'ids above the maximum',
    withLists({
      annotations: [{ ...annotation, id: Number.MAX_SAFE_INTEGER }],
      next_ids: { plugins: 9_000_000_000_000_002 },
    }),
    [
      'next_ids.plugins: expected at most 9000000000000001, got 9000000000000002',
      'annotations[0].id: expected at most 9000000000000000, got 9007199254740991',
    ],
  ],
  [
    'a row without an id, which others may reference',
    withLists({ users: [{ ...user, id: null }] }),
    ['users[0].id: expected number, got null'],
  ],
  ...[
    [0, 'at least 1, got 0'],
    [2, 'at most 1, got 2'],
    [1.5, 'int, got 1.5'],
    ['1', 'number, got "1"'],
    [null, 'number, got null'],
  ].map(([format_version, got]): [string, object, string[]] => [
    `the format version ${format_version}`,
    { format_version },
    [`format_version: expected ${got}`],
  ]),
  ['an invalid seed', { seed: 1.5 }, ['seed: expected int, got 1.5']],
  [
    'a hostile field name',
    JSON.parse('{"__proto__": {"annotations": []}, "constructor": 1}'),
    ['__proto__', 'constructor'].map(
      (name) =>
        `${name}: unknown field. Allowed: $schema, format_version, now, seed, generate, next_ids, organizations, projects, users, keys, dashboard_items, repository, plugins, plugin_configs, annotations, activity`,
    ),
  ],
]
