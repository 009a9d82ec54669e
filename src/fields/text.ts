import { lengthOf, stripText, toText } from '../python/text.ts'
import { type Field, Invalid } from './field.ts'

const surrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

const untrimmed = {
  type: 'string',
  pattern: '^\\s|\\s$',
  description: 'Outer white space is cut off, and does not count.',
}

/**
 * A text (observed §4): outer white space is trimmed, numbers become text, blank is allowed.
 *
 * @param limit the most characters (code points) it may have; none when missing
 * @throws Invalid for booleans, lists and objects, NUL, lone surrogates, and a text that is too long
 */
export function text(limit?: number): Field<string> {
  return {
    schema: () => ({
      anyOf: [
        { type: 'string', ...(limit === undefined ? {} : { maxLength: limit }) },
        ...(limit === undefined ? [] : [untrimmed]),
        { type: 'number', description: 'Becomes a text.' },
      ],
    }),
    takesBlank: () => true,
    read(value) {
      if (typeof value !== 'string' && typeof value !== 'number') {
        throw new Invalid('invalid_input', 'Not a valid string.')
      }
      const stripped = stripText(toText(value))
      if (limit !== undefined && stripped.length > limit && lengthOf(stripped) > limit) {
        throw new Invalid('max_length', `Ensure this field has no more than ${limit} characters.`)
      }
      if (stripped.includes('\0')) {
        throw new Invalid('null_characters_not_allowed', 'Null characters are not allowed.')
      }
      const lone = surrogate.exec(stripped)?.[0]
      if (lone) {
        const point = lone.charCodeAt(0).toString(16).toUpperCase()
        throw new Invalid(
          'surrogate_characters_not_allowed',
          `Surrogate characters are not allowed: U+${point}.`,
        )
      }
      return stripped
    },
  }
}
