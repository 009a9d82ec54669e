import type { Faker, Randomizer } from '@faker-js/faker'
import { faker } from '@faker-js/faker/locale/en'
import { factory, manyOf, nullable, oneOf, primaryKey } from '@mswjs/data'
import { mixBits } from '../../utils/seeded-random.ts'
import { entities } from '../entities/entities.ts'
import { type Entity, type Field, usualValue } from '../entities/field.ts'
import type { Json } from '../rows.ts'
import { type ListName, worldLists } from '../tables.ts'

// The only file that imports @mswjs/data and faker. Importing them takes a quarter of a second.

export type { Faker }

/** A row of a model. A reference is the row that it leads to. */
export interface ModelRow {
  readonly id?: number | string
  readonly name?: string | null
  readonly organization?: ModelRow
  readonly project?: ModelRow
  readonly is_active?: boolean
  readonly config_schema?: Json
  readonly [field: string]: unknown
}

/** What the columns of a row can depend on, beside the columns before them. */
interface ColumnContext {
  readonly id: number
  readonly fake: Faker
  /** The rows that it refers to, by field */
  readonly related: Readonly<Record<string, ModelRow | readonly ModelRow[] | null | undefined>>
}

/** @param row the given fields, and the columns so far */
export type Column<Row = never> = (row: Row, context: ColumnContext) => unknown

/** The row that is being created: what it depends on, and its given fields with the columns so far. */
export interface RowInProgress extends ColumnContext {
  readonly row: Record<string, unknown>
}

export type Database = {
  readonly [List in ListName]: { create(values: object): ModelRow; getAll(): ModelRow[] }
}

/**
 * Creates a model of each list: references are relations, and other fields columns.
 *
 * @param columns how fields are made that look real
 * @param current the row in progress
 */
export function createDatabase(
  columns: { readonly [List in ListName]: object },
  current: () => RowInProgress,
): Database {
  const models = worldLists.map((list) => [list, createModel(list, columns[list], current)])
  const database: unknown = factory(Object.fromEntries(models))
  return database as Database
}

function createModel(list: ListName, columns: object, current: () => RowInProgress): object {
  const { fields, written }: Entity = entities[list]
  const named = columns as Readonly<Record<string, Column>>
  const toColumn = (field: Field) => () => {
    const { row, id } = current()
    const usual = (): unknown => (field.kind === 'id' ? id : usualValue(field))
    row[field.name] = (named[field.name] ?? usual)(row as never, current())
    return row[field.name] as string
  }
  const key = list === 'keys' ? 'value' : 'id'
  const model: Record<string, unknown> = { [key]: primaryKey(toColumn(fields[key] as Field)) }
  // Those that look real come first: others can depend on them.
  for (const name of new Set([...Object.keys(named), ...written.map((field) => field.name)])) {
    const field = fields[name] as Field
    if (field.list) model[name] = relationTo(field.list, field)
    else if (name !== key && (field.inFiles !== 'maybe' || field.usual !== undefined))
      model[name] = nullable(toColumn(field))
  }
  return model
}

/** A relation that keeps the rows that it leads to. The library would search for them each time that it is read. */
function relationTo(list: string, field: Field): object {
  const isNullable = field.nullable === true
  const relation = (field.kind === 'references' ? manyOf : oneOf)(list, { nullable: isNullable })
  const seam = relation as unknown as RelationSeam
  const resolve = seam.resolveWith.bind(relation)
  seam.resolveWith = (row, to) => {
    resolve(row, to)
    seam.setValueResolver(row, () => to)
  }
  return relation
}

/** What a relation does when a row gets its rows, and how it makes a field of the row return a value. */
interface RelationSeam {
  resolveWith(row: object, to: object | null): void
  setValueResolver(row: object, resolve: () => unknown): void
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

/** The service can store the years 1 to 9999. */
const minTime = Date.parse('0001-01-01T00:00:00Z')

/** A time in the year before another one, or before now, as the service writes it. */
export function pastTime(fake: Faker, before?: string | null): string {
  const time = fake.date.past(before ? { refDate: before } : {}).getTime()
  const seconds = new Date(Math.max(time, minTime)).toISOString().slice(0, 19)
  return `${seconds}.${fake.number.int({ min: 100_000, max: 999_999 })}Z`
}
