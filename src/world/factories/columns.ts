import type { Faker } from '@faker-js/faker'
import type { Json, PluginVersion } from '../rows.ts'
import type { ListName } from '../tables.ts'
import type { Row } from '../world-json.ts'

export interface ModelRow {
  readonly id?: number | string
  readonly name?: string | null
  readonly organization?: unknown
  readonly project?: unknown
  readonly is_active?: boolean
  readonly config_schema?: Json
  readonly [field: string]: unknown
}

/** What the columns of a row can depend on, beside the columns before them. */
export interface ColumnContext {
  readonly id: number
  readonly fake: Faker
  /** The rows that it refers to, by field */
  readonly related: Readonly<Record<string, ModelRow | readonly ModelRow[] | null | undefined>>
}

/** @param row the given fields, and the columns so far */
export type Column<Row = never> = (row: Row, context: ColumnContext) => unknown

type Columns<List extends ListName> = {
  readonly [Field in keyof Row<List>]?: Column<Partial<Row<List>>>
}

/**
 * How the fields of rows are made that look real, in this order. Others have their usual value, and references have the
 * ids of rows.
 */
export const columns: { readonly [List in ListName]: Columns<List> } = {
  organizations: {
    id: (_, { fake }) => fake.string.uuid(),
    name: (_, { fake }) => fake.company.name(),
  },

  projects: {
    uuid: (_, { fake }) => fake.string.uuid(),
    api_token: (_, { fake }) => `phc_${fake.string.alphanumeric(43)}`,
    name: (_, { fake }) => fake.company.catchPhrase(),
    ingested_event: (_, { fake }) => fake.datatype.boolean(),
    timezone: (_, { fake }) =>
      fake.helpers.arrayElement(['UTC', 'Europe/Berlin', 'America/New_York']),
    has_completed_onboarding_for: () => ({}),
  },

  users: {
    uuid: (_, { fake }) => fake.string.uuid(),
    distinct_id: (_, { fake }) => fake.string.alphanumeric(24),
    first_name: (_, { fake }) => fake.person.firstName(),
    last_name: (_, { fake }) => fake.person.lastName(),
    email({ first_name, last_name }, { id }) {
      const name = `${first_name}.${last_name}`.toLowerCase().replace(/[^a-z.]/g, '')
      return `${name}${id}@example.com`
    },
    is_email_verified: (_, { fake }) => fake.helpers.arrayElement([true, null]),
  },

  keys: {
    value: (_, { fake }) => `phx_${fake.string.alphanumeric(40)}`,
    label: (_, { fake }) => `${fake.hacker.verb()} ${fake.hacker.noun()}`,
    scopes: () => ['*'],
  },

  dashboard_items: {
    short_id: (_, { fake }) => fake.string.alphanumeric(8),
    name: (_, { fake }) => fake.company.catchPhrase(),
  },

  repository: {
    name: (_, { id }) => `${templateOf(id).name} ${id}`,
    url: (_, { id }) => pluginUrl(id),
    description: (_, { id }) => templateOf(id).description,
    verified: (_, { fake }) => fake.datatype.boolean(),
    maintainer: (_, { fake }) => fake.helpers.arrayElement(['official', 'community']),
    versions({ name = null }, { id, fake }) {
      const template = templateOf(id)
      return [{ tag: fake.system.semver(), ...filesOf(template, name, template.config) }]
    },
  },

  plugins: {
    plugin_type: (_, { fake }) =>
      fake.helpers.arrayElement(['custom', 'repository', 'source', 'local']),
    name: (_, { id }) => `${templateOf(id).name} ${id}`,
    description: (_, { id }) => templateOf(id).description,
    url: ({ plugin_type }, { id }) =>
      plugin_type === 'source' ? null : pluginUrl(id, plugin_type),
    icon: (_, { fake }) => fake.helpers.maybe(fake.image.url) ?? null,
    config_schema: (_, { id }) => templateOf(id).config,
    tag: (row, { fake }) => (isVersioned(row) ? (row.latest_tag ?? drawTag(row, fake)) : null),
    latest_tag(row, { fake }) {
      const isLatest = fake.datatype.boolean(0.75)
      return isVersioned(row) ? (isLatest ? row.tag : drawTag(row, fake)) : null
    },
    is_global: (_, { fake }) => fake.datatype.boolean(0.04),
    capabilities: (_, { id }) => ({
      jobs: [],
      scheduled_tasks: [],
      methods: templateOf(id).methods,
    }),
    public_jobs: (_, { id }) => templateOf(id).public_jobs,
    source({ plugin_type, name = null, config_schema = null }, { id }) {
      return plugin_type === 'source' ? filesOf(templateOf(id), name, config_schema).source : {}
    },
  },

  plugin_configs: {
    enabled: (_, { fake }) => fake.datatype.boolean(),
    order: (_, { fake }) => fake.number.int({ min: 1, max: 20 }),
    config: (_, { fake, related }) => configOf((related.plugin as ModelRow)?.config_schema, fake),
    created_at: ({ updated_at }, { fake }) => pastTime(fake, updated_at),
    updated_at: ({ created_at }) => created_at,
  },

  annotations: {
    creation_type: (_, { fake }) => fake.helpers.arrayElement(['USR', 'USR', 'USR', 'GIT']),
    content({ creation_type = '' }, { fake }) {
      return fake.helpers.fake(fake.helpers.arrayElement(events[creation_type] ?? events.USR))
    },
    date_marker: (_, { fake }) =>
      fake.helpers.maybe(() => pastMinute(fake), { probability: 0.98 }) ?? null,
    // A row is not saved before it is created.
    created_at: ({ updated_at }, { fake }) => pastTime(fake, updated_at),
    updated_at: ({ created_at }) => created_at,
    deleted: (_, { fake }) => fake.datatype.boolean(0.03),
    scope(_, { fake, related }) {
      const isOfAll = fake.datatype.boolean(0.2)
      return related.dashboard_item ? 'dashboard_item' : isOfAll ? 'organization' : 'project'
    },
  },

  activity: {
    activity: (_, { fake }) => fake.helpers.arrayElement(['installed', 'uninstalled']),
    item_id: (_, { related }) => String((related.plugin as ModelRow)?.id ?? 1),
    detail: (_, { related }) => ({
      ...{ changes: null, trigger: null, short_id: null, type: null },
      name: (related.plugin as ModelRow)?.name ?? null,
    }),
    created_at: (_, { fake }) => pastTime(fake),
  },
}

/** What annotations are about, by their type: templates of faker. */
const events: { readonly [type: string]: readonly string[] } & { readonly USR: readonly string[] } =
  {
    GIT: ['Deploy {{system.semver}} ({{git.commitSha({"length":7})}}) to production'],
    USR: [
      'Release {{system.semver}}: {{company.buzzPhrase}}',
      'Incident: {{hacker.noun}} answers slowly for {{number.int({"min":5,"max":120})}} minutes',
      '{{commerce.department}} campaign starts, for {{number.int({"min":3,"max":28})}} days',
      'Pricing: {{commerce.productName}} now costs {{commerce.price}} dollars',
    ],
  }

function templateOf(id: number) {
  return pluginTemplates[id % pluginTemplates.length] as PluginTemplate
}

/** The URLs of plugins are unique. */
function pluginUrl(id: number, type?: string | null) {
  return type === 'local' ? `file:/srv/plugins/${id}` : `https://github.com/acme/plugin-${id}`
}

function isVersioned({ plugin_type }: Partial<Row<'plugins'>>) {
  return plugin_type !== 'source' && plugin_type !== 'local'
}

function drawTag({ plugin_type }: Partial<Row<'plugins'>>, fake: Faker) {
  return plugin_type === 'repository' ? fake.system.semver() : fake.git.commitSha({ length: 7 })
}

/** As the service's source has it: a schema is a list of fields with keys, or an object of fields by key. */
function configOf(schema: Json | undefined, fake: Faker): { [key: string]: Json } {
  if (typeof schema !== 'object' || schema === null) return {}
  const fields = Object.entries(schema).flatMap(([name, field]): [string, Json][] => {
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return []
    const key = Array.isArray(schema) ? field.key : name
    const [choice] = Array.isArray(field.choices) ? field.choices : []
    const value = field.default || choice || fake.string.alphanumeric(20)
    return typeof key === 'string' ? [[key, value]] : []
  })
  return Object.fromEntries(fields)
}

/** The service can store the years 1 to 9999. */
const minTime = Date.parse('0001-01-01T00:00:00Z')

/** A time in the year before another one, or before now, as the service writes it. */
function pastTime(fake: Faker, before?: string | null) {
  const time = fake.date.past(before ? { refDate: before } : {}).getTime()
  const seconds = new Date(Math.max(time, minTime)).toISOString().slice(0, 19)
  return `${seconds}.${fake.number.int({ min: 100_000, max: 999_999 })}Z`
}

function pastMinute(fake: Faker) {
  return `${pastTime(fake).slice(0, 16)}:00Z`
}

/** The purpose of a generated plugin, and what it can do. */
interface PluginTemplate {
  readonly name: string
  readonly description: string
  readonly methods: readonly string[]
  readonly config: Json
  readonly public_jobs: { readonly [job: string]: Json | undefined }
}

/** One plugin has an object of fields, the other one a list of them, and a job. */
const pluginTemplates: readonly PluginTemplate[] = [
  {
    name: 'URL cleaner',
    description: 'Removes query parameters from the addresses of pages.',
    methods: ['processEvent'],
    config: { parameters: configField('parameters', 'Parameters', { default: 'utm_source,ref' }) },
    public_jobs: {},
  },
  {
    name: 'Bucket export',
    description: 'Writes events to a storage bucket.',
    methods: ['setupPlugin', 'exportEvents'],
    config: [
      configField('bucket', 'Bucket', { required: true }),
      configField('access_key', 'Access key', { required: true, secret: true }),
      configField('region', 'Region', { type: 'choice', choices: ['eu-1', 'us-1'] }),
    ],
    public_jobs: { 'Export again': { payload: {} } },
  },
]

/** The files of a plugin, as far as a template has them: its plugin.json and its code. */
function filesOf(
  { description, public_jobs, methods }: PluginTemplate,
  name: string | null,
  config: Json,
): Omit<PluginVersion, 'tag'> {
  const plugin_json = { name, description, main: 'index.ts', config, publicJobs: public_jobs }
  const code = methods.map((method) => `export function ${method}(event) {\n  return event\n}\n`)
  return {
    plugin_json,
    source: { 'plugin.json': JSON.stringify(plugin_json, null, 2), 'index.ts': code.join('\n') },
  }
}

/** A field of a configuration, with all properties of the service. */
function configField(
  key: string,
  name: string,
  more: { readonly [name: string]: Json | undefined },
): Json {
  const usual = { type: 'string', default: '', hint: '', required: false, secret: false }
  return { key, name, ...usual, ...more }
}
