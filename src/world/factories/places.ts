import { type NamedList, references } from '../references.ts'
import type { Dice } from './dice.ts'
import type { ListName, MadeLists, MadeRows } from './made.ts'
import type { Part } from './making.ts'

type Make = <List extends ListName>(list: List) => MadeRows[List]
type Id = string | number | null | undefined

/** Where a row goes that does not say: to rows there are, or to a new one where there is none yet. */
export class Places {
  readonly #rows: MadeLists
  readonly #dice: Dice
  readonly #make: Make
  readonly #groups = new Map<string, object[]>()

  constructor(rows: MadeLists, dice: Dice, make: Make) {
    this.#rows = rows
    this.#dice = dice
    this.#make = make
  }

  /**
   * Rows that are counted go once to each place, then every third to the first, the others anywhere.
   * All else goes to the first place.
   */
  one<List extends ListName>(list: List, part?: Part): MadeRows[List] {
    const rows: MadeRows[List][] = this.#rows[list]
    const [first = this.#make(list)] = rows
    if (!part) return first
    return rows[part.index] ?? (this.#dice.odds(1 / 3) ? first : this.#dice.pick(rows))
  }

  all<List extends ListName>(list: List): readonly MadeRows[List][] {
    return this.#rows[list]
  }

  /** The row of an id. */
  find<List extends ListName>(list: List, id: Id): MadeRows[List] | undefined {
    return this.#group<MadeRows[List]>(`${list} ${id}`)[0]
  }

  /** The rows of a list that name a row, but users who left. */
  of<List extends ListName>(list: List, target: NamedList, id: Id): readonly MadeRows[List][] {
    return this.#group<MadeRows[List]>(`${list} of ${target} ${id}`)
  }

  /** Takes a row into account from here on. */
  note<List extends ListName>(list: List, row: MadeRows[List]): void {
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
