// The tables of fields in src/api/README.md.
import { type Resolvable, resolveBySetting } from '../src/settings/by-setting.ts'
import { resolveSettings } from '../src/settings/resolve.ts'
import type { ChoiceValues, Entity, Field, FieldKind } from '../src/world/entities/field.ts'
import { markdownTable } from './readme-tables.ts'

const settings = resolveSettings('documented')

const kinds: { readonly [Kind in FieldKind]?: (field: Field) => string } = {
  id: () => 'number',
  uuid: () => 'UUID',
  reference: ({ list = '' }) => `id of a ${singular(list)}`,
  flag: () => 'boolean',
  text: ({ max }) => (max === undefined ? 'text' : `text of at most ${max} characters`),
  choice: ({ choices }) =>
    listValues(resolveBySetting(choices as Resolvable<ChoiceValues>, settings)),
  time: () => 'time',
  json: () => 'JSON',
}

/**
 * One row per field of responses in the profile `documented`.
 *
 * @param texts the doc comments of the fields of rows
 */
export function fieldTable({ fields }: Entity, texts: Readonly<Record<string, string>>): string {
  const rows = Object.values<Field>(fields)
    .filter(isSent)
    .map((field) => [
      `\`${field.name}\``,
      field.writable ? 'yes' : 'no',
      describeValues(field),
      // In rows, an embedded object is an id.
      (field.embedded ? undefined : texts[field.name]) ?? '',
    ])
  return markdownTable(['Field', 'Writable', 'Values', 'Meaning'], rows)
}

function isSent({ hidden, when = {} }: Field): boolean {
  const met = Object.entries(when).every(([id, values]) =>
    (values as readonly unknown[]).includes(settings[id as keyof typeof settings]),
  )
  return !hidden && met
}

function describeValues(field: Field): string {
  const { from, embedded, default: value } = field
  const values = embedded ? describeObject(embedded) : kinds[field.kind]?.(field)
  const source = from ? `, from the ${from.reference.replace('_', ' ')}` : ''
  const orNull = canBeNull(field) ? ', or null' : ''
  const usual = value === undefined || value === null ? '' : `; by default \`${toText(value)}\``
  return `${values}${source}${orNull}${usual}`
}

function canBeNull({ nullable, nullSetting }: Field): boolean {
  if (nullSetting === undefined || nullSetting === 'always')
    return nullable === true || nullSetting === 'always'
  return settings[nullSetting] === 'accepted'
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function describeObject({ fields }: NonNullable<Field['embedded']>): string {
  const names = Object.values(fields).filter(isSent)
  return `object with ${names.map(({ name }) => `\`${name}\``).join(', ')}`
}

function listValues(values: ChoiceValues): string {
  return values === 'any' ? 'text' : values.map((value) => `\`${value || '""'}\``).join(', ')
}

function singular(list: string): string {
  return list.replace(/s$/, '').replace('_', ' ')
}
