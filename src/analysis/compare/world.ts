import type { WorldJson } from '../../world/world-json.ts'
import type { Hypothesis } from './hypothesis.ts'
import type { ComparedKey } from './keys.ts'
import type { Place } from './place.ts'

const organizations = [
  { id: '018f2b6e-0000-7000-8000-00000000000a', name: 'Acme', plugins_access_level: 9 },
  { id: '018f2b6e-0000-7000-8000-00000000000b', name: 'Initech', plugins_access_level: 9 },
] as const
const [own, other] = organizations

/** Rows of others that a service may or may not have. They decide together with the settings what lists show. */
export const worldRanges = {
  'world.repository': ['some', 'none'],
  'world.plugin_configs': ['some', 'none'],
  'world.activity': ['some', 'none'],
} as const

/** The world in which probes are simulated: the keys of the server, and one row of each list. */
export function probedWorld(keys: readonly ComparedKey[], hypothesis: Hypothesis): WorldJson {
  const without = (list: string) => hypothesis[`world.${list}`] === 'none' && { [list]: [] }
  return {
    now: clock,
    organizations,
    projects: organizations.map(({ id, name }, index) => ({
      id: index + 1,
      organization: id,
      name,
      uuid: id,
      api_token: `phc_${index + 1}`,
      timezone: 'UTC',
      completed_snippet_onboarding: true,
      has_completed_onboarding_for: null,
      ingested_event: true,
      is_demo: false,
      access_control: false,
    })),
    users: [
      {
        id: 1,
        uuid: '018f2b6e-0000-7000-8000-000000000001',
        distinct_id: 'd1',
        first_name: 'Ada',
        last_name: 'Park',
        email: 'ada@example.com',
        is_email_verified: true,
        hedgehog_config: { use_as_profile: true, color: 'green', accessories: ['cap'] },
        organizations: organizations.map(({ id }) => id),
        is_active: true,
        current_project: null,
      },
    ],
    keys: keys.map((key) => ({ ...key, user: 1, projects: [], organizations: [] })),
    annotations: [
      {
        id: 1,
        content: 'Release 1.0',
        date_marker: '2024-06-03T09:00:00Z',
        creation_type: 'USR',
        dashboard_item: null,
        created_by: 1,
        created_at: '2024-06-03T09:00:01.123456Z',
        updated_at: '2024-06-03T09:00:01.123470Z',
        deleted: false,
        scope: 'project',
        project: 1,
      },
    ],
    plugins: [
      {
        id: 21,
        plugin_type: 'custom',
        ...entry,
        icon: null,
        config_schema: [],
        tag: '3f2c1d0',
        latest_tag: '3f2c1d0',
        is_global: false,
        organization: own.id,
        capabilities: { jobs: [], scheduled_tasks: [], methods: ['exportEvents'] },
        metrics: {},
        public_jobs: {},
        source: {},
        revision: 1,
      },
    ],
    plugin_configs: [
      {
        id: 31,
        plugin: 21,
        project: 1,
        enabled: true,
        order: 1,
        config: {},
        name: null,
        description: null,
        deleted: false,
        created_at: '2024-05-21T08:30:00.250000Z',
        updated_at: '2024-05-21T08:30:00.250016Z',
      },
    ],
    repository: [
      {
        ...entry,
        verified: true,
        maintainer: 'official',
        versions: [{ tag: '3f2c1d0', plugin_json: { name: entry.name }, source: {} }],
      },
    ],
    activity: [
      {
        id: 41,
        user: 1,
        organization: own.id,
        project: 1,
        activity: 'installed',
        scope: 'Plugin',
        item_id: '21',
        detail: { changes: null, trigger: null, name: entry.name, short_id: null, type: null },
        created_at: '2024-05-21T08:28:41.118200Z',
      },
    ],
    ...without('repository'),
    ...without('plugin_configs'),
    ...without('activity'),
  }
}

const entry = {
  name: 'Bucket export',
  description: 'Writes events to a storage bucket.',
  url: 'https://github.com/acme/bucket-export',
} as const

export const clock = '2024-06-15T12:00:00Z'

/** Where the probes find that world. */
export function probedPlace(keys: readonly ComparedKey[]): Place {
  return {
    project: '1',
    org: own.id,
    other: other.id,
    missing: '99999999',
    marker: 'marker',
    keys: Object.fromEntries(keys.map(({ label, value }) => [label, value])),
  }
}
