import type { Faker } from '@faker-js/faker'
import { faker } from '@faker-js/faker/locale/en'
import { factory, nullable, primaryKey } from '@mswjs/data'
import type { entities } from '../entities/entities.ts'
import type { FieldsWith } from '../entities/field.ts'
import type { ListName } from '../tables.ts'
import type { RowJson } from '../world-json.ts'

// The only file that imports @mswjs/data and faker. Importing them takes a quarter of a second.

export type { Faker }

/** The columns of a model: at least those without a default in the table of their entity. */
type Columns<List extends ListName> = Readonly<
  Record<string, unknown> & Record<Exclude<keyof RowJson<List>, DefaultedField<List>>, unknown>
>
type DefaultedField<List extends ListName> = FieldsWith<
  (typeof entities)[List],
  'default' | 'nullable' | 'optional'
>

/** Creates rows by the models of `createDatabase`. */
export type Database = {
  readonly [List in ListName]: { create(values: object): object }
}

/**
 * Creates a model of each list. A bare `String`, `Number` or `Array` is a column whose value depends on other rows or
 * columns, so that it is always given.
 */
export function createDatabase(fake: Faker): Database {
  // The library refuses repeated ids. The real ids are counted and checked elsewhere.
  let rows = 0
  const id = primaryKey(() => ++rows)
  return factory({
    organizations: { id: primaryKey(() => fake.string.uuid()), name: () => fake.company.name() },
    projects: {
      id,
      organization: String,
      name: String,
      uuid: () => fake.string.uuid(),
      api_token: () => `phc_${fake.string.alphanumeric(43)}`,
      timezone: () => fake.helpers.arrayElement(['UTC', 'Europe/Berlin', 'America/New_York']),
      ingested_event: () => fake.datatype.boolean(0.9),
    },
    users: {
      id,
      uuid: () => fake.string.uuid(),
      distinct_id: () => fake.string.alphanumeric(24),
      first_name: String,
      last_name: String,
      email: String,
      is_email_verified: nullable(() => (fake.datatype.boolean(0.8) ? true : null)),
      organizations: Array,
    },
    keys: {
      value: primaryKey(() => `phx_${fake.string.alphanumeric(40)}`),
      label: String,
      user: Number,
      scopes: nullable(Array),
    },
    dashboard_items: {
      id,
      project: Number,
      short_id: () => fake.string.alphanumeric(8),
      name: () => fake.company.catchPhrase(),
    },
    repository: {
      url: primaryKey(String),
      name: String,
      description: String,
      verified: () => fake.datatype.boolean(0.6),
      maintainer: () => fake.helpers.arrayElement(['official', 'community']),
      versions: Array,
    },
    plugins: {
      id,
      plugin_type: nullable(String),
      name: nullable(String),
      description: String,
      url: nullable(String),
      icon: nullable(() => (fake.datatype.boolean() ? fake.image.url() : null)),
      config_schema: Array,
      tag: nullable(String),
      latest_tag: nullable(String),
      is_global: () => fake.datatype.boolean(0.04),
      organization: String,
      capabilities: Object,
      public_jobs: Object,
      source: Object,
    },
    plugin_configs: {
      id,
      plugin: Number,
      project: Number,
      enabled: () => fake.datatype.boolean(0.65),
      order: Number,
      config: Object,
      created_at: String,
      updated_at: String,
    },
    annotations: {
      id,
      content: String,
      date_marker: nullable(String),
      creation_type: String,
      dashboard_item: nullable(Number),
      created_by: nullable(Number),
      created_at: String,
      updated_at: String,
      deleted: () => fake.datatype.boolean(0.03),
      scope: String,
      project: Number,
    },
    activity: {
      id,
      user: nullable(Number),
      organization: String,
      project: nullable(Number),
      activity: String,
      scope: String,
      item_id: String,
      detail: Object,
      created_at: String,
    },
  } satisfies { readonly [List in ListName]: Columns<List> }) as Database
}

/**
 * Creates an independent faker with dates around `now`. `locale/en` exports only a shared instance. Taking the class
 * from it is five times as fast as importing the class.
 *
 * @param numbers the source of all its values. Seeding faker's own source takes longer than generating a row
 */
export function createFaker(numbers: { next(): number }, now: number): Faker {
  const FakerClass = faker.constructor as typeof Faker
  const randomizer = { next: () => numbers.next(), seed: () => {} }
  const fake = new FakerClass({ locale: faker.rawDefinitions, randomizer })
  fake.setDefaultRefDate(now)
  return fake
}
