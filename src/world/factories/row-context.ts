import type { ReferencedList } from '../entities/field.ts'
import { references } from '../schema/references.ts'
import type { ListName } from '../tables.ts'
import type { Faker } from './database.ts'
import type { FactoryLists, FactoryRows, PartialRow } from './partial-rows.ts'

/** What a row is generated from. */
export interface RowContext<List extends ListName = ListName> {
  /** The fields that are not generated */
  readonly overrides: PartialRow<List>
  /** The id of the row, if the ids of its list are counted up */
  readonly id: number
  readonly related: RelatedRows
  readonly fake: Faker
  /** Milliseconds since 1970 */
  readonly now: number
  /** The position in a batch of rows, which are spread over projects */
  readonly index: number | undefined
}

/** The generated fields of a row, but those that its model has a value for. */
export type RowDraft<List extends ListName> = {
  readonly [Field in keyof FactoryRows[List]]?: FactoryRows[List][Field]
}

export function pickOptional<Value>(fake: Faker, list: readonly Value[]): Value | undefined {
  return list.length > 0 ? fake.helpers.arrayElement(list) : undefined
}

/** Finds the rows that a generated row can reference, or creates them. */
export class RelatedRows {
  readonly #rows: FactoryLists
  readonly #fake: Faker
  readonly #create: <List extends ListName>(list: List) => FactoryRows[List]
  readonly #groups = new Map<string, object[]>()

  constructor(
    rows: FactoryLists,
    fake: Faker,
    create: <List extends ListName>(list: List) => FactoryRows[List],
  ) {
    this.#rows = rows
    this.#fake = fake
    this.#create = create
  }

  /**
   * Chooses a row to reference: the first one but inactive users, or creates it. The rows of a batch first use each row once, then the
   * first row with a probability of 1/3, else a random row.
   */
  choose<List extends ListName>(list: List, index?: number): FactoryRows[List] {
    const rows: FactoryRows[List][] = this.#rows[list]
    const first = rows.find((row) => !isInactive(row)) ?? this.#create(list)
    if (index === undefined) return first
    // Drawn for each row, so that the values after it do not depend on the number of rows to choose from.
    const drawn = this.#fake.datatype.boolean(1 / 3) ? first : this.#fake.helpers.arrayElement(rows)
    return rows[index] ?? drawn
  }

  find<List extends ListName>(
    list: List,
    id: string | number | null | undefined,
  ): FactoryRows[List] | undefined {
    return this.#group(`${list} ${id}`)[0] as FactoryRows[List] | undefined
  }

  /** Finds the rows of a list that reference a row, except inactive users. */
  referencing<List extends ListName>(
    list: List,
    target: ReferencedList,
    id: string | number | undefined,
  ): readonly FactoryRows[List][] {
    return this.#group(`${list} of ${target} ${id}`) as FactoryRows[List][]
  }

  add<List extends ListName>(list: List, row: FactoryRows[List]): void {
    this.#rows[list].push(row)
    // These lists are the longest, and no row references their rows.
    if (list === 'annotations' || list === 'activity') return
    const fields: Record<string, unknown> = { ...row }
    this.#group(`${list} ${fields.id}`).push(row)
    if (isInactive(row)) return
    for (const [field, target] of Object.entries(references[list] ?? {})) {
      for (const id of [fields[field]].flat()) this.#group(`${list} of ${target} ${id}`).push(row)
    }
  }

  #group(name: string): object[] {
    const group = this.#groups.get(name) ?? []
    this.#groups.set(name, group)
    return group
  }
}

function isInactive(row: object): boolean {
  return (row as { readonly is_active?: boolean }).is_active === false
}
