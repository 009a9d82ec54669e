import { mixBits, mixName } from '../../utils/seeded-random.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import { type ListName, worldLists } from '../tables.ts'
import { parseMoment } from './dates.ts'
import { rowDrafts } from './drafts.ts'
import { createFaker } from './library.ts'
import { createModels } from './models.ts'
import type { FactoryLists, FactoryRows, PartialRow } from './partial-rows.ts'
import { type BatchPosition, RandomSource, RelatedRows, type RowContext } from './row-context.ts'

interface RowGeneratorOptions {
  readonly seed: number
  /** Milliseconds since 1970 */
  readonly now: number
  /** The first free id of each list; default: 1 */
  readonly nextIds: { readonly [list: string]: number }
}

/**
 * Generates complete rows, one after the other, and collects them. If a row references a row that does not exist, that
 * row is generated, too.
 *
 * @example new RowGenerator({ seed: 1, now, nextIds: {} }).create('annotations', { content: 'Launch' })
 */
export class RowGenerator {
  readonly rows = Object.fromEntries(
    worldLists.map((list): [string, object[]] => [list, []]),
  ) as FactoryLists
  readonly #models: ReturnType<typeof createModels>
  readonly #sequences: SeededSequences
  readonly #random: RandomSource
  readonly #related: RelatedRows
  readonly #now: number
  readonly #nextIds: Map<string, number>

  constructor({ seed, now, nextIds }: RowGeneratorOptions) {
    this.#sequences = new SeededSequences(seed)
    this.#random = new RandomSource(createFaker(this.#sequences, now))
    this.#models = createModels(this.#random)
    this.#related = new RelatedRows(this.rows, this.#random, (list) => this.create(list, {}))
    this.#now = now
    this.#nextIds = new Map(Object.entries(nextIds))
  }

  /**
   * Creates a row. Its values depend on the seed, its list and its id, and not on the number of other rows.
   *
   * @param fields the fields that are not generated
   * @param position the position of a row within a batch
   */
  create<List extends ListName>(
    list: List,
    fields: PartialRow<List>,
    position?: BatchPosition,
  ): FactoryRows[List] {
    const id = this.#idFor(list, fields)
    return this.#sequences.within(list, id, () => this.#createRow(list, id, fields, position))
  }

  #createRow<List extends ListName>(
    list: List,
    id: number,
    fields: PartialRow<List>,
    position: BatchPosition | undefined,
  ): FactoryRows[List] {
    const context: RowContext<List> = {
      overrides: fields,
      id,
      related: this.#related,
      random: this.#random,
      now: this.#now,
      position,
    }
    const values = this.#models[list](rowDrafts[list](context)) as Record<string, unknown>
    if (typeof values.id === 'number') values.id = id
    for (const [field, value] of Object.entries(fields)) {
      if (value !== undefined) values[field] = value
    }
    const row = values as unknown as FactoryRows[List]
    this.rows[list].push(row)
    this.#related.register(list, row)
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

export const defaultNow = '2024-06-15T12:00:00Z'

export const defaultSeed = 1

/** @throws UsageError for a seed that is not a whole number */
export function checkSeed(seed: number): number {
  if (Number.isSafeInteger(seed)) return seed
  throw unexpectedValue('generate rows', 'a whole number as the seed', seed)
}

/** Parses a time into milliseconds since 1970. @throws UsageError for an invalid time */
export function parseNow(now: string): number {
  const moment = typeof now === 'string' ? parseMoment(now) : Number.NaN
  if (Number.isFinite(moment)) return moment
  const expected = 'an ISO 8601 time as now, such as 2024-06-15T12:00:00Z'
  throw unexpectedValue('generate rows', expected, now)
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
