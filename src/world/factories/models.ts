import { entities } from '../entities/entities.ts'
import type { Entity } from '../entities/field.ts'
import type { Json } from '../rows.ts'
import type { ListName } from '../tables.ts'
import {
  type CreateRow,
  createModelFactory,
  jsonColumn,
  type Model,
  nullable,
  primaryKey,
} from './library.ts'
import type { FactoryRows } from './partial-rows.ts'
import type { RandomSource } from './row-context.ts'

/** The columns of a model. Those that can be null can be left out, but not those of any JSON. */
type Columns<Row> = {
  readonly [Name in keyof Row as CanBeNull<Row[Name]> extends true ? never : Name]: unknown
} & { readonly [Name in keyof Row]?: unknown }
type CanBeNull<Value> = null extends Value ? (Json extends Value ? false : true) : false

/**
 * Creates the model of each list, with the default of each column. A bare `String` or `Number` has no default: its
 * value comes from a draft, because it depends on other rows or columns. A field without a column is null.
 */
export function createModels(random: RandomSource): { readonly [List in ListName]: CreateRow } {
  const { fake } = random
  // The library refuses repeated ids. The real ids are assigned and checked elsewhere.
  let rows = 0
  const id = primaryKey(() => ++rows)
  const models = {
    organizations: {
      id: primaryKey(() => fake.string.uuid()),
      name: () => fake.company.name(),
      plugins_access_level: () => 9,
    },
    projects: {
      id,
      organization: String,
      name: String,
      uuid: () => fake.string.uuid(),
      api_token: () => `phc_${fake.string.alphanumeric(43)}`,
      timezone: () => (random.chance(0.6) ? 'UTC' : random.pickWord(zones)),
      completed_snippet_onboarding: () => random.chance(0.8),
      has_completed_onboarding_for: jsonColumn(() =>
        random.chance(0.5) ? { product_analytics: true } : null,
      ),
      ingested_event: () => random.chance(0.9),
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
      is_email_verified: nullable(() => (random.chance(0.8) ? true : null)),
      hedgehog_config: jsonColumn(() =>
        random.chance(0.3)
          ? {
              use_as_profile: random.chance(0.5),
              color: random.pickWord(colors),
              accessories: [random.pickWord(accessories)],
            }
          : null,
      ),
      organizations: Array,
      is_active: () => true,
    },
    keys: {
      value: primaryKey(() => `phx_${fake.string.alphanumeric(40)}`),
      label: String,
      user: Number,
      projects: () => [],
      organizations: () => [],
    },
    dashboard_items: {
      id,
      project: Number,
      short_id: () => fake.string.alphanumeric(8),
      name: nullable(() => (random.chance(0.92) ? random.pickWord(itemNames) : null)),
    },
    repository: {
      name: String,
      url: primaryKey(String),
      description: String,
      verified: () => random.chance(0.6),
      maintainer: () => (random.chance(0.4) ? 'official' : 'community'),
      versions: jsonColumn(() => []),
    },
    plugins: {
      id,
      plugin_type: nullable(String),
      name: nullable(String),
      description: nullable(String),
      url: nullable(String),
      icon: nullable(() =>
        random.chance(0.5) ? `https://example.com/icons/${fake.word.noun()}.png` : null,
      ),
      config_schema: jsonColumn(() => ({})),
      tag: nullable(String),
      latest_tag: nullable(String),
      is_global: () => random.chance(0.04),
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
      enabled: () => random.chance(0.65),
      order: Number,
      config: jsonColumn(() => ({})),
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
    annotations: {
      id,
      content: nullable(String),
      date_marker: nullable(String),
      creation_type: String,
      dashboard_item: nullable(Number),
      created_by: nullable(Number),
      created_at: nullable(String),
      updated_at: String,
      deleted: () => random.chance(0.03),
      scope: String,
      project: Number,
    },
  } satisfies { readonly [List in ListName]: Columns<FactoryRows[List]> }
  return createModelFactory(
    Object.fromEntries(
      Object.entries<Model>(models).map(([list, model]) => [list, withNulls(list, model)]),
    ),
  ) as { readonly [List in ListName]: CreateRow }
}

/** Adds the columns that were left out, each after the field that it follows in its entity. */
function withNulls(list: string, model: Model): Model {
  const { stored }: Entity = entities[list as ListName]
  const columns = Object.entries(model)
  for (const [index, { name, nullable: canBeNull }] of stored.entries()) {
    if (!canBeNull || name in model) continue
    const previous = columns.findIndex(([column]) => column === stored[index - 1]?.name)
    columns.splice(previous + 1, 0, [name, nullable(() => null)])
  }
  return Object.fromEntries(columns)
}

const itemNames =
  'Signups|Weekly active users|Checkout funnel|Revenue by plan|Retention by week|Error rate|Orders by country|' +
  'Time to first order|Churn|Page views|Search without result|Invitations sent|Trial to paid|Refunds'
const zones =
  'Europe/Berlin|Europe/London|America/New_York|America/Sao_Paulo|Asia/Kolkata|Asia/Tokyo'
const colors = 'green|red|blue|purple|dark|light|sepia'
const accessories = 'cap|beret|glasses|sunglasses|flag|tophat'
