import type { RowChange } from '../history/history.ts'
import type { ResponseField } from './response-fields.ts'
import type { MutantKind } from './rule.ts'

type Row = Readonly<Record<string, unknown>>

/** No service returns another text, or null, in place of what a client has just written. */
const sparing: readonly MutantKind[] = ['null', 'long_text', 'right_to_left']

/** The fields that requests wrote, which some mutants spare. */
export class WrittenFields {
  /** By the id of the row. Rows of different lists can have the same id. Their values differ. */
  readonly #changes = new Map<unknown, RowChange[]>()

  constructor(changes: readonly RowChange[] = []) {
    this.add(changes)
  }

  add(changes: readonly RowChange[]): void {
    for (const change of changes) {
      const { id } = (change.after ?? {}) as Row
      if (!('entry' in change.cause)) continue
      const known = this.#changes.get(id)
      if (known) known.push(change)
      else this.#changes.set(id, [change])
    }
  }

  /** @returns a function that tells whether a kind has to spare a field: a request wrote the value that it has */
  test(kind: MutantKind): (row: unknown, field: ResponseField) => boolean {
    if (!sparing.includes(kind)) return () => false
    return (row, { path }) => {
      const { id, [path]: value } = Object(row) as Row
      const changes = this.#changes.get(id) ?? []
      return changes.some(({ before, after }) => {
        const [old, written] = [before, after].map((each) => (each as Row | undefined)?.[path])
        return old !== written && JSON.stringify(written) === JSON.stringify(value)
      })
    }
  }
}
