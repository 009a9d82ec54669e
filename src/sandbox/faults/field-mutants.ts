import type { JsonSchema } from '../../http/fields/body-fields.ts'
import { isObject, type Json } from '../../utils/json.ts'
import { annotation } from '../../world/entities/annotation.ts'
import { plugin } from '../../world/entities/plugin.ts'
import { isRecord, isTime, type ResponseField } from './response-fields.ts'
import type { MutantKind } from './rule.ts'

/** Changes fields. A change that has no effect returns the same value. */
export interface FieldMutant {
  readonly canChange: (field: ResponseField) => boolean
  readonly change: (value: unknown, field: ResponseField) => unknown
  /** Whether a changed value means what the value meant, so that a client that wrote it may get it */
  readonly keepsMeaning?: (value: unknown, changed: unknown) => boolean
}

/** Fields of a fixed set of values that the documentation does not show, and some that were seen. */
const openSets: Readonly<Record<string, readonly string[]>> = {
  plugin_type: ['local', 'custom', 'repository', 'source'],
  creation_type: ['USR', 'GIT'],
  scope: ['dashboard_item', 'project', 'organization'],
}

/** The value that the documentation does not show. */
export const newValue = 'new_value'

/** Fields that people write, with the longest text that the service stores, or a long one if it is unlimited. */
const freeTexts: Readonly<Record<string, number>> = {
  content: annotation.fields.content.max ?? 0,
  name: plugin.fields.name.max ?? 0,
  ...{ description: 1_000, insight_name: 400, organization_name: 1_000 },
  ...{ first_name: 150, last_name: 150 },
}

const isFreeText = ({ name }: ResponseField) => Object.hasOwn(freeTexts, name)

export const fieldMutants: Partial<Record<MutantKind, FieldMutant>> = {
  null: { canChange: canBeNull, change: () => null },
  new_value: {
    canChange: ({ name }) => Object.hasOwn(openSets, name),
    change: () => newValue,
  },
  extra_field: {
    canChange: isRecord,
    change: (value) => (isObject(value) ? { ...value, added_field: 'added' } : value),
    keepsMeaning: () => true,
  },
  empty_text: { canChange: isFreeText, change: replaceText(() => '') },
  long_text: {
    canChange: isFreeText,
    change: replaceText(({ name }) => 'A very long text. '.repeat(60).slice(0, freeTexts[name])),
  },
  right_to_left: {
    canChange: isFreeText,
    change: replaceText(() => 'نص من اليمين إلى اليسار (טקסט, 1.0)'),
  },
  empty_map: {
    canChange: (field) => !isRecord(field) && isMap(field),
    change: (value) => (isObject(value) && Object.keys(value).length > 0 ? {} : value),
  },
  milliseconds: {
    canChange: isTime,
    change: withFraction((digits) => `.${digits.slice(0, 3)}`),
    keepsMeaning: isSameTime,
  },
  seconds: { canChange: isTime, change: withFraction(() => ''), keepsMeaning: isSameTime },
  offset: {
    canChange: isTime,
    change: (value) =>
      typeof value === 'string' && /\d\dT.*Z$/.test(value) ? `${value.slice(0, -1)}+00:00` : value,
    keepsMeaning: isSameTime,
  },
  other_value: {
    canChange: ({ path }) => path !== '' && path !== 'id',
    // The fields of an object change with it.
    change: (value, field) => (isRecord(field) ? value : otherValue(value as Json, field)),
  },
}

/** The documentation says of structured values that they may be null. They can have any JSON value. */
function canBeNull({ schema }: ResponseField): boolean {
  const { type, anyOf } = schema as { type?: unknown; anyOf?: readonly JsonSchema[] }
  if (Array.isArray(type)) return type.includes('null')
  return anyOf ? anyOf.some((each) => each.type === 'null') : Object.keys(schema).length === 0
}

/** Whether a field has any JSON value, or an object whose keys are free. */
function isMap({ schema }: ResponseField): boolean {
  const { anyOf = [schema] } = schema as { anyOf?: readonly JsonSchema[] }
  return anyOf.some((each) => 'additionalProperties' in each || Object.keys(each).length === 0)
}

function replaceText(text: (field: ResponseField) => string): FieldMutant['change'] {
  return (value, field) => (typeof value === 'string' ? text(field) : value)
}

/** Replaces the fraction of the seconds of a time. @param change gets at least three digits */
function withFraction(change: (digits: string) => string): FieldMutant['change'] {
  return (value) => {
    if (typeof value !== 'string') return value
    return value.replace(
      /(:\d\d)(?:\.(\d+))?Z$/,
      (_, seconds: string, digits = '') => `${seconds}${change(digits.padEnd(3, '0'))}Z`,
    )
  }
}

/** Whether two times are the same moment, to the microsecond. */
function isSameTime(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((time) =>
    String(time)
      .replace(/(\+00:00|Z)$/, '')
      .replace(/(\.\d*?)0*$/, '$1')
      .replace(/\.$/, ''),
  )
  return first === second
}

/** Another ordinary value of the same form: a client that fails with it, too, rests on this very value. */
function otherValue(value: Json, field: ResponseField): unknown {
  if (typeof value === 'number') return value + 1
  if (isTime(field)) return anotherDay(value)
  if (typeof value === 'string') {
    const others = openSets[field.name]?.filter((each) => each !== value) ?? []
    return others[0] ?? otherText(value)
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value as Record<string, Json>)
  return Object.fromEntries(entries.map(([key, each]) => [key, otherValue(each, field)]))
}

/** Replaces each letter and digit by another one, so that texts that differ still do. */
function otherText(text: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) {
    return `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`
  }
  return text.replace(/[a-z\d]/gi, (character) => {
    if (/\d/.test(character)) return String((Number(character) + 5) % 10)
    const first = character < 'a' ? 65 : 97
    return String.fromCharCode(((character.charCodeAt(0) - first + 13) % 26) + first)
  })
}

/** A time on the day before. */
function anotherDay(value: Json): unknown {
  const [day, time] = String(value).split('T')
  const milliseconds = Date.parse(`${day}T00:00:00Z`) - 86_400_000
  if (time === undefined || Number.isNaN(milliseconds)) return value
  return `${new Date(milliseconds).toISOString().slice(0, 10)}T${time}`
}
