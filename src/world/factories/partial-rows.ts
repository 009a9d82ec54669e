import type { ListName } from '../tables.ts'
import type { GivenFields, Row, RowJson, WorldJson } from '../world-json.ts'

// Public types. This file must not import the generators, because not every compiler accepts the types of faker.

/** Some fields of a row of a list. */
export type PartialRow<List extends ListName> = GivenFields<Row<List>>

/**
 * A world with partial rows, and the number of rows to generate in each list.
 *
 * @example { "annotations": [{ "content": "Launch" }], "generate": { "annotations": 100 } }
 */
export type PartialWorldJson = {
  readonly [Field in keyof WorldJson]: Field extends ListName
    ? readonly GivenFields<RowJson<Field>>[]
    : WorldJson[Field]
}
