import { type Field, FieldError } from './field.ts'

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
