import { type ReferencedList, references } from '../schema/references.ts'
import type { FactoryLists, FactoryRows, ListName, PartialRow } from './partial-rows.ts'
import type { RandomSource } from './random.ts'

/** Which of how many: rows that are counted, not written, spread over places and over time. */
export interface BatchPosition {
  readonly index: number
  readonly of: number
}

/** What is known when a row is made. */
export interface RowContext<List extends ListName> {
  readonly overrides: PartialRow<List>
  /** The id it will have, where ids are counted */
  readonly id: number
  readonly related: RelatedRows
  readonly random: RandomSource
  /** Milliseconds since 1970 */
  readonly now: number
  readonly position: BatchPosition | undefined
}

/** The fields of a row that a draft settles. */
export type RowDraft<List extends ListName> = {
  readonly [Field in keyof FactoryRows[List]]?: FactoryRows[List][Field]
}

type CreateRelated = <List extends ListName>(list: List) => FactoryRows[List]
type Id = string | number | null | undefined

/** Where a row goes that does not say: to rows there are, or to a new one where there is none yet. */
export class RelatedRows {
  readonly #rows: FactoryLists
  readonly #random: RandomSource
  readonly #make: CreateRelated
  readonly #groups = new Map<string, object[]>()

  constructor(rows: FactoryLists, dice: RandomSource, make: CreateRelated) {
    this.#rows = rows
    this.#random = dice
    this.#make = make
  }

  /**
   * Rows that are counted go once to each place, then every third to the first, the others anywhere.
   * All else goes to the first place.
   */
  choose<List extends ListName>(list: List, part?: BatchPosition): FactoryRows[List] {
    const rows: FactoryRows[List][] = this.#rows[list]
    const [first = this.#make(list)] = rows
    if (!part) return first
    return rows[part.index] ?? (this.#random.chance(1 / 3) ? first : this.#random.pick(rows))
  }

  all<List extends ListName>(list: List): readonly FactoryRows[List][] {
    return this.#rows[list]
  }

  /** The row of an id. */
  find<List extends ListName>(list: List, id: Id): FactoryRows[List] | undefined {
    return this.#group<FactoryRows[List]>(`${list} ${id}`)[0]
  }

  /** The rows of a list that name a row, but users who left. */
  referencing<List extends ListName>(
    list: List,
    target: ReferencedList,
    id: Id,
  ): readonly FactoryRows[List][] {
    return this.#group<FactoryRows[List]>(`${list} of ${target} ${id}`)
  }

  /** Takes a row into account from here on. */
  register<List extends ListName>(list: List, row: FactoryRows[List]): void {
    // The longest lists, and no row names theirs.
    if (list === 'annotations' || list === 'activity') return
    const fields: Record<string, unknown> = { ...row }
    this.#add(`${list} ${fields.id}`, row)
    if (fields.is_active === false) return
    for (const [field, target] of Object.entries(references[list] ?? {})) {
      for (const id of [fields[field]].flat()) this.#add(`${list} of ${target} ${id}`, row)
    }
  }

  #group<Row>(name: string): readonly Row[] {
    return (this.#groups.get(name) ?? []) as Row[]
  }

  #add(name: string, row: object): void {
    const group = this.#groups.get(name)
    if (group) group.push(row)
    else this.#groups.set(name, [row])
  }
}
