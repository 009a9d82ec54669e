import { isObject, type Mutable } from '../../utils/json.ts'
import { parseCommonTime } from '../../utils/python/common-time.ts'
import { parseDateTime } from '../../utils/python/date-time.ts'
import { toRowJson } from '../edit/row-json.ts'
import {
  type AnnotationOfFile,
  type AnnotationReaders,
  type AnnotationRow,
  annotation,
  readAnnotation,
} from '../entities/annotation.ts'
import type { Field, FieldKind } from '../entities/field.ts'
import { maxId } from '../world-format.ts'
import type { WorldJson } from '../world-json.ts'

type Row = Record<string, unknown>

/** The fields of annotations in world files, apart from the id, which can be missing. */
export const annotationFields: readonly Field[] = annotation.stored.filter(
  ({ kind, isInternal }) => kind !== 'id' && !isInternal,
)

/** The id of a checked row that has none in the file: the factories can count it up. */
const noId = 0

/**
 * Checks rows as soon as they are parsed, for `loadWorldInSteps`. Annotations with all fields become table rows, with times
 * in the format of the service, whose organization is not known yet: the parsed rows are then freed at once, and a large
 * world never takes the memory of both. Other rows stay, and are checked by their schema later.
 */
export function checkRows(list: string, rows: readonly unknown[]): readonly unknown[] {
  if (list !== 'annotations') return rows
  const reader = new RowReader()
  return rows.map((row) => (isObject(row) ? (reader.read(row) ?? row) : row))
}

/** Reads rows that are surely valid. */
class RowReader {
  #isValid = true
  readonly #fields: AnnotationReaders

  constructor() {
    const refuse = () => {
      this.#isValid = false
    }
    const readers = annotationFields.map((field) => [field.name, new FieldReader(field, refuse)])
    this.#fields = Object.fromEntries(readers)
  }

  /** Returns a table row, or null for a row that may be invalid. */
  read(row: Row): AnnotationOfFile | null {
    const { id = noId } = row
    if (id === noId ? 'id' in row : !isId(id)) return null
    this.#isValid = true
    const read = readAnnotation(row, id as number, this.#fields)
    // Each field is there, and has a value: no other field may be there.
    const count = annotationFields.length + (id === noId ? 0 : 1)
    return this.#isValid && countFields(row) === count ? read : null
  }
}

function countFields(row: Row): number {
  let count = 0
  for (const _ in row) count += 1
  return count
}

/** In place of a value, for the first row. */
const none = {}

/** Reads one field of rows. Rows share equal texts with the row before them: a parser makes a new text for each. */
class FieldReader {
  readonly #field: Field
  readonly #check: Check | undefined
  readonly #refuse: () => void
  #text: unknown = none
  #value: unknown

  constructor(field: Field, refuse: () => void) {
    this.#field = field
    this.#check = checks[field.kind]
    this.#refuse = refuse
  }

  /** Returns the value in a table row. Refuses one that may be invalid. */
  read<Value>(text: unknown): Value {
    if (text !== this.#text) {
      const isNull = text === null && this.#field.isNullable
      const value = isNull ? null : this.#check?.(text, this.#field)
      this.#text = value === undefined ? none : text
      this.#value = value
      if (value === undefined) this.#refuse()
    }
    return this.#value as Value
  }
}

/** The value of a valid field in a table row. Undefined if it takes the schema to know. */
type Check = (value: unknown, field: Field) => unknown

const checks: { readonly [Kind in FieldKind]?: Check } = {
  reference: (value) => (isId(value) ? value : undefined),
  flag: (value) => (typeof value === 'boolean' ? value : undefined),
  text: (value, { max = Infinity }) =>
    typeof value === 'string' && value.length <= max ? value : undefined,
  choice: (value, { values = [] }) => values.find((known) => known === value),
  time(value) {
    if (typeof value !== 'string') return undefined
    const time = parseCommonTime(value) ?? parseDateTime(value)
    return time === 'invalid' || time === 'overflow' ? undefined : time
  },
}

function isId(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxId
}

/** Whether `checkRows` made a row: no other one has an organization that is undefined. */
export function isChecked(row: unknown): row is Mutable<AnnotationRow> {
  return (
    isObject(row) && 'organization' in row && row.organization === undefined && 'content' in row
  )
}

/** Whether a row of `checkRows` has an id. */
export function hasId({ id }: { readonly id: number }): boolean {
  return id !== noId
}

/** In the registry, because the factories are a bundle of their own. */
const isValid = Symbol.for('understudy.isValid')

/** Marks a world without issues, so that `loadWorldInSteps` need not search them again. Nothing may change it before. */
export function markValid(world: WorldJson): WorldJson {
  return Object.defineProperty(world, isValid, { value: true })
}

export function isMarkedValid(world: unknown): boolean {
  return isObject(world) && isValid in world
}

/** Turns a row of `checkRows` back into a row of a file. Other rows stay. */
export function toParsedRow<Row>(row: Row): Row {
  if (!isChecked(row)) return row
  const { id, ...rest } = toRowJson('annotations', row) as Record<string, unknown>
  return (id === noId ? rest : { id, ...rest }) as Row
}

/** Turns a world with rows of `checkRows` back into the world of the file. */
export function toParsedWorld(world: WorldJson): WorldJson {
  const { annotations } = world
  return Array.isArray(annotations)
    ? { ...world, annotations: annotations.map(toParsedRow) }
    : world
}
