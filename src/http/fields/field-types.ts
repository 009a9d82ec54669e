import { type Resolvable, resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicyId, PolicySettings } from '../../policies/policies.ts'
import { tryParseJson } from '../../utils/json.ts'
import { parseDateTime } from '../../utils/python/date-time.ts'
import {
  countCodePoints,
  parseInteger,
  pythonTypeName,
  stripWhiteSpace,
  toPythonString,
} from '../../utils/python/text.ts'
import type { Json } from '../../world/rows.ts'
import { isJson } from '../../world/world-format.ts'
import { type Field, FieldError, isNullableByPolicy, type ReadContext } from './field.ts'

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

const untrimmedText = {
  type: 'string',
  pattern: '^\\s|\\s$',
  description: 'White space at both ends is removed before the length is checked.',
}

/**
 * A text, which may be empty. White space at both ends is trimmed, and a number is converted to a text. Rejects NUL and
 * lone surrogates.
 *
 * @param maxLength in code points; unlimited by default
 */
export function textField(maxLength?: number): Field<string> {
  return {
    schema: () => ({
      anyOf: [
        { type: 'string', ...(maxLength !== undefined && { maxLength }) },
        ...(maxLength === undefined ? [] : [untrimmedText]),
        { type: 'number', description: 'Converted to a string.' },
      ],
    }),
    acceptsBlank: () => true,
    read(value, _context, numberText = toPythonString(value)) {
      if (typeof value !== 'string' && typeof value !== 'number') {
        throw new FieldError('invalid_input', 'Not a valid string.')
      }
      const text = stripWhiteSpace(numberText)
      if (maxLength !== undefined && text.length > maxLength && countCodePoints(text) > maxLength) {
        throw new FieldError(
          'max_length',
          `Ensure this field has no more than ${maxLength} characters.`,
          { id: 'text.long', maximum: maxLength },
        )
      }
      if (text.includes('\0')) {
        throw new FieldError('null_characters_not_allowed', 'Null characters are not allowed.')
      }
      const surrogate = loneSurrogate.exec(text)?.[0]
      if (surrogate) {
        const codePoint = surrogate.charCodeAt(0).toString(16).toUpperCase()
        throw new FieldError(
          'surrogate_characters_not_allowed',
          `Surrogate characters are not allowed: U+${codePoint}.`,
        )
      }
      return text
    },
  }
}

const trueWords = 't T y Y yes Yes YES true True TRUE on On ON 1'.split(' ')
const falseWords = 'f F n N no No NO false False FALSE off Off OFF 0'.split(' ')

/** A boolean, 1 or 0, or a word for true or false in lower case, upper case or capitalized. */
export const booleanField: Field<boolean> = {
  schema: () => ({
    anyOf: [
      { type: 'boolean' },
      { enum: [1, 0, ...trueWords, ...falseWords], description: 'A word for true or false.' },
    ],
  }),
  read(value) {
    if (value === true || value === 1 || trueWords.includes(value as string)) return true
    if (value === false || value === 0 || falseWords.includes(value as string)) return false
    throw new FieldError('invalid_input', 'Must be a valid boolean.')
  },
}

/** The allowed values of a choice; `any` allows every text. */
export type ChoiceValues = readonly string[] | 'any'

/**
 * One of several texts, which are case-sensitive. The message for another value contains it as Python's `str()` writes
 * it: `"None" is not a valid choice.`
 */
export function choiceField(choices: Resolvable<ChoiceValues>): Field<string> {
  return {
    schema(settings) {
      const allowed = resolveByPolicy(choices, settings)
      return allowed === 'any' ? { type: 'string' } : { type: 'string', enum: allowed }
    },
    acceptsBlank: (settings) => isAllowedChoice(choices, '', '', settings),
    read(value, { settings }, text = toPythonString(value)) {
      if (isAllowedChoice(choices, value, text, settings)) return text
      const allowed = resolveByPolicy(choices, settings)
      const because = allowed === 'any' ? undefined : ({ id: 'choice.unknown', allowed } as const)
      throw new FieldError('invalid_choice', `"${text}" is not a valid choice.`, because)
    },
  }
}

/** With `any`, a value must still be a string. */
function isAllowedChoice(
  choices: Resolvable<ChoiceValues>,
  value: unknown,
  text: string,
  settings: PolicySettings,
): boolean {
  const allowed = resolveByPolicy(choices, settings)
  return allowed === 'any' ? typeof value === 'string' : allowed.includes(text)
}

const dateTimeFormats = 'YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]'

/** A date-time in any form that {@link parseDateTime} accepts. It is stored in UTC. */
export const dateTimeField: Field<string> = {
  schema: () => ({
    anyOf: [
      { type: 'string', format: 'date-time' },
      {
        type: 'string',
        description:
          'Another ISO 8601 form, such as a date without a time. UTC without a time zone.',
      },
    ],
  }),
  read(value) {
    const time = typeof value === 'string' ? parseDateTime(value) : 'invalid'
    if (time === 'overflow') throw new FieldError('overflow', 'Datetime value out of range.')
    if (time !== 'invalid') return time
    throw new FieldError(
      'invalid_input',
      `Datetime has wrong format. Use one of these formats instead: ${dateTimeFormats}.`,
    )
  },
}

/** The id of an existing row of another list. A numeric string is converted, and an empty string counts as null. */
export function foreignKeyField(list: Parameters<ReadContext['exists']>[0]): Field<number | null> {
  return {
    schema: () => ({
      anyOf: [{ type: 'integer' }, { type: 'string', description: 'The integer as a string.' }],
    }),
    read(value, { settings, exists }, text = toPythonString(value)) {
      if (value === '' && isNullableByPolicy(settings)) return null
      const id = parseId(value)
      if (id === undefined) {
        const type = pythonTypeName(value)
        throw new FieldError(
          'incorrect_type',
          `Incorrect type. Expected pk value, received ${type}.`,
        )
      }
      if (exists(list, id)) return id
      throw new FieldError('does_not_exist', `Invalid pk "${text}" - object does not exist.`)
    },
  }
}

function parseId(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.trunc(value) : undefined
  return typeof value === 'string' ? parseInteger(value) : undefined
}

/**
 * Any JSON value, or by policy only a value of the observed shape. In a form the value is parsed from JSON text.
 *
 * @param hasObservedShape whether a value has the shape of the values that were seen in the live service
 */
export function jsonField(
  policy: PolicyId,
  hasObservedShape: (value: unknown) => boolean,
): Field<Json> {
  return {
    schema: () => ({ type: ['object', 'array', 'string', 'number', 'boolean'] }),
    acceptsBlank: () => true,
    read(value, { settings, isForm }) {
      const json = isForm && typeof value === 'string' ? tryParseJson(value)?.value : value
      const isRestricted = settings[policy] === 'observed_shape'
      if (isJson(json) && (!isRestricted || hasObservedShape(json))) return json as Json
      throw new FieldError('invalid_input', 'Value must be valid JSON.')
    },
  }
}
