import { unexpectedValue } from '../../utils/errors.ts'
import { mixBits, mixName } from '../../utils/seeded-random.ts'
import { toRowJson } from '../edit/row-json.ts'
import { entities } from '../entities/entities.ts'
import { type ListName, worldLists } from '../tables.ts'
import { createDatabase, createFaker, type Database, type Faker } from './database.ts'
import { parseMoment } from './dates.ts'
import { rowDrafts } from './drafts.ts'
import type { FactoryLists, FactoryRows, PartialRow } from './partial-rows.ts'
import { RelatedRows } from './row-context.ts'

interface RowGeneratorOptions {
  readonly seed?: number | undefined
  /** ISO 8601 */
  readonly now: string
  /** The first free id of each list; default: 1 */
  readonly nextIds?: { readonly [list: string]: number }
}

export const defaultNow = '2024-06-15T12:00:00Z'

export const defaultSeed = 1

/**
 * Generates complete rows, one after the other, and collects them. If a row references a row that does not exist, that
 * row is generated, too.
 *
 * @throws UsageError for a seed that is not a whole number, or a `now` that is not a time
 * @example new RowGenerator({ seed: 1, now }).create('annotations', { content: 'Launch' })
 */
export class RowGenerator {
  readonly rows = Object.fromEntries(
    worldLists.map((list): [string, object[]] => [list, []]),
  ) as FactoryLists
  readonly #sequences: SeededSequences
  readonly #fake: Faker
  readonly #database: Database
  readonly #related: RelatedRows
  readonly #now: number
  readonly #nextIds: Map<string, number>

  constructor({ seed = defaultSeed, now, nextIds = {} }: RowGeneratorOptions) {
    if (!Number.isSafeInteger(seed)) {
      throw unexpectedValue('generate rows', 'a whole number as the seed', seed)
    }
    this.#now = typeof now === 'string' ? parseMoment(now) : Number.NaN
    if (!Number.isFinite(this.#now)) {
      const expected = 'an ISO 8601 time as now, such as 2024-06-15T12:00:00Z'
      throw unexpectedValue('generate rows', expected, now)
    }
    this.#sequences = new SeededSequences(seed)
    this.#fake = createFaker(this.#sequences, this.#now)
    this.#database = createDatabase(this.#fake)
    this.#related = new RelatedRows(this.rows, this.#fake, (list) => this.create(list, {}))
    this.#nextIds = new Map(Object.entries(nextIds))
  }

  /**
   * Creates a row. Its values depend on the seed, its list and its id, and not on the number of other rows.
   *
   * @param fields the fields that are not generated
   * @param index the position of a row within a batch
   */
  create<List extends ListName>(
    list: List,
    fields: PartialRow<List>,
    index?: number,
  ): FactoryRows[List] {
    const id = this.#idFor(list, fields)
    const row = this.#sequences.within(list, id, () => {
      const [related, fake, now] = [this.#related, this.#fake, this.#now]
      const draft = rowDrafts[list]({ overrides: fields, id, related, fake, now, index })
      return toRow(list, this.#database[list].create(draft), id, fields)
    })
    this.#related.add(list, row)
    return row
  }

  nextIds(lists: readonly string[]): { [list: string]: number } {
    return Object.fromEntries(lists.map((list) => [list, this.#nextIds.get(list) ?? 1]))
  }

  #idFor(list: ListName, fields: { readonly id?: unknown }): number {
    const nextId = this.#nextIds.get(list) ?? 1
    const id = typeof fields.id === 'number' ? fields.id : nextId
    this.#nextIds.set(list, Math.max(nextId, id + 1))
    return id
  }
}

/** A row of the world format: what the model has, the id, the given fields, and the defaults of all others. */
function toRow<List extends ListName>(
  list: List,
  made: object,
  id: number,
  fields: PartialRow<List>,
): FactoryRows[List] {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const counted = typeof (made as { id?: unknown }).id === 'number' && { id }
  // The models add symbols to their rows, which entries do not have.
  const values = { ...Object.fromEntries(Object.entries(made)), ...counted }
  const row = entities[list].create<object>({ ...values, ...Object.fromEntries(given) })
  return toRowJson(list, row) as FactoryRows[List]
}

/** A sequence of random-looking numbers for each name and count, whatever other sequences were used before. */
class SeededSequences {
  readonly #seed: number
  #current = { start: 0, drawn: 0 }

  constructor(seed: number) {
    this.#seed = seed
  }

  /** Runs a function that draws from the start of a sequence, then goes on with the sequence in use before. */
  within<T>(name: string, count: number, run: () => T): T {
    const before = this.#current
    this.#current = { start: mixName(this.#seed, name, count), drawn: 0 }
    try {
      return run()
    } finally {
      this.#current = before
    }
  }

  /** From 0 up to, but not including, 1 */
  next(): number {
    const { start } = this.#current
    return mixBits(mixBits(start ^ this.#current.drawn++)) / 2 ** 32
  }
}
