import type { ChangeStep } from '../../scenarios/format/scenario.ts'

/** What others did to the rows of a list between the requests. */
export class RowEdits {
  /** By the index of the exchange that showed it */
  readonly steps = new Map<number, ChangeStep[]>()
  readonly #list: string
  #index = -1
  #kind = ''
  #rows: never[] = []

  constructor(list: string) {
    this.#list = list
  }

  /** Adds a row that was added or updated, or the id of a deleted one. Edits of one kind before a request are one step. */
  add(index: number, kind: 'rows' | 'update' | 'delete', row: unknown): void {
    if (index !== this.#index || kind !== this.#kind) {
      this.#rows = []
      const lists = { [this.#list]: this.#rows }
      const step: ChangeStep =
        kind === 'rows'
          ? { rows: lists }
          : kind === 'update'
            ? { update: lists }
            : { delete: lists }
      this.steps.set(index, [...(this.steps.get(index) ?? []), step])
      this.#index = index
      this.#kind = kind
    }
    this.#rows.push(row as never)
  }
}
