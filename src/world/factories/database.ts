import type { Faker, Randomizer } from '@faker-js/faker'
import { faker } from '@faker-js/faker/locale/en'
import { factory, nullable, primaryKey } from '@mswjs/data'
import { mixBits } from '../../utils/seeded-random.ts'
import type { entities } from '../entities/entities.ts'
import type { FieldsWith, UsuallyKnown } from '../entities/field.ts'
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
  UsuallyKnown | { file: 'optional' | { or: unknown } }
>

/** Creates rows by the models of `createDatabase`. */
export type Database = {
  readonly [List in ListName]: { create(values: object): object }
}

/**
 * Creates a model of each list. A bare `String`, `Number`, `Array` or `Object` is a column that depends on other rows or
 * columns: `relatedValues` has it.
 */
export function createDatabase(fake: Faker): Database {
  const { arrayElement, maybe } = fake.helpers
  // The library refuses repeated ids. The real ids are counted and checked elsewhere.
  let rows = 0
  const id = primaryKey(() => ++rows)
  const isRarely = (probability: number) => () => fake.datatype.boolean(probability)
  return factory({
    organizations: { id: primaryKey(fake.string.uuid), name: fake.company.name },
    projects: {
      id,
      uuid: fake.string.uuid,
      organization: String,
      api_token: () => `phc_${fake.string.alphanumeric(43)}`,
      name: fake.company.catchPhrase,
      ingested_event: fake.datatype.boolean,
      timezone: () => arrayElement(['UTC', 'Europe/Berlin', 'America/New_York']),
    },
    users: {
      id,
      uuid: fake.string.uuid,
      distinct_id: () => fake.string.alphanumeric(24),
      first_name: String,
      last_name: String,
      email: String,
      is_email_verified: nullable(() => arrayElement([true, null])),
      organizations: Array,
    },
    keys: {
      value: primaryKey(() => `phx_${fake.string.alphanumeric(40)}`),
      label: () => `${fake.hacker.verb()} ${fake.hacker.noun()}`,
      user: Number,
      scopes: () => ['*'],
    },
    dashboard_items: {
      id,
      project: Number,
      short_id: () => fake.string.alphanumeric(8),
      name: fake.company.catchPhrase,
    },
    repository: {
      url: primaryKey(String),
      name: String,
      description: String,
      verified: fake.datatype.boolean,
      maintainer: () => arrayElement(['official', 'community']),
      versions: Array,
    },
    plugins: {
      id,
      plugin_type: nullable(String),
      name: nullable(String),
      description: String,
      url: nullable(String),
      icon: nullable(() => maybe(fake.image.url) ?? null),
      config_schema: Array,
      tag: nullable(String),
      latest_tag: nullable(String),
      is_global: isRarely(0.04),
      organization: String,
      capabilities: Object,
      public_jobs: Object,
      source: Object,
    },
    plugin_configs: {
      id,
      plugin: Number,
      project: Number,
      enabled: fake.datatype.boolean,
      order: () => fake.number.int({ min: 1, max: 20 }),
      config: Object,
      created_at: String,
      updated_at: String,
    },
    annotations: {
      id,
      content: String,
      date_marker: nullable(() => maybe(() => pastMinute(fake), { probability: 0.98 }) ?? null),
      creation_type: String,
      dashboard_item: nullable(Number),
      created_by: nullable(Number),
      created_at: String,
      updated_at: String,
      deleted: isRarely(0.03),
      scope: String,
      project: Number,
    },
    activity: {
      id,
      user: nullable(Number),
      organization: String,
      project: nullable(Number),
      activity: () => arrayElement(['installed', 'uninstalled']),
      scope: () => 'Plugin',
      item_id: String,
      detail: Object,
      created_at: () => pastTime(fake),
    },
  } satisfies { readonly [List in ListName]: Columns<List> }) as Database
}

/** The service can store the years 1 to 9999. */
const minTime = Date.parse('0001-01-01T00:00:00Z')

/** A time in the year before another one, or before now, as the service writes it. */
export function pastTime(fake: Faker, before?: string | null): string {
  const time = fake.date.past(before ? { refDate: before } : {}).getTime()
  const seconds = new Date(Math.max(time, minTime)).toISOString().slice(0, 19)
  return `${seconds}.${fake.number.int({ min: 100_000, max: 999_999 })}Z`
}

function pastMinute(fake: Faker): string {
  return `${pastTime(fake).slice(0, 16)}:00Z`
}

/**
 * Creates an independent faker with dates before `now`. `locale/en` exports only a shared instance. Taking the class from
 * it is five times as fast as importing the class.
 */
export function createFaker(now: number): Faker {
  const FakerClass = faker.constructor as typeof Faker
  const fake = new FakerClass({ locale: faker.rawDefinitions, randomizer: createRandomizer() })
  fake.setDefaultRefDate(now)
  return fake
}

/** Seeding faker's own source of numbers takes longer than generating a row. */
function createRandomizer(): Randomizer {
  let state = 0
  return {
    seed(seed) {
      state = [seed].flat().reduce((mixed, part) => mixBits(mixed ^ mixBits(part)), 0)
    },
    next() {
      state = mixBits(state)
      return state / 2 ** 32
    },
  }
}
