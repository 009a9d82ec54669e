import { type Fake, type Model, primaryKey } from './library.ts'

/** What the columns of the models are made of. */
export interface Columns {
  readonly fake: Fake
  readonly id: Model[string]
  /** True in this share of all rows. */
  readonly share: (part: number) => boolean
  readonly oneOf: (list: readonly string[]) => string
}

export function toColumns(fake: Fake): Columns {
  // The library would refuse an id twice in words of its own: the real ids are set, and checked, outside.
  let rows = 0
  return {
    fake,
    id: primaryKey(() => ++rows),
    share: (part) => fake.datatype.boolean(part),
    oneOf: (list) => fake.helpers.arrayElement(list),
  }
}
