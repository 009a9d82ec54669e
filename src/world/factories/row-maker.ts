import { type Dice, toDice } from './dice.ts'
import { drafts } from './drafts.ts'
import { toFake } from './library.ts'
import type { Given, ListName, MadeLists, MadeRows } from './made.ts'
import type { Part } from './making.ts'
import { openModels } from './models.ts'
import { Places } from './places.ts'

/** What all rows of a world follow from. */
interface Beginning {
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
export class RowMaker {
  readonly rows: MadeLists = {
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
  readonly #models: ReturnType<typeof openModels>
  readonly #dice: Dice
  readonly #places: Places
  readonly #now: number
  readonly #nextIds: Map<string, number>

  constructor({ seed, now, nextIds }: Beginning) {
    const fake = toFake(seed, now)
    this.#models = openModels(fake)
    this.#dice = toDice(fake)
    this.#places = new Places(this.rows, this.#dice, (list) => this.make(list, {}))
    this.#now = now
    this.#nextIds = new Map(Object.entries(nextIds))
  }

  /**
   * @param given stays as it is
   * @param part which of how many, for a row that is one of many
   */
  make<List extends ListName>(list: List, given: Given<List>, part?: Part): MadeRows[List] {
    const id = this.#idFor(list, given)
    const making = { given, id, places: this.#places, dice: this.#dice, now: this.#now, part }
    const made = this.#models[list](drafts[list](making)) as Record<string, unknown>
    if (typeof made.id === 'number') made.id = id
    for (const [field, value] of Object.entries(given)) {
      if (value !== undefined) made[field] = value
    }
    const row = made as unknown as MadeRows[List]
    this.rows[list].push(row)
    this.#places.note(list, row)
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
