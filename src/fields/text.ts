import { countCodePoints, stripWhiteSpace, toPythonString } from '../python/text.ts'
import { type Field, FieldError } from './field.ts'

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

const untrimmedText = {
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
export function textField(limit?: number): Field<string> {
  return {
    schema: () => ({
      anyOf: [
        { type: 'string', ...(limit === undefined ? {} : { maxLength: limit }) },
        ...(limit === undefined ? [] : [untrimmedText]),
        { type: 'number', description: 'Becomes a text.' },
      ],
    }),
    acceptsBlank: () => true,
    read(value) {
      if (typeof value !== 'string' && typeof value !== 'number') {
        throw new FieldError('invalid_input', 'Not a valid string.')
      }
      const stripped = stripWhiteSpace(toPythonString(value))
      if (limit !== undefined && stripped.length > limit && countCodePoints(stripped) > limit) {
        throw new FieldError(
          'max_length',
          `Ensure this field has no more than ${limit} characters.`,
        )
      }
      if (stripped.includes('\0')) {
        throw new FieldError('null_characters_not_allowed', 'Null characters are not allowed.')
      }
      const lone = loneSurrogate.exec(stripped)?.[0]
      if (lone) {
        const point = lone.charCodeAt(0).toString(16).toUpperCase()
        throw new FieldError(
          'surrogate_characters_not_allowed',
          `Surrogate characters are not allowed: U+${point}.`,
        )
      }
      return stripped
    },
  }
}
