import type { Meaning, Value } from '../request.ts'
import type { Json } from '../rows.ts'
import { invalid } from './answers.ts'
import type { Call } from './call.ts'
import { readDate } from './dates.ts'

/** Reads one field of a body, or throws what is wrong with it. */
type Read = (name: string, value: Value, call: Call) => Json

/** The first value, and the length of a text, from which `values.ts` makes the texts that are sent. */
interface Field {
  readonly read: Read
  readonly first: Json
  readonly longest?: number
}

type Fields = Readonly<Record<string, Field>>
type FirstValues<F extends Fields> = { -readonly [Name in keyof F]: F[Name]['first'] }

/** What a body of an annotation can set, in the order in which the service checks it, and the first values. */
export const annotationFields = {
  content: textField(400),
  date_marker: { read: readNullableDate, first: null as string | null },
  creation_type: { read: choice(['USR', 'GIT']), first: 'USR' },
  dashboard_item: { read: readDashboardItem, first: null as number | null },
  deleted: { read: readBoolean, first: false as boolean },
  scope: { read: choice(['dashboard_item', 'project', 'organization']), first: 'dashboard_item' },
}

/** What a body of an annotation can set. */
export type AnnotationFields = FirstValues<typeof annotationFields>

export const firstAnnotation = firstOf(annotationFields)

/** What a body of a plugin can set, in the order in which the service checks it, and the first values. */
export const pluginFields = {
  plugin_type: { read: readPluginType, first: null as string | null },
  name: textField(200),
  description: { read: text(Number.POSITIVE_INFINITY), first: null as string | null },
  icon: textField(800),
  config_schema: { read: documentedNull, first: {} as Json },
  tag: textField(200),
  is_global: { read: readBoolean, first: false as boolean },
  capabilities: { read: documentedNull, first: {} as Json },
  metrics: { read: readJson, first: {} as Json },
  public_jobs: { read: readJson, first: {} as Json },
}

/** What a body of a plugin can set. */
export type PluginFields = FirstValues<typeof pluginFields>

export const firstPlugin = {
  ...firstOf(pluginFields),
  // What bodies cannot set.
  url: null,
  latest_tag: null,
  source: {},
  revision: 0,
}

const { plugin_type, name, description, ...otherFields } = pluginFields

/** In `live` a new plugin has a URL, too, although the documentation says that no body has it. */
const newPluginFields = {
  ...{ plugin_type, name, description },
  url: { read: text(800), first: null as string | null },
  ...otherFields,
}

export const readAnnotation = (means: Meaning, call: Call): Partial<AnnotationFields> =>
  readFields(annotationFields, means, call) as Partial<AnnotationFields>

export const readNewPlugin = (
  means: Meaning,
  call: Call,
): Partial<FirstValues<typeof newPluginFields>> =>
  readFields(call.live ? newPluginFields : pluginFields, means, call)

export const readPlugin = (means: Meaning, call: Call): Partial<PluginFields> =>
  readFields(pluginFields, means, call) as Partial<PluginFields>

/** The fields of a body that is an object. */
export function fieldsIn(means: Meaning): Readonly<Record<string, Value>> {
  if (means.kind === 'malformed') throw new Error('Refused earlier')
  if (means.kind === 'none') return {}
  if (means.kind === 'fields') return means.fields
  if (means.type === 'NoneType') throw invalid(null, 'No data provided', 'null')
  throw invalid(null, `Invalid data. Expected a dictionary, but got ${means.type}.`)
}

/** The response names only the first mistake. Unknown fields are ignored, and no field is required. */
function readFields(fields: Fields, means: Meaning, call: Call): Record<string, Json> {
  const sent = fieldsIn(means)
  const read: Record<string, Json> = {}
  for (const [name, field] of Object.entries(fields)) {
    const value = sent[name]
    if (value) read[name] = field.read(name, value, call)
  }
  return read
}

/** What Python's `strip` removes. It differs from JavaScript's `trim`. */
const space =
  '[\\t\\n\\v\\f\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const outerSpace = new RegExp(`^${space}+|${space}+$`, 'g')

function firstOf<F extends Fields>(fields: F): FirstValues<F> {
  const first = Object.entries(fields).map(([name, field]) => [name, field.first])
  return Object.fromEntries(first) as FirstValues<F>
}

/** Any JSON. Numbers that JSON does not have are refused here, where they would be stored. */
export function readJson(name: string, { value, constant }: Value): Json {
  if (constant !== undefined) throw invalid(name, 'Value must be valid JSON.')
  return value
}

/** The documentation allows null. The live service refuses it. */
function documentedNull(name: string, value: Value, { live }: Call): Json {
  if (live) refuseNull(name, value)
  return readJson(name, value)
}

function readPluginType(name: string, value: Value): Json {
  if (value.type === 'NoneType' || value.value === '') return value.value
  return readChoice(['local', 'custom', 'repository', 'source'], name, value)
}

function readNullableDate(name: string, value: Value): string | null {
  return value.type === 'NoneType' ? null : readDate(name, value)
}

function textField(longest: number) {
  return { read: text(longest), first: null as string | null, longest }
}

function text(longest: number): Read {
  return (name, { type, text: plain }) => {
    if (type === 'NoneType') return null
    if (type === 'bool' || type === 'list' || type === 'dict') {
      throw invalid(name, 'Not a valid string.')
    }
    const trimmed = plain.replace(outerSpace, '')
    if ([...trimmed].length > longest) {
      const detail = `Ensure this field has no more than ${longest} characters.`
      throw invalid(name, detail, 'max_length')
    }
    if (trimmed.includes('\0')) {
      throw invalid(name, 'Null characters are not allowed.', 'null_characters_not_allowed')
    }
    const surrogate = [...trimmed].find((sign) => /^[\ud800-\udfff]$/.test(sign))
    if (surrogate !== undefined) {
      const code = surrogate.charCodeAt(0).toString(16).toUpperCase()
      const detail = `Surrogate characters are not allowed: U+${code}.`
      throw invalid(name, detail, 'surrogate_characters_not_allowed')
    }
    return trimmed
  }
}

function choice(choices: readonly string[]): Read {
  return (name, value) => readChoice(choices, name, value)
}

function readChoice(choices: readonly string[], name: string, value: Value): string {
  refuseNull(name, value)
  if (choices.includes(value.text)) return value.text
  throw invalid(name, `"${value.text}" is not a valid choice.`, 'invalid_choice')
}

const [yes, no] = [
  ['t', 'T', 'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON', '1'],
  ['f', 'F', 'n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF', '0'],
]

function readBoolean(name: string, value: Value): boolean {
  refuseNull(name, value)
  const isScalar = value.type !== 'list' && value.type !== 'dict'
  if (isScalar && yes.includes(value.text)) return true
  if (isScalar && no.includes(value.text)) return false
  throw invalid(name, 'Must be a valid boolean.')
}

function readDashboardItem(name: string, value: Value, { rows }: Call): number | null {
  if (value.type === 'NoneType' || value.value === '') return null
  const isNumber =
    (['int', 'float'].includes(value.type) && value.constant === undefined) ||
    (value.type === 'str' && /^[+-]?\d+$/.test(value.text))
  if (!isNumber) {
    const detail = `Incorrect type. Expected pk value, received ${value.type}.`
    throw invalid(name, detail, 'incorrect_type')
  }
  // Python's `int` cuts a fraction off.
  const id = Math.trunc(Number(value.text))
  if (rows.dashboard_items.some((item) => item.id === id)) return id
  throw invalid(name, `Invalid pk "${value.text}" - object does not exist.`, 'does_not_exist')
}

function refuseNull(name: string, { type }: Value): void {
  if (type === 'NoneType') throw invalid(name, 'This field may not be null.', 'null')
}
