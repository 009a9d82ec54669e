import { type Resolvable, resolveByPolicy } from '../../policies/by-policy.ts'
import type { PolicyId, PolicySettings } from '../../policies/policies.ts'
import { parseDateTime } from '../../utils/python/date-time.ts'
import { parseInteger } from '../../utils/python/int.ts'
import {
  countCodePoints,
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

const trueWords = [
  't',
  'T',
  'y',
  'Y',
  'yes',
  'Yes',
  'YES',
  'true',
  'True',
  'TRUE',
  'on',
  'On',
  'ON',
  '1',
]
const falseWords = [
  'f',
  'F',
  'n',
  'N',
  'no',
  'No',
  'NO',
  'false',
  'False',
  'FALSE',
  'off',
  'Off',
  'OFF',
  '0',
]

/** True or false, 1 or 0, or one of their words in the usual casings (observed §4). Null is refused. */
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

/** The values a choice may have; `any` for every text. */
export type ChoiceValues = readonly string[] | 'any'

/**
 * One of a set of texts, case-sensitive (observed §4).
 *
 * @throws Invalid `"x" is not a valid choice.`, the value written as Python writes it
 * @example choice(byPolicy('annotations.creation_type.values', { observed: ['USR', 'GIT'], any: 'any' }))
 */
export function choiceField(choices: Resolvable<ChoiceValues>): Field<string> {
  return {
    schema(settings) {
      const allowed = resolveByPolicy(choices, settings)
      return allowed === 'any' ? { type: 'string' } : { type: 'string', enum: allowed }
    },
    acceptsBlank: (settings) => isAllowedChoice(choices, '', '', settings),
    read(value, { settings }) {
      const text = toPythonString(value)
      if (isAllowedChoice(choices, value, text, settings)) return text
      throw new FieldError('invalid_choice', `"${text}" is not a valid choice.`)
    },
  }
}

/** Any text is still no list, and no object. */
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

/** A date with a time, kept as the service writes it: UTC, `Z`, six digits of fraction or none (observed §4). */
export const dateTimeField: Field<string> = {
  schema: () => ({
    anyOf: [
      { type: 'string', format: 'date-time' },
      {
        type: 'string',
        description: 'Another form of ISO 8601, such as a date alone; UTC unless it says.',
      },
    ],
  }),
  read(value) {
    const read = typeof value === 'string' ? parseDateTime(value) : 'invalid'
    if (read === 'overflow') throw new FieldError('overflow', 'Datetime value out of range.')
    if (read !== 'invalid') return read
    throw new FieldError(
      'invalid_input',
      `Datetime has wrong format. Use one of these formats instead: ${dateTimeFormats}.`,
    )
  },
}

/**
 * The id of a row of another list (observed §4). A numeric text is accepted; `""` stands for null.
 *
 * @throws Invalid when the value is no id, or no row has it
 */
export function foreignKeyField(list: Parameters<ReadContext['exists']>[0]): Field<number | null> {
  return {
    schema: () => ({
      anyOf: [{ type: 'integer' }, { type: 'string', description: 'The integer as a text.' }],
    }),
    read(value, reading) {
      if (value === '' && isNullableByPolicy(reading.settings)) return null
      const id = parseId(value)
      if (id === undefined) {
        const got = pythonTypeName(value)
        throw new FieldError(
          'incorrect_type',
          `Incorrect type. Expected pk value, received ${got}.`,
        )
      }
      if (reading.exists(list, id)) return id
      throw new FieldError(
        'does_not_exist',
        `Invalid pk "${toPythonString(value)}" - object does not exist.`,
      )
    },
  }
}

function parseId(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.trunc(value)
  return typeof value === 'string' ? parseInteger(value) : undefined
}

/** How a structured field is declared: which shape was observed, and the policy that may ask for it. */
export interface JsonFieldOptions {
  readonly policy: PolicyId
  readonly hasObservedShape: (value: unknown) => boolean
}

/**
 * Any JSON that can be written, or by policy only what has the shape that was observed (observed §5). In a form the value is
 * the text of a JSON value.
 */
export function jsonField({ policy, hasObservedShape }: JsonFieldOptions): Field<Json> {
  return {
    schema: () => ({ type: ['object', 'array', 'string', 'number', 'boolean'] }),
    acceptsBlank: () => true,
    read(value, { settings, isForm }) {
      const read = isForm && typeof value === 'string' ? parseJsonText(value) : value
      if (!isJson(read)) throw invalidJson()
      if (settings[policy] === 'observed_shape' && !hasObservedShape(read)) throw invalidJson()
      return read as Json
    },
  }
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidJson()
  }
}

function invalidJson(): FieldError {
  return new FieldError('invalid_input', 'Value must be valid JSON.')
}
