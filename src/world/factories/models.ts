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
import type { ListName } from './partial-rows.ts'

/**
 * What makes rows of each list, by models that have the default of each column. A bare `String` or `Number` has
 * none: its value comes from a draft, since it goes with other rows or columns.
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

/** Organizations, their projects, users, keys and dashboard items, column by column. */
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

/** Plugins and all around them, column by column. */
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

/** What the columns of the models are made of. */
interface ColumnHelpers {
  readonly fake: SeededFaker
  readonly id: Model[string]
  /** True in this share of all rows. */
  readonly chance: (part: number) => boolean
  readonly pick: (list: readonly string[]) => string
}

function createColumnHelpers(fake: SeededFaker): ColumnHelpers {
  // The library would refuse an id twice in words of its own: the real ids are set, and checked, outside.
  let rows = 0
  return {
    fake,
    id: primaryKey(() => ++rows),
    chance: (part) => fake.datatype.boolean(part),
    pick: (list) => fake.helpers.arrayElement(list),
  }
}

/** What teams call their projects. */
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

/** What teams call their charts. */
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
