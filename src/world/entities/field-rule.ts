import type { DocumentLine } from '../../policies/document.ts'
import type { Citation, Field, FieldKind } from './field.ts'

const words: { readonly [Kind in FieldKind]?: (field: Field) => string } = {
  text: ({ max }) =>
    `${max === undefined ? 'A text of any length' : `At most ${max} characters`}, trimmed, or a number, which becomes a text`,
  time: () => 'A date, with or without a time and a zone, stored in UTC',
  reference: () => 'The id of an existing item, or its text',
  flag: () => 'A boolean, or a number or a word for one',
}

/**
 * Says what bodies can have in a field, and what it is by default.
 *
 * @example fieldRule(annotation.fields.content) // 'At most 400 characters, trimmed, or a number, which becomes a text, or null; null by default.'
 */
export function fieldRule(field: Field): string {
  const { kind, isNullable, default: value } = field
  const values = words[kind]?.(field)
  const allowed = values && `${values}${isNullable ? ', or null' : ''}; `
  return `${allowed ?? ''}${typeof value === 'string' ? value : JSON.stringify(value)} by default.`
}

/**
 * Why a field is in responses.
 *
 * @param line the name of the entity in the documentation
 */
export function citationOf(
  line: 'annotation' | 'created_by' | 'plugin',
  { name, cites }: Field,
): Citation {
  return cites ?? (`${line}.${name}` as DocumentLine)
}
