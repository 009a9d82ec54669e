import { unexpectedValue } from '../../utils/usage-error.ts'
import { parseMoment } from './dates.ts'
import { rowDrafts } from './drafts.ts'
import { createFaker } from './library.ts'
import { createModels } from './models.ts'
import type { FactoryLists, FactoryRows, ListName, PartialRow } from './partial-rows.ts'
import { createRandomSource, type RandomSource } from './random.ts'
import { type BatchPosition, RelatedRows, type RowContext } from './row-context.ts'

/** What all rows of a world follow from. */
interface RowGeneratorOptions {
  readonly seed: number
  /** Milliseconds since 1970 */
  readonly now: number
  /** The first id that is free, per list; 1 where it says none. */
  readonly nextIds: { readonly [list: string]: number }
}

/**
 * Makes rows, one after the other, each with all its fields, and keeps them. What a row names and nobody made
 * before is made with it.
 *
 * @example new RowMaker({ seed: 1, now, nextIds: {} }).make('annotations', { content: 'Launch' })
 */
export class RowGenerator {
  readonly rows: FactoryLists = {
    organizations: [],
    projects: [],
    users: [],
    keys: [],
    dashboard_items: [],
    repository: [],
    plugins: [],
    plugin_configs: [],
    annotations: [],
    activity: [],
  }
  readonly #models: ReturnType<typeof createModels>
  readonly #random: RandomSource
  readonly #related: RelatedRows
  readonly #now: number
  readonly #nextIds: Map<string, number>

  constructor({ seed, now, nextIds }: RowGeneratorOptions) {
    const fake = createFaker(seed, now)
    this.#models = createModels(fake)
    this.#random = createRandomSource(fake)
    this.#related = new RelatedRows(this.rows, this.#random, (list) => this.create(list, {}))
    this.#now = now
    this.#nextIds = new Map(Object.entries(nextIds))
  }

  /**
   * @param given stays as it is
   * @param part which of how many, for a row that is one of many
   */
  create<List extends ListName>(
    list: List,
    given: PartialRow<List>,
    part?: BatchPosition,
  ): FactoryRows[List] {
    const id = this.#idFor(list, given)
    const context: RowContext<List> = {
      overrides: given,
      id,
      related: this.#related,
      random: this.#random,
      now: this.#now,
      position: part,
    }
    const made = this.#models[list](rowDrafts[list](context)) as Record<string, unknown>
    if (typeof made.id === 'number') made.id = id
    for (const [field, value] of Object.entries(given)) {
      if (value !== undefined) made[field] = value
    }
    const row = made as unknown as FactoryRows[List]
    this.rows[list].push(row)
    this.#related.register(list, row)
    return row
  }

  /** The ids that come next in some lists. */
  nextIds(lists: readonly string[]): { [list: string]: number } {
    return Object.fromEntries(lists.map((list) => [list, this.#nextIds.get(list) ?? 1]))
  }

  #idFor(list: ListName, given: { readonly id?: unknown }): number {
    const next = this.#nextIds.get(list) ?? 1
    const id = typeof given.id === 'number' ? given.id : next
    this.#nextIds.set(list, Math.max(next, id + 1))
    return id
  }
}

/** What generated dates lie around when nobody says. */
export const defaultNow = '2024-06-15T12:00:00Z'

export const defaultSeed = 1

/** @throws UsageError for what is no whole number */
export function checkSeed(seed: number): number {
  if (Number.isSafeInteger(seed)) return seed
  throw unexpectedValue('generate rows', 'a whole number as the seed', seed)
}

/** Milliseconds since 1970. @throws UsageError for what is no time */
export function parseNow(now: string): number {
  const moment = typeof now === 'string' ? parseMoment(now) : Number.NaN
  if (Number.isFinite(moment)) return moment
  throw unexpectedValue(
    'generate rows',
    'an ISO 8601 time as now, such as 2024-06-15T12:00:00Z',
    now,
  )
}
