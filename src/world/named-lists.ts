import type { Entry } from './entry.ts'
import { mergeSorted } from './merged-list.ts'
import { OrderedList } from './ordered-list.ts'
import type { Compare, Sorted } from './sorted.ts'

/** How rows are listed. */
export interface ListRules<R> {
  /** The same row with its fields in one order; as it comes where missing. */
  readonly shape?: (row: R) => R
  /** The order of every list: the lowest first; by id where missing. */
  readonly rank?: (row: R) => number
  /** The field that a rank follows from: where it stays, so does the rank. */
  readonly rankedBy?: keyof R
  /** The order of rows of one rank; by id where missing. */
  readonly compare?: Compare<R>
  /** The names of the lists that a row stands in. */
  readonly lists?: (row: R) => readonly string[]
  /** What a search looks in. */
  readonly text?: (row: R) => string | null
}

type Lists<R> = Map<string, OrderedList<Entry<R>>>

/** The ordered lists of a table, by name, made when first asked for; forked at the same cost at any size. */
export class NamedLists<R extends { readonly id: number }> {
  readonly #rules: ListRules<R>
  /** The lists as they began, made once for all forks. */
  #beginning: () => Lists<R>
  #lists: Lists<R> | null = null
  /** The names of the lists that no fork reads; null while a fork may read the map itself. */
  #mine: Set<string> | null = null

  constructor(rules: ListRules<R>, entries: readonly Entry<R>[] = []) {
    this.#rules = rules
    let begun: Lists<R> | null = null
    this.#beginning = () => {
      begun ??= this.#listed(entries)
      return begun
    }
  }

  /** Several lists as one, in order; lists that do not exist are empty. */
  merged(names: readonly string[]): Sorted<Entry<R>> {
    const lists = names.map((name) => this.#all().get(name)).filter((list) => list !== undefined)
    return mergeSorted(lists, this.#compare)
  }

  insert(entry: Entry<R>): void {
    for (const name of this.#namesOf(entry)) this.#own(name).insert(entry)
  }

  remove(entry: Entry<R>): void {
    for (const name of this.#namesOf(entry)) this.#own(name).remove(entry)
  }

  /** In place in the lists where the row keeps its place. */
  replace(before: Entry<R>, after: Entry<R>): void {
    const stays = this.#compare(before, after) === 0
    const [old, now] = [this.#namesOf(before), this.#namesOf(after)]
    for (const name of old) {
      if (stays && now.includes(name)) this.#own(name).replace(before, after)
      else this.#own(name).remove(before)
    }
    for (const name of now) if (!stays || !old.includes(name)) this.#own(name).insert(after)
  }

  fork(): NamedLists<R> {
    const copy = new NamedLists<R>(this.#rules)
    copy.#beginning = this.#beginning
    copy.#lists = this.#lists
    copy.#mine = null
    this.#mine = null
    return copy
  }

  readonly #compare: Compare<Entry<R>> = (a, b) => {
    if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1
    return this.#rules.compare ? this.#rules.compare(a.row, b.row) : a.row.id - b.row.id
  }

  readonly #text = (entry: Entry<R>): string | null => {
    if (entry.folded === undefined) entry.folded = this.#rules.text?.(entry.row) ?? null
    return entry.folded
  }

  #namesOf({ row }: Entry<R>): readonly string[] {
    return this.#rules.lists?.(row) ?? []
  }

  #newList(entries: Entry<R>[]): OrderedList<Entry<R>> {
    const rows = entries.sort(this.#compare)
    return new OrderedList({ compare: this.#compare, text: this.#text, rank: rankOf, rows })
  }

  #listed(entries: readonly Entry<R>[]): Lists<R> {
    const listed = new Map<string, Entry<R>[]>()
    for (const entry of entries) {
      for (const name of this.#namesOf(entry)) {
        const list = listed.get(name)
        if (list) list.push(entry)
        else listed.set(name, [entry])
      }
    }
    return new Map([...listed].map(([name, rows]) => [name, this.#newList(rows)]))
  }

  #all(): Lists<R> {
    this.#lists ??= this.#beginning()
    return this.#lists
  }

  /** A list that is safe to change. */
  #own(name: string): OrderedList<Entry<R>> {
    if (!this.#mine) {
      this.#lists = new Map(this.#all())
      this.#mine = new Set()
    }
    const known = this.#all().get(name)
    if (known && this.#mine.has(name)) return known
    const list = known?.fork() ?? this.#newList([])
    this.#all().set(name, list)
    this.#mine.add(name)
    return list
  }
}

function rankOf({ rank }: { readonly rank: number }): number {
  return rank
}
