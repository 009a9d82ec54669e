import { unexpectedValue } from '../../utils/errors.ts'
import { parseDateTime } from '../../utils/python/date-time.ts'
import { entities } from '../entities/entities.ts'
import { toRowJson } from '../load/export-world.ts'
import { type ListName, worldLists } from '../tables.ts'
import { createDatabase, createFaker, type Database, type Faker } from './database.ts'
import type { FactoryLists, FactoryRows, PartialRow } from './partial-rows.ts'
import { isActive, relatedValues } from './related-values.ts'

interface RowGeneratorOptions {
  readonly seed?: number | undefined
  /** ISO 8601 */
  readonly now: string
  /** The first free id of each list; default: 1 */
  readonly nextIds?: { readonly [list: string]: number }
}

export const defaultNow = '2024-06-15T12:00:00Z'

export const defaultSeed = 1

/** The lists that a row cannot do without. */
const neededLists: { readonly [List in ListName]?: readonly ListName[] } = {
  projects: ['organizations'],
  users: ['organizations'],
  keys: ['users'],
  dashboard_items: ['projects'],
  plugins: ['organizations'],
  plugin_configs: ['plugins', 'projects'],
  annotations: ['projects'],
  activity: ['projects'],
}

/**
 * Generates complete rows, one after the other, and collects them. If there is no row that a row must refer to, it is
 * generated, too.
 *
 * @throws UsageError for a seed that is not a whole number, or a `now` that is not a time
 * @example new RowGenerator({ seed: 1, now }).create('annotations', { content: 'Launch' })
 */
export class RowGenerator {
  readonly rows = Object.fromEntries(
    worldLists.map((list): [string, object[]] => [list, []]),
  ) as FactoryLists
  readonly #seed: number
  readonly #fake: Faker
  readonly #database: Database
  readonly #nextIds: Map<string, number>

  constructor({ seed = defaultSeed, now, nextIds = {} }: RowGeneratorOptions) {
    if (!Number.isSafeInteger(seed)) {
      throw unexpectedValue('generate rows', 'a whole number as the seed', seed)
    }
    this.#seed = seed
    this.#fake = createFaker(parseNow(now))
    this.#database = createDatabase(this.#fake)
    this.#nextIds = new Map(Object.entries(nextIds))
  }

  /**
   * Creates a row. Its values depend on the seed, its list and its id, and on the rows that it refers to.
   *
   * @param given the fields that are not generated
   * @param index the position of a row within a batch, whose rows refer to all rows of other lists. Without it, a row
   *   refers to the first one
   */
  create<List extends ListName>(
    list: List,
    given: PartialRow<List>,
    index?: number,
  ): FactoryRows[List] {
    for (const needed of neededLists[list] ?? []) {
      if (!this.rows[needed].some(isActive)) this.create(needed, {})
    }
    const id = this.#countId(list, given)
    const fake = this.#fake
    fake.seed([this.#seed, worldLists.indexOf(list), id])

    /** The rows of a batch use each row once, then the first one with a probability of 1/3, else a random one. */
    function choose<Row extends object>(rows: readonly Row[]): Row | undefined {
      if (index === undefined || rows.length === 0) return rows[0]
      const drawn = fake.datatype.boolean(1 / 3) ? rows[0] : fake.helpers.arrayElement(rows)
      return rows[index] ?? drawn
    }

    const related = relatedValues[list]({ given, id, fake, rows: this.rows, choose })
    const row = toRow(list, this.#database[list].create(related), id, given)
    this.rows[list].push(row)
    return row
  }

  nextIds(lists: readonly string[]): { [list: string]: number } {
    return Object.fromEntries(lists.map((list) => [list, this.#nextIds.get(list) ?? 1]))
  }

  #countId(list: ListName, given: { readonly id?: unknown }): number {
    const nextId = this.#nextIds.get(list) ?? 1
    const id = typeof given.id === 'number' ? given.id : nextId
    this.#nextIds.set(list, Math.max(nextId, id + 1))
    return id
  }
}

/** A row of the world format: what the model has, the id, the given fields, and the defaults of all others. */
function toRow<List extends ListName>(
  list: List,
  made: object,
  id: number,
  given: PartialRow<List>,
): FactoryRows[List] {
  // The copy has no symbols, which the models add to their rows.
  const values: { id?: unknown } = structuredClone(made)
  if (typeof values.id === 'number') values.id = id
  const fields = Object.entries(given).filter(([, value]) => value !== undefined)
  const row = entities[list].create<object>({ ...values, ...Object.fromEntries(fields) })
  return toRowJson(list, row) as FactoryRows[List]
}

/** @returns milliseconds since 1970 */
function parseNow(now: unknown): number {
  const time = typeof now === 'string' ? Date.parse(parseDateTime(now)) : Number.NaN
  if (Number.isFinite(time)) return time
  const expected = 'an ISO 8601 time as now, such as 2024-06-15T12:00:00Z'
  throw unexpectedValue('generate rows', expected, now)
}
