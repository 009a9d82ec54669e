import type { ListName } from '../table/lists.ts'
import {
  type CreateRow,
  createModelFactory,
  jsonColumn,
  type Model,
  type Models,
  nullable,
  primaryKey,
  type SeededFaker,
} from './library.ts'

/**
 * Creates the model of each list, with the default of each column. A bare `String` or `Number` has no default: its
 * value comes from a draft, because it depends on other rows or columns.
 */
export function createModels(fake: SeededFaker): { readonly [List in ListName]: CreateRow } {
  const columns = createColumnHelpers(fake)
  const models = {
    ...peopleModels(columns),
    ...pluginModels(columns),
    annotations: annotationModel(columns),
  }
  return createModelFactory(models) as { readonly [List in ListName]: CreateRow }
}

function annotationModel({ id, chance }: ColumnHelpers): Model {
  return {
    id,
    content: nullable(String),
    date_marker: nullable(String),
    creation_type: String,
    dashboard_item: nullable(Number),
    created_by: nullable(Number),
    created_at: nullable(String),
    updated_at: String,
    deleted: () => chance(0.03),
    scope: String,
    project: Number,
  }
}

/** The models of organizations, projects, users, keys and dashboard items. */
function peopleModels({ fake, id, chance, pick }: ColumnHelpers): Models {
  return {
    organizations: {
      id: primaryKey(() => fake.string.uuid()),
      name: () => fake.company.name(),
      plugins_access_level: () => 9,
    },
    projects: {
      id,
      organization: String,
      name: () => pick(projectNames),
      uuid: () => fake.string.uuid(),
      api_token: () => `phc_${fake.string.alphanumeric(43)}`,
      timezone: () => (chance(0.6) ? 'UTC' : pick(zones)),
      completed_snippet_onboarding: () => chance(0.8),
      has_completed_onboarding_for: jsonColumn(() =>
        chance(0.5) ? { product_analytics: true } : null,
      ),
      ingested_event: () => chance(0.9),
      is_demo: () => false,
      access_control: () => false,
    },
    users: {
      id,
      uuid: () => fake.string.uuid(),
      distinct_id: nullable(() => fake.string.alphanumeric(24)),
      first_name: String,
      last_name: String,
      email: String,
      is_email_verified: nullable(() => (chance(0.8) ? true : null)),
      hedgehog_config: jsonColumn(() =>
        chance(0.3)
          ? { use_as_profile: chance(0.5), color: pick(colors), accessories: [pick(accessories)] }
          : null,
      ),
      organizations: Array,
      is_active: () => true,
      current_project: nullable<number>(() => null),
    },
    keys: {
      value: primaryKey(() => `phx_${fake.string.alphanumeric(40)}`),
      label: String,
      user: Number,
      scopes: nullable<string[]>(() => null),
      projects: () => [],
      organizations: () => [],
    },
    dashboard_items: {
      id,
      project: Number,
      short_id: () => fake.string.alphanumeric(8),
      name: nullable(() => (chance(0.92) ? pick(itemNames) : null)),
    },
  }
}

/** The models of plugins, their configurations, the catalogue and the activity log. */
function pluginModels({ fake, id, chance }: ColumnHelpers): Models {
  return {
    repository: {
      name: String,
      url: primaryKey(String),
      description: String,
      verified: () => chance(0.6),
      maintainer: () => (chance(0.4) ? 'official' : 'community'),
      versions: jsonColumn(() => []),
    },
    plugins: {
      id,
      plugin_type: nullable(String),
      name: nullable(String),
      description: nullable(String),
      url: nullable(String),
      icon: nullable(() =>
        chance(0.5) ? `https://example.com/icons/${fake.word.noun()}.png` : null,
      ),
      config_schema: jsonColumn(() => ({})),
      tag: nullable(String),
      latest_tag: nullable(String),
      is_global: () => chance(0.04),
      organization: String,
      capabilities: jsonColumn(() => ({})),
      metrics: jsonColumn(() => ({})),
      public_jobs: jsonColumn(() => ({})),
      source: jsonColumn(() => ({})),
      revision: () => 0,
    },
    plugin_configs: {
      id,
      plugin: Number,
      project: Number,
      enabled: () => chance(0.65),
      order: Number,
      config: jsonColumn(() => ({})),
      name: nullable<string>(() => null),
      description: nullable<string>(() => null),
      deleted: () => false,
      created_at: String,
      updated_at: String,
    },
    activity: {
      id,
      user: nullable(Number),
      organization: String,
      project: nullable(Number),
      activity: String,
      scope: String,
      item_id: String,
      detail: jsonColumn(() => ({})),
      created_at: String,
    },
  }
}

/** Helpers for the defaults of columns. */
interface ColumnHelpers {
  readonly fake: SeededFaker
  readonly id: Model[string]
  /** True with this probability */
  readonly chance: (probability: number) => boolean
  readonly pick: (list: readonly string[]) => string
}

function createColumnHelpers(fake: SeededFaker): ColumnHelpers {
  // The library refuses repeated ids. The real ids are assigned and checked elsewhere.
  let rows = 0
  return {
    fake,
    id: primaryKey(() => ++rows),
    chance: (probability) => fake.datatype.boolean(probability),
    pick: (list) => fake.helpers.arrayElement(list),
  }
}

const projectNames: readonly string[] = [
  'Web shop',
  'Mobile app',
  'Admin',
  'Landing pages',
  'Partner portal',
  'Help centre',
  'Checkout',
  'Blog',
  'Customer portal',
  'Developer docs',
]

const itemNames: readonly string[] = [
  'Signups',
  'Weekly active users',
  'Checkout funnel',
  'Revenue by plan',
  'Retention by week',
  'Error rate',
  'Orders by country',
  'Time to first order',
  'Churn',
  'Page views',
  'Search without result',
  'Invitations sent',
  'Trial to paid',
  'Refunds',
]

const zones: readonly string[] = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Tokyo',
]

const colors: readonly string[] = ['green', 'red', 'blue', 'purple', 'dark', 'light', 'sepia']

const accessories: readonly string[] = ['cap', 'beret', 'glasses', 'sunglasses', 'flag', 'tophat']
