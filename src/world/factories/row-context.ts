import type { ReferencedList } from '../entities/field.ts'
import { references } from '../schema/references.ts'
import type { ListName } from '../tables.ts'
import type { SeededFaker } from './library.ts'
import type { FactoryLists, FactoryRows, PartialRow } from './partial-rows.ts'

/** The position of a row within a batch. The rows of a batch are spread over projects. */
export interface BatchPosition {
  readonly index: number
}

export interface RowContext<List extends ListName> {
  /** The fields that are not generated */
  readonly overrides: PartialRow<List>
  /** The id of the row, if the ids of its list are counted up */
  readonly id: number
  readonly related: RelatedRows
  readonly random: RandomSource
  /** Milliseconds since 1970 */
  readonly now: number
  readonly position: BatchPosition | undefined
}

export type RowDraft<List extends ListName> = {
  readonly [Field in keyof FactoryRows[List]]?: FactoryRows[List][Field]
}

type CreateRelatedRow = <List extends ListName>(list: List) => FactoryRows[List]
type Id = string | number | null | undefined

/** Finds the rows that a generated row can reference, or creates them. */
export class RelatedRows {
  readonly #rows: FactoryLists
  readonly #random: RandomSource
  readonly #create: CreateRelatedRow
  readonly #groups = new Map<string, object[]>()
  readonly #names = new Set<string>()

  constructor(rows: FactoryLists, random: RandomSource, create: CreateRelatedRow) {
    this.#rows = rows
    this.#random = random
    this.#create = create
  }

  /**
   * Chooses a row to reference: the first one, or creates it. The rows of a batch first use each row once, then the
   * first row with a probability of 1/3, else a random row.
   */
  choose<List extends ListName>(list: List, position?: BatchPosition): FactoryRows[List] {
    const rows: FactoryRows[List][] = this.#rows[list]
    const [first = this.#create(list)] = rows
    if (!position) return first
    // Drawn for each row, so that the values after it do not depend on the number of rows to choose from.
    const random = this.#random.chance(1 / 3) ? first : this.#random.pick(rows)
    return rows[position.index] ?? random
  }

  all<List extends ListName>(list: List): readonly FactoryRows[List][] {
    return this.#rows[list]
  }

  find<List extends ListName>(list: List, id: Id): FactoryRows[List] | undefined {
    return this.#group<FactoryRows[List]>(`${list} ${id}`)[0]
  }

  hasProjectName(name: string): boolean {
    return this.#names.has(name)
  }

  /** Finds the rows of a list that reference a row, except inactive users. */
  referencing<List extends ListName>(
    list: List,
    target: ReferencedList,
    id: Id,
  ): readonly FactoryRows[List][] {
    return this.#group<FactoryRows[List]>(`${list} of ${target} ${id}`)
  }

  register<List extends ListName>(list: List, row: FactoryRows[List]): void {
    // These lists are the longest, and no row references their rows.
    if (list === 'annotations' || list === 'activity') return
    const fields: Record<string, unknown> = { ...row }
    this.#add(`${list} ${fields.id}`, row)
    if (list === 'projects') this.#names.add(String(fields.name))
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

export class RandomSource {
  readonly fake: SeededFaker

  constructor(fake: SeededFaker) {
    this.fake = fake
  }

  /** A whole number, including both ends */
  integer(min: number, max: number): number {
    return this.fake.number.int({ min, max })
  }

  chance(probability: number): boolean {
    return this.fake.datatype.boolean(probability)
  }

  pick<Value>(list: readonly Value[]): Value {
    return this.fake.helpers.arrayElement(list)
  }

  /** One of several words, separated by `|` */
  pickWord(words: string): string {
    return this.pick(words.split('|'))
  }

  pickOptional<Value>(list: readonly Value[]): Value | undefined {
    return list.length > 0 ? this.pick(list) : undefined
  }

  /** An item of a non-empty list, with a probability in proportion to its weight */
  pickWeighted<Value extends { readonly weight: number }>(list: readonly Value[]): Value {
    const total = list.reduce((sum, { weight }) => sum + weight, 0)
    let rest = this.integer(1, total)
    const item = list.find(({ weight }) => {
      rest -= weight
      return rest <= 0
    })
    return item as Value
  }

  /** A commit hash of seven characters */
  commitSha(): string {
    return this.fake.git.commitSha({ length: 7 })
  }

  word(): string {
    return this.fake.word.noun()
  }
}
