import type { BySetting } from '../../settings/by-setting.ts'
import type { observedSources, SettingId, SettingValues } from '../../settings/setting.ts'
import type { Json } from '../../utils/json.ts'
import type { Clock } from '../clock/clock.ts'

/** What a field holds. World files, bodies, responses and JSON texts each have a rule for every kind. */
export type FieldKind =
  | 'id'
  | 'uuid'
  | 'reference'
  | 'references'
  | 'integer'
  | 'level'
  | 'flag'
  | 'text'
  | 'choice'
  | 'time'
  | 'email'
  | 'key'
  | 'scopes'
  | 'json'
  | 'object'
  | 'versions'
  | 'nothing'

/** The lists whose rows other rows can reference. */
export type ReferencedList = 'organizations' | 'projects' | 'users' | 'dashboard_items' | 'plugins'

/** The values of a choice that requests can send. `any` allows every text. */
export type ChoiceValues = readonly string[] | 'any'

/** The values of settings under which responses have a field. */
export type FieldCondition = {
  readonly [Id in keyof SettingValues]?: readonly SettingValues[Id][]
}

/** What is known of a field. */
export interface Field {
  readonly name: string
  readonly kind: FieldKind
  /** The maximum length of a text, in code points */
  readonly max?: number | undefined
  /** The least integer */
  readonly min?: number | undefined
  /** The list that a reference leads to */
  readonly list?: ReferencedList
  /** Whether a list has no item twice */
  readonly isUnique?: boolean
  /** The values of a choice in world files, the documented sample first */
  readonly values?: readonly (string | number)[]
  /** The values of a choice in requests, by a setting */
  readonly choices?: BySetting<Readonly<Record<string, ChoiceValues>>>
  /** The setting that restricts JSON to the shape that was seen in the live service, and the test for that shape */
  readonly shape?: { readonly setting: SettingId; readonly test: (value: unknown) => boolean }
  readonly isNullable?: boolean
  /** The setting that lets requests send null; `always` if they can. Without it, `fields.nullable` decides. */
  readonly nullSetting?: SettingId | 'always'
  /** The value in a row that does not say it */
  readonly default?: unknown
  /** Computes the value in a row that does not say it. */
  readonly complete?: (row: never, place: RowPlace) => unknown
  /** Computes the value in a row that is created without a request and does not say it. */
  readonly initial?: (context: NewRowContext) => unknown
  /** Whether world files can leave the field out */
  readonly isOptional?: boolean
  /** Whether world files never have the field */
  readonly isInternal?: boolean
  /** Where the live service was seen reading the field from bodies. Other fields of bodies are ignored. */
  readonly writable?: keyof typeof observedSources
  /** Whether responses do not have the field */
  readonly isHidden?: boolean
  /** Converts the value for responses. */
  readonly toSent?: (value: never) => unknown
  /** For a field of responses that rows do not have: the reference to the row that has it, and its name there */
  readonly from?: { readonly reference: string; readonly name: string }
  /** The row that responses have in place of the reference to it */
  readonly embedded?: { readonly fields: Readonly<Record<string, Field>> }
  readonly condition?: FieldCondition
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

/** Properties of a field that types follow from. */
export type Mark = 'default' | 'optional' | 'internal' | 'writable'

/** Stands for the value of a field that rows do not have, or that responses do not have. */
export type Absent = { readonly '~absent': true }

type Facts = Omit<Field, 'name'>

/**
 * Declares a field. Each method returns another declaration.
 *
 * @example field.text(400).nullable().writable()
 */
export class FieldDeclaration<Value, Sent = Value, Marks extends Mark = never> {
  /** Never set. It carries the types. */
  declare readonly '~types'?: {
    readonly value: (value: Value) => Value
    readonly sent: (sent: Sent) => Sent
    readonly marks: Marks
  }
  readonly facts: Facts

  constructor(facts: Facts) {
    this.facts = facts
  }

  /** The field can be null, and is null by default. */
  nullable(): FieldDeclaration<Value | null, Sent | null, Marks | 'default'> {
    return this.#with({ isNullable: true, default: null })
  }

  /** Sets the value in rows that do not say it. A function gets the row, in which other defaults can be missing. */
  default(
    value: Value | ((row: never, place: RowPlace) => Value),
  ): FieldDeclaration<Value, Sent, Marks | 'default'> {
    return typeof value === 'function'
      ? this.#with({ complete: value as (row: never, place: RowPlace) => Value })
      : this.#with({ default: value })
  }

  /** Sets the value in rows that are created without a request and do not say it. */
  initial(create: (context: NewRowContext) => Value): FieldDeclaration<Value, Sent, Marks> {
    return this.#with({ initial: create })
  }

  /** World files can leave the field out. */
  optional(): FieldDeclaration<Value, Sent, Marks | 'optional'> {
    return this.#with({ isOptional: true })
  }

  /** World files and responses do not have the field. It is computed when a row is loaded. */
  internal(
    complete: (row: never, place: RowPlace) => Value,
  ): FieldDeclaration<Value, Absent, Marks | 'internal'> {
    return this.#with({ isInternal: true, isHidden: true, complete })
  }

  /** Bodies can have the field. @param seen where the live service was seen reading it */
  writable(
    seen: keyof typeof observedSources = 'source',
  ): FieldDeclaration<Value, Sent, Marks | 'writable'> {
    return this.#with({ writable: seen })
  }

  /** Bodies can have null, whatever rows have. @param setting by its value `accepted`; without it always */
  acceptsNull(setting: SettingId | 'always' = 'always'): FieldDeclaration<Value, Sent, Marks> {
    return this.#with({ nullSetting: setting })
  }

  /** By the value `observed_shape` of a setting, bodies can only have JSON of this shape. */
  shapedBy(
    setting: SettingId,
    test: (value: unknown) => boolean,
  ): FieldDeclaration<Value, Sent, Marks> {
    return this.#with({ shape: { setting, test } })
  }

  /** Responses do not have the field. */
  hidden(): FieldDeclaration<Value, Absent, Marks> {
    return this.#with({ isHidden: true })
  }

  /** Responses have a converted value. */
  sentAs(toSent: (value: Value) => Sent): FieldDeclaration<Value, Sent, Marks> {
    return this.#with({ toSent })
  }

  /** Responses have the field from the row that a reference leads to. Rows do not have it. */
  from(reference: string, name: string): FieldDeclaration<Absent, Sent, Marks> {
    return this.#with({ from: { reference, name } })
  }

  /** Responses have the row in place of the reference to it. */
  embeds<Row>(
    entity: Field['embedded'] & object,
  ): FieldDeclaration<Value, Row | (null extends Value ? null : never), Marks> {
    return this.#with({ embedded: entity })
  }

  /** Responses have the field only under some values of settings. */
  when(condition: FieldCondition): FieldDeclaration<Value, Sent, Marks> {
    return this.#with({ condition })
  }

  #with<Declaration>(facts: Partial<Facts>): Declaration {
    return new FieldDeclaration({ ...this.facts, ...facts }) as Declaration
  }
}

/** Declares a kind that needs nothing else. */
const plain =
  <Value, Sent = Value>(kind: FieldKind) =>
  () =>
    declare<Value, Sent>({ kind })

function declare<Value, Sent = Value>(facts: Omit<Field, 'name'>): FieldDeclaration<Value, Sent> {
  return new FieldDeclaration(facts)
}

/** The id of a row of `organizations` is a UUID. */
type IdIn<List extends ReferencedList> = List extends 'organizations' ? string : number

/** The kinds of fields. */
export const field = {
  /** An integer from 1 on, which is counted up */
  id: plain<number>('id'),
  uuid: plain<string>('uuid'),
  /** The id of a row of another list */
  reference: <List extends ReferencedList>(list: List) =>
    declare<IdIn<List>>({ kind: 'reference', list }),
  /** Ids of rows of another list */
  references: <List extends ReferencedList>(list: List, isUnique = false) =>
    declare<readonly IdIn<List>[]>({ kind: 'references', list, isUnique }),
  integer: (min?: number) => declare<number>({ kind: 'integer', min }),
  /** One of a few numbers */
  level: (values: readonly number[]) => declare<number>({ kind: 'level', values }),
  flag: plain<boolean>('flag'),
  /** @param max in code points; unlimited by default */
  text: (max?: number) => declare<string>({ kind: 'text', max }),
  /**
   * One of a few words.
   *
   * @param values the words in world files. The documentation shows the first one only, as a sample
   * @param choices the words that requests can send, by a setting that is named after the field
   */
  choice: (values: readonly string[], choices: BySetting<Readonly<Record<string, ChoiceValues>>>) =>
    declare<string>({ kind: 'choice', values, choices }),
  /** ISO 8601 in any form that the service accepts. Rows have it in UTC with Z, with six digits of fraction or none. */
  time: plain<string>('time'),
  email: plain<string>('email'),
  /** The value of an API key */
  key: plain<string>('key'),
  /** The scopes of an API key */
  scopes: plain<readonly string[]>('scopes'),
  /** Any JSON value, also null */
  json: plain<Json>('json'),
  /** A JSON object */
  object: <Value = { [key: string]: Json }>() => declare<Value>({ kind: 'object' }),
  /** The versions of a plugin of the catalogue */
  versions: <Value>() => declare<Value>({ kind: 'versions' }),
  /** Always null in responses, and not in rows */
  nothing: plain<Absent, null>('nothing'),
}
