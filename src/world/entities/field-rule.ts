import type { Field, FieldKind } from './field.ts'

const words: { readonly [Kind in FieldKind]?: (field: Field) => string } = {
  text: ({ max }) =>
    max === undefined ? 'A text of any length' : `At most ${max} characters, trimmed`,
  time: () => 'Stored in UTC',
  reference: () => 'The id of an existing item',
  flag: () => 'A boolean or a word for one',
}

/**
 * Says what bodies can have in a field, and what it is by default.
 *
 * @example fieldRule(annotation.fields.content) // 'At most 400 characters, trimmed, or null; null by default.'
 */
export function fieldRule(field: Field): string {
  const { kind, isNullable, default: value } = field
  const values = words[kind]?.(field)
  const allowed = values && `${values}${isNullable ? ', or null' : ''}; `
  return `${allowed ?? ''}${typeof value === 'string' ? value : JSON.stringify(value)} by default.`
}
