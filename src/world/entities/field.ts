import type { Choices } from '../../settings/per-setting.ts'
import type { SettingId, SettingValues } from '../../settings/setting.ts'
import type { Clock } from '../clock/clock.ts'

/** What a field holds. World files, bodies, responses and OpenAPI each have a rule for every kind. */
export type FieldKind =
  /** An integer from 1 on, which is counted up */
  | 'id'
  | 'uuid'
  /** The id of a row of another list */
  | 'reference'
  /** Ids of rows of another list */
  | 'references'
  | 'integer'
  /** One of a few numbers */
  | 'level'
  | 'flag'
  | 'text'
  /** One of a few words */
  | 'choice'
  /** ISO 8601 in any form that the service accepts. Rows have it in UTC with Z, with six digits of fraction or none. */
  | 'time'
  | 'email'
  /** The value of an API key */
  | 'key'
  /** The scopes of an API key */
  | 'scopes'
  /** Any JSON value, also null */
  | 'json'
  /** A JSON object */
  | 'object'
  /** The versions of a plugin of the catalogue */
  | 'versions'
  /** Always null in responses, and not in rows */
  | 'nothing'

/** The lists whose rows other rows can reference. */
export type ReferencedList = 'organizations' | 'projects' | 'users' | 'dashboard_items' | 'plugins'

/** The values of a choice that requests can send. `any` allows every text. */
export type ChoiceValues = readonly string[] | 'any'

/** What is known of a field of a row. */
export interface FieldFacts<Row = never> {
  readonly kind: FieldKind
  /** The maximum length of a text, in code points; unlimited by default */
  readonly max?: number
  /** The least integer */
  readonly min?: number
  /** The list that a reference leads to */
  readonly list?: ReferencedList
  /** The values of a level or choice in world files. The documentation shows the first one of a choice only, as a sample. */
  readonly values?: readonly (string | number)[]
  /** The words of a choice in requests, by a setting that is named after the field */
  readonly choices?: Choices<ChoiceValues>
  /** The setting that restricts JSON in bodies to the shape that was seen in the live service, and the test for that shape */
  readonly shape?: { readonly setting: SettingId; readonly test: (value: unknown) => boolean }
  /** The field can be null, and is null by default. */
  readonly nullable?: true
  /** The setting that lets bodies have null by its value `accepted`; `always` if they can. Without it, `fields.nullable` decides. */
  readonly nullSetting?: SettingId | 'always'
  /** The value in a row that does not say it */
  readonly default?: unknown
  /** Computes the value in a row that does not say it. Other defaults can be missing in the row. */
  complete?(row: Row, place: RowPlace): unknown
  /** Computes the value in a row that is created without a request and does not say it. */
  readonly initial?: (context: NewRowContext) => unknown
  /** World files can leave the field out. */
  readonly optional?: true
  /** World files and responses never have the field. It is computed when a row is loaded. */
  readonly internal?: true
  /** Where the live service was seen reading the field from bodies. Other fields of bodies are ignored. */
  readonly writable?: 'source' | 'framework'
  /** Responses do not have the field. */
  readonly hidden?: true
  /** Converts the value for responses. */
  readonly toSent?: (value: never) => unknown
  /** For a field of responses that rows do not have: the reference to the row that has it, and its name there */
  readonly from?: { readonly reference: string; readonly name: string }
  /** The row that responses have in place of the reference to it */
  readonly embedded?: Pick<Entity, 'fields'>
  /** Responses have the field only under these values of the setting `annotations.fields`. */
  readonly versions?: readonly SettingValues['annotations.fields'][]
}

/** A field of an entity. */
export interface Field extends FieldFacts {
  readonly name: string
}

/** The facts about a row of a world file that its fields do not contain. */
export interface RowPlace {
  /** The position in its list, from 0 */
  readonly index: number
  /** Returns the organization of a project. */
  organizationOf(project: number): string
}

/** What a row is created with if no request creates it. */
export interface NewRowContext {
  /** The id of the row, or the number that its UUID is derived from */
  readonly id: number
  readonly seed: number
  readonly clock: Clock
  readonly defaults: { readonly project_id: number; readonly organization_id: string }
}

/** A table with every field of the rows and of the responses of an entity, in the order of responses. */
export type FieldTable<Row, Sent = Row> = {
  readonly [Name in keyof Row | keyof Sent]-?: FieldFacts<Row>
}

/** The names of the fields of a table that have one of these facts. */
type NamesWith<Table, Fact extends keyof FieldFacts> = Fact extends unknown
  ? {
      [Name in keyof Table]: Table[Name] extends { readonly [F in Fact]: unknown } ? Name : never
    }[keyof Table]
  : never

/** The names of the fields of an entity that have one of these facts. @example FieldsWith<typeof annotation, 'writable'> */
export type FieldsWith<E, Fact extends keyof FieldFacts> =
  E extends Entity<infer Table> ? NamesWith<Table, Fact> : never

/** The names of the fields that a new row need not say. */
type Defaulted<Table> = NamesWith<Table, 'default' | 'nullable'>

/** A kind of rows: all that is known of its fields. */
export interface Entity<Table = Readonly<Record<string, unknown>>> {
  /** The fields by name, in the order of responses */
  readonly fields: { readonly [Name in keyof Table]: Field }
  /** The fields of rows */
  readonly stored: readonly Field[]
  /** The fields of rows in world files */
  readonly written: readonly Field[]
  /** Creates a row with defaults. @example annotation.create<AnnotationRow>({ id: 1, … }) */
  create<Row extends object>(values: Omit<Row, Defaulted<Table>> & Partial<Row>): Row
}

/**
 * Defines an entity by its fields. World files, bodies, responses and documents read what they need from it.
 *
 * @example defineEntity({ id: { kind: 'id' }, … } satisfies FieldTable<AnnotationRow, Annotation>)
 */
export function defineEntity<Table extends object>(table: Table): Entity<Table> {
  const fields = Object.entries<FieldFacts>(table as Record<string, FieldFacts>).map(
    ([name, facts]): Field => ({ name, ...(facts.nullable && { default: null }), ...facts }),
  )
  const stored = fields.filter(({ kind, from }) => kind !== 'nothing' && from === undefined)
  const inAllRows = stored.filter(
    ({ optional, default: value, complete }) => !optional || complete || value !== undefined,
  )
  const blank = Object.fromEntries(
    inAllRows.map(({ name, default: value }) => [name, value ?? null]),
  )
  return {
    fields: Object.fromEntries(
      fields.map((field) => [field.name, field]),
    ) as Entity<Table>['fields'],
    stored,
    written: stored.filter(({ internal }) => !internal),
    create: <Row extends object>(values: object) => ({ ...blank, ...values }) as Row,
  }
}
