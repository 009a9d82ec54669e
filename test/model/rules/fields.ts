import { usual } from '../../support/api/document.ts'
import type { Meaning, Value } from '../request.ts'
import type { Json } from '../rows.ts'
import { invalid } from './answers.ts'
import type { Call } from './call.ts'
import { readDate } from './dates.ts'

/** How a field of a body is read, or refused; and of what kind it is, from which `values.ts` makes what is sent. */
export interface Field {
  readonly read: (name: string, value: Value, call: Call) => Json
  readonly kind: 'text' | 'date' | 'choice' | 'item' | 'flag' | 'json'
  readonly longest?: number
  readonly choices?: readonly string[]
}

type Fields = Readonly<Record<string, Field>>

const date: Field = { kind: 'date', read: readNullableDate }
const flag: Field = { kind: 'flag', read: readFlag }
const json: Field = { kind: 'json', read: readJson }
/** The documentation allows null. The live service refuses it. */
const documentedJson: Field = { kind: 'json', read: readDocumentedJson }

/** What a body of an annotation can set, in the order in which the service checks it. */
export const annotationFields = {
  content: text(400),
  date_marker: date,
  creation_type: choice('USR', 'GIT'),
  dashboard_item: { kind: 'item', read: readDashboardItem },
  deleted: flag,
  scope: choice('dashboard_item', 'project', 'organization'),
} satisfies { readonly [Name in keyof typeof usual.annotation]?: Field }

/** What a body of a plugin can set, in the order in which the service checks it. */
export const pluginFields = {
  plugin_type: noneOr(choice('local', 'custom', 'repository', 'source')),
  name: text(200),
  description: text(Number.POSITIVE_INFINITY),
  icon: text(800),
  config_schema: documentedJson,
  tag: text(200),
  is_global: flag,
  capabilities: documentedJson,
  metrics: json,
  public_jobs: json,
} satisfies { readonly [Name in keyof typeof usual.plugin]?: Field }

const {
  insight_short_id: _,
  insight_name: __,
  created_by: ___,
  ...ownAnnotation
} = usual.annotation
const { organization_id: ____, organization_name: _____, ...ownPlugin } = usual.plugin

/** What is stored of a row of which nothing is said. */
export const firstAnnotation = ownAnnotation
export const firstPlugin = { ...ownPlugin, source: {}, revision: 0 }

const { plugin_type, name, description, ...otherFields } = pluginFields

/** In `live` a new plugin has a URL, too, although the documentation says that no body has it. */
const newPluginFields = { plugin_type, name, description, url: text(800), ...otherFields }

export const readAnnotation = (
  means: Meaning,
  call: Call,
): Partial<Pick<typeof usual.annotation, keyof typeof annotationFields>> =>
  readFields(annotationFields, means, call)

export const readNewPlugin = (
  means: Meaning,
  call: Call,
): Partial<Pick<typeof usual.plugin, keyof typeof newPluginFields>> =>
  readFields(call.live ? newPluginFields : pluginFields, means, call)

export const readPlugin = (
  means: Meaning,
  call: Call,
): Partial<Pick<typeof usual.plugin, keyof typeof pluginFields>> =>
  readFields(pluginFields, means, call)

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

/** Any JSON. Numbers that JSON does not have are refused here, where they would be stored. */
export function readJson(name: string, { value, constant }: Value): Json {
  if (constant !== undefined) throw invalid(name, 'Value must be valid JSON.')
  return value
}

function readDocumentedJson(name: string, value: Value, { live }: Call): Json {
  if (live) refuseNull(name, value)
  return readJson(name, value)
}

function readNullableDate(name: string, value: Value): string | null {
  return value.type === 'NoneType' ? null : readDate(name, value)
}

function choice(...choices: readonly string[]): Field {
  return {
    kind: 'choice',
    choices,
    read(name, value) {
      refuseNull(name, value)
      if (choices.includes(value.text)) return value.text
      throw invalid(name, `"${value.text}" is not a valid choice.`, 'invalid_choice')
    },
  }
}

/** A field that can also have null or an empty text. */
function noneOr({ read, ...field }: Field): Field {
  const isNone = ({ type, value }: Value) => type === 'NoneType' || value === ''
  return {
    ...field,
    read: (name, value, call) => (isNone(value) ? value.value : read(name, value, call)),
  }
}

function text(longest: number): Field {
  return { kind: 'text', longest, read: (name, value) => readText(longest, name, value) }
}

function readText(longest: number, name: string, { type, text: plain }: Value): string | null {
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

const [yes, no] = [
  ['t', 'T', 'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON', '1'],
  ['f', 'F', 'n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF', '0'],
]

function readFlag(name: string, value: Value): boolean {
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
