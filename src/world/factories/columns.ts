import { type Model, primaryKey, type SeededFaker } from './library.ts'

/** What the columns of the models are made of. */
export interface ColumnHelpers {
  readonly fake: SeededFaker
  readonly id: Model[string]
  /** True in this share of all rows. */
  readonly chance: (part: number) => boolean
  readonly pick: (list: readonly string[]) => string
}

export function createColumnHelpers(fake: SeededFaker): ColumnHelpers {
  // The library would refuse an id twice in words of its own: the real ids are set, and checked, outside.
  let rows = 0
  return {
    fake,
    id: primaryKey(() => ++rows),
    chance: (part) => fake.datatype.boolean(part),
    pick: (list) => fake.helpers.arrayElement(list),
  }
}
