import type { entities } from './entities/entities.ts'
import type { FieldsWith } from './entities/field.ts'
import type { Rows } from './rows.ts'

type Optional<Row, Names extends keyof Row> = Omit<Row, Names> & Partial<Pick<Row, Names>>
type Named<List extends keyof Rows, Facts> = keyof Rows[List] &
  FieldsWith<(typeof entities)[List], Facts>

type CompleteRows = {
  readonly [List in keyof Rows]: Omit<Rows[List], Named<List, { inFiles: 'never' }>>
}

/** A row in the world format, with every field. */
export type Row<List extends keyof Rows> = CompleteRows[List]

/** Some fields of a row. One that is undefined is left out, and a time can be a Date. */
export type GivenFields<Row> = {
  readonly [Field in keyof Row]?: Row[Field] | TimeOf<Field> | undefined
}

type TimeOf<Field> = Field extends 'date_marker' | `${string}_at` ? Date : never

/** A row of a list, as world files have it. */
type Json<List extends keyof Rows> = Omit<
  Optional<Rows[List], Named<List, { inFiles: 'maybe' }>>,
  Named<List, { inFiles: 'never' }>
>

/** An API key in a world file. */
type KeyJson = Json<'keys'>
/** A catalogue entry in a world file. */
type RepositoryJson = Json<'repository'>
type PluginJson = Json<'plugins'>
/** An annotation in a world file. In a JSON module its scope is any text. */
type AnnotationJson = Omit<Json<'annotations'>, 'scope'> & { readonly scope: string }

/** The lists whose rows are read and written one by one, without a request. */
export type EditableList = Exclude<keyof Rows, 'keys' | 'repository'>

/** The lists whose ids are counted up. */
export type CountedList = Exclude<EditableList, 'organizations'>

/**
 * A world as JSON: the format of world files, and of worlds in the admin API. Every list is optional.
 *
 * @example { "organizations": [{ "id": "…", "name": "Acme" }], "projects": [{ "id": 1, "organization": "…" }] }
 */
export interface WorldJson {
  /** The URL of the JSON Schema, for editors */
  readonly $schema?: string
  /** The version of the world format; default: 1 */
  readonly format_version?: number
  readonly organizations?: readonly Json<'organizations'>[]
  readonly projects?: readonly Json<'projects'>[]
  readonly users?: readonly Json<'users'>[]
  readonly keys?: readonly KeyJson[]
  readonly dashboard_items?: readonly Json<'dashboard_items'>[]
  readonly plugins?: readonly PluginJson[]
  readonly plugin_configs?: readonly Json<'plugin_configs'>[]
  readonly repository?: readonly RepositoryJson[]
  readonly annotations?: readonly AnnotationJson[]
  readonly activity?: readonly Json<'activity'>[]
  /** The id of the next row of each list; default: the highest id plus one */
  readonly next_ids?: { readonly [List in CountedList]?: number }
  /** ISO 8601: rows are generated with times of the year before it. A date alone is its midnight in UTC */
  readonly now?: string
  /** The seed of generated values */
  readonly seed?: number
  /** The number of rows that the factories add to each list */
  readonly generate?: { readonly [List in CountedList | 'organizations']?: number }
}

/** A row of a list in a world file. */
export type RowJson<List extends keyof Rows> = NonNullable<WorldJson[List]>[number]

/** Some fields of a row of a list. */
export type PartialRow<List extends keyof Rows> = GivenFields<Row<List>>

/**
 * A world with partial rows, and the number of rows to generate in each list.
 *
 * @example { "annotations": [{ "content": "Launch" }], "generate": { "annotations": 100 } }
 */
export type PartialWorldJson = {
  readonly [Field in keyof WorldJson]: Field extends keyof Rows
    ? readonly GivenFields<RowJson<Field>>[]
    : WorldJson[Field]
}
