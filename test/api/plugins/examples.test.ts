import { expect, test } from 'vitest'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { acme } from '../../support/api/paths.ts'
import { plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/lanes/start.ts'

// The documented examples, as rows of a world and as responses.
const row = {
  plugin_type: 'custom',
  name: 'Hello',
  description: 'Greets',
  url: 'https://github.com/acme/hello',
  icon: null,
  config_schema: [
    { markdown: 'Intro' },
    {
      key: 'host',
      name: 'Host',
      type: 'string',
      default: '',
      hint: '',
      required: true,
      secret: false,
    },
  ],
  tag: '3f2c1d0',
  latest_tag: '3f2c1d0',
  is_global: false,
}
const rest = {
  capabilities: { jobs: [], scheduled_tasks: ['runEveryMinute'], methods: ['onEvent'] },
  metrics: { sent: 'sum' },
  public_jobs: {},
}
const plugin = { id: 21, ...row, organization_id: acme, organization_name: 'Acme', ...rest }
const source = { 'plugin.json': '{"name":"Hello"}', 'index.ts': 'export {}' }
const idle = { ...row, ...rest, id: 23, url: null, organization: acme }
const ada = { first_name: 'Ada', email: 'ada@example.com' }
const installed = {
  activity: 'installed',
  scope: 'Plugin',
  item_id: '21',
  detail: { changes: null, trigger: null, name: 'Hello', short_id: null, type: null },
  created_at: '2024-06-03T09:00:01.123456Z',
}
const configured = {
  enabled: true,
  order: 1,
  config: { host: 'h' },
}
const times = { created_at: '2024-06-03T09:00:01Z', updated_at: '2024-06-03T09:00:01Z' }
const named = { name: 'Hello', description: 'Greets', deleted: false }
const listed = {
  name: 'GeoIP',
  url: 'https://github.com/acme/geoip',
  description: '…',
  verified: true,
  maintainer: 'official',
  displayOnWebsiteLib: true,
  type: 'data_in',
}

const world: WorldJson = {
  organizations: [{ id: acme, name: 'Acme' }],
  projects: [{ id: 1, organization: acme }],
  users: [
    {
      ...ada,
      id: 1,
      uuid: '018f2b6e-0000-7000-8000-000000000001',
      distinct_id: 'd1',
      last_name: 'L',
      is_email_verified: true,
      hedgehog_config: null,
      organizations: [acme],
    },
  ],
  keys: [{ value: 'phx_old', user: 1, scopes: null }],
  plugins: [{ id: 21, ...row, ...rest, organization: acme, source }, idle],
  plugin_configs: [{ id: 5, plugin: 21, project: 1, ...configured, ...times, ...named }],
  repository: [{ ...listed, versions: [] }],
  activity: [{ id: 1, user: 1, organization: acme, project: 1, ...installed }],
}

const configuration = {
  id: 5,
  plugin: 21,
  ...configured,
  error: null,
  team_id: 1,
  plugin_info: plugin,
  delivery_rate_24h: null,
  ...times,
  ...named,
}
const page = {
  results: [{ user: ada, ...installed }],
  next: null,
  previous: null,
  total_count: 1,
}

/** Every example as text, because the order of the fields counts. */
const examples = [
  { path: '21/', body: plugin },
  { path: '21/check_for_updates/', body: { plugin } },
  { path: '21/source/', body: source },
  { path: 'activity/', body: page },
  { path: 'exports_unsubscribe_configs/', body: [configuration] },
  { path: 'repository/', body: [listed] },
  { path: 'unused/', body: [23] },
]

test.each(examples)('$path returns exactly the documented example', async ({ path, body }) => {
  const client = await start({ world, profile: 'live' })

  const response = await client.send('GET', `${plugins}${path}`, { key: 'phx_old' })

  expect(response.status).toBe(200)
  expect(await response.text()).toBe(JSON.stringify(body))
})
