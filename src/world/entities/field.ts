import {
  choose,
  type PerSetting,
  possibleValues,
  type SettingId,
  type SettingValues,
} from '../../settings/setting.ts'
import type { Json } from '../../utils/json.ts'
import { countCodePoints } from '../../utils/python.ts'
import type { Clock } from '../clock/clock.ts'

/** What a field holds. World files, bodies, responses and OpenAPI each have a rule for the kinds that they contain. */
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
  | 'key'
  | 'scopes'
  /** Any JSON value, also null */
  | 'json'
  | 'object'
  /** The versions of a plugin of the catalogue */
  | 'versions'
  /** Always null in responses, and not in rows */
  | 'nothing'

/** The lists whose rows other rows can reference. */
export type ReferencedList = 'organizations' | 'projects' | 'users' | 'dashboard_items' | 'plugins'

/** The words of a choice that requests can send. `any` allows every text. */
type ChoiceWords = readonly string[] | 'any'

/**
 * What is known of a field: what it holds, and a group of facts for each place where it occurs.
 *
 * @example { kind: 'choice', values: ['USR', 'GIT'], usual: 'USR', body: {} }
 */
export type FieldFacts<Row = never> = FieldTraits & FileFacts<Row>

interface FieldTraits {
  readonly kind: FieldKind
  /** The maximum length of a text, in code points; unlimited by default */
  readonly max?: number
  readonly min?: number
  /** The list that a reference leads to */
  readonly list?: ReferencedList
  /** The values of a level or choice in world files. The documentation shows the first one of a choice only, as a sample. */
  readonly values?: readonly (string | number)[]
  /** Whether it can be null. Rows that are created without it then have null. */
  readonly nullable?: true
  /** Bodies of requests. By default the field is ignored there. */
  readonly body?: BodyFacts
  /** Responses. By default they have the value of the row. False: they do not have the field. */
  readonly sent?: false | SentFacts
}

/** Whether world files have a field, and its value in rows of which nothing says it. */
type FileFacts<Row> =
  /** Files must have it. `usual` is for a row that is created without it. */
  | {
      readonly inFiles?: never
      readonly usual?: Json | ((context: NewRowContext) => unknown)
    }
  /**
   * - `maybe` with `usual`: files can leave it out, rows have it
   * - `maybe` alone: files and rows can lack it
   * - `never` with `usual`: rows have it, files do not
   * - `never` alone: only responses have it
   */
  | {
      readonly inFiles: 'maybe' | 'never'
      readonly usual?: Json | ((row: Row, facts: RowFacts) => unknown)
    }

interface BodyFacts {
  /** The words of a choice, by a setting that is named after the field */
  readonly words?: PerSetting<ChoiceWords>
  /** The setting that restricts JSON to a known shape, and the test for that shape */
  readonly shape?: { readonly setting: SettingId; readonly test: (value: unknown) => boolean }
  /** The setting that allows null by its value `accepted`; `always` if null is allowed. Without it, `fields.nullable` decides. */
  readonly null?: SettingId | 'always'
}

interface SentFacts {
  /** For a field that rows do not have: the reference to the row that has it, and its name there */
  readonly from?: { readonly reference: string; readonly name: string }
  /** The row that responses have in place of the reference to it */
  readonly embedded?: Pick<Entity, 'fields'>
  readonly convert?: (value: never) => unknown
  /** The values of the setting `annotations.fields` under which responses have the field; by default all */
  readonly when?: readonly SettingValues['annotations.fields'][]
}

export type Field = FieldFacts & { readonly name: string }

/** What is known of a row of a world file beside its fields. */
export interface RowFacts {
  /** The position in its list, from 0 */
  readonly index: number
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
  readonly [Name in keyof Row | keyof Sent]-?: FieldFacts<Row> &
    (null extends (Row & Sent)[Name] ? Nullable : { readonly nullable?: never }) &
    (undefined extends (Row & Sent)[Name] ? unknown : Present)
}

/** What a field has whose type has null. JSON can be null in itself. */
type Nullable = { readonly nullable: true } | { readonly kind: 'nothing' | 'json' }

/** What a field has whose type is never undefined: rows must not lack it. */
type Present = { readonly inFiles?: 'never' } | { readonly usual: unknown }

/** The names of the fields of an entity with such facts. @example FieldsWith<typeof annotation, { body: object }> */
export type FieldsWith<E, Facts> = E extends Entity<infer Table> ? NamesWith<Table, Facts> : never

type NamesWith<Table, Facts> = {
  [Name in keyof Table]: Table[Name] extends Facts ? Name : never
}[keyof Table]

/** The facts of a field that a new row need not say. */
type UsuallyKnown = { readonly nullable: true } | { readonly usual: Json }

/** A kind of rows: all that is known of its fields. */
export interface Entity<Table = Readonly<Record<string, unknown>>> {
  /** The fields by name, in the order of responses */
  readonly fields: { readonly [Name in keyof Table]: Field }
  /** The fields of rows */
  readonly stored: readonly Field[]
  /** The fields of rows in world files */
  readonly written: readonly Field[]
  /** Creates a row with usual values. @example annotation.create<AnnotationRow>({ id: 1, … }) */
  create<Row extends object>(values: Omit<Row, NamesWith<Table, UsuallyKnown>> & Partial<Row>): Row
}

/**
 * Defines an entity by its fields. World files, bodies, responses and documents read what they need from it.
 *
 * @example defineEntity({ id: { kind: 'id' }, … } satisfies FieldTable<AnnotationRow, Annotation>)
 */
export function defineEntity<Table extends object>(table: Table): Entity<Table> {
  const fields = Object.entries<FieldFacts>(table as Record<string, FieldFacts>).map(
    ([name, facts]): Field => ({ name, ...facts }),
  )
  const stored = fields.filter(({ inFiles, usual }) => inFiles !== 'never' || usual !== undefined)
  const usual = Object.fromEntries(
    stored
      .filter((field) => field.inFiles !== 'maybe' || field.usual !== undefined)
      .map((field) => [field.name, usualValue(field) ?? null]),
  )
  return {
    fields: Object.fromEntries(
      fields.map((field) => [field.name, field]),
    ) as Entity<Table>['fields'],
    stored,
    written: stored.filter(({ inFiles }) => inFiles !== 'never'),
    create: <Row extends object>(values: object) => ({ ...usual, ...values }) as Row,
  }
}

/** The value in a row that does not say a field. Undefined if it depends on something else, or must be said. */
export function usualValue({ nullable, usual }: FieldFacts): Json | undefined {
  if (typeof usual === 'function') return undefined
  return usual ?? (nullable ? null : undefined)
}

/**
 * The settings under which a row is written: some let clients send any text where others know a few words. `unknown` allows
 * what one of them could. Without settings, rows have the values of world files.
 */
export type WritingSettings = SettingValues | 'unknown' | undefined

/** The words of a choice that requests can send under these settings. */
export function choiceWords({ body, values = [] }: Field, settings: SettingValues): ChoiceWords {
  return body?.words ? choose(body.words, settings) : values.map(String)
}

/** Whether requests can write a text into a field, under these settings: it is short enough, and one of the words of a choice. */
export function accepts(value: unknown, field: Field, settings: WritingSettings): boolean {
  const { kind, max, body } = field
  if (typeof value !== 'string') return false
  if (kind === 'text')
    return max === undefined || value.length <= max || countCodePoints(value) <= max
  if (kind !== 'choice' || settings === undefined) return false
  const words =
    settings === 'unknown' ? possibleValues(body?.words ?? []) : [choiceWords(field, settings)]
  return words.some((allowed) => allowed === 'any' || allowed.includes(value))
}
