import type { Absent, Field, FieldDeclaration, Mark } from './field.ts'

type Declared = Readonly<Record<string, Pick<FieldDeclaration<unknown>, 'facts'>>>

/** The declarations of an entity: one for each field of its rows and of its responses. */
export type DeclaredFields<Row, Sent = Row> = {
  readonly [Name in keyof Row | keyof Sent]-?: FieldDeclaration<
    Name extends keyof Row ? Exclude<Row[Name], undefined> : Absent,
    Name extends keyof Sent ? Exclude<Sent[Name], undefined> : Absent,
    Mark
  >
}

type ValueOf<D> = D extends FieldDeclaration<infer Value, infer _S, infer _M> ? Value : never
type MarksOf<D> = D extends FieldDeclaration<infer _V, infer _S, infer Marks> ? Marks : never

/** The fields of rows. */
type RowOf<D> = {
  [Name in keyof D as ValueOf<D[Name]> extends Absent ? never : Name]: ValueOf<D[Name]>
}

type NamesWith<D, M extends Mark> = {
  [Name in keyof D]: M extends MarksOf<D[Name]> ? Name : never
}[keyof D]

/** The names of the fields of an entity with a mark. */
export type FieldsWith<E, M extends Mark> = E extends { readonly '~declared'?: infer D }
  ? NamesWith<D, M>
  : never

/** A kind of rows: all that is known of its fields, in the order of responses. */
export interface Entity<D = unknown> {
  readonly fields: { readonly [Name in keyof D]: Field }
  /** The fields that rows have */
  readonly stored: readonly Field[]
  /** Creates a row, with defaults. All rows have their fields in one order, so V8 gives them one hidden class. */
  create(values: Omit<RowOf<D>, NamesWith<D, 'default'>> & Partial<RowOf<D>>): RowOf<D>
  /** Never set. It carries the types of the fields. */
  readonly '~declared'?: D
}

/** Defines an entity by its fields. World files, bodies, responses and documents read what they need from it. */
export function defineEntity<D extends Declared>(declarations: D): Entity<D> {
  const fields = Object.entries(declarations).map(
    ([name, { facts }]): Field => ({ name, ...facts }),
  )
  const stored = fields.filter(({ kind, from }) => kind !== 'nothing' && from === undefined)
  const byName = (some: readonly Field[], toValue: (field: Field) => unknown) =>
    Object.fromEntries(some.map((field) => [field.name, toValue(field)]))
  const inAllRows = stored.filter(
    ({ isOptional, default: value, complete }) => !isOptional || complete || value !== undefined,
  )
  const blank = byName(inAllRows, (field) => field.default ?? null)
  const create = (values: object) => ({ ...blank, ...values }) as RowOf<D>
  return {
    fields: byName(fields, (field) => field) as Entity<D>['fields'],
    stored,
    create,
  }
}
