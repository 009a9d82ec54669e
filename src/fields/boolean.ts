import { type Field, Invalid } from './field.ts'

const words = [
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
const negatives = [
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
export const boolean: Field<boolean> = {
  schema: () => ({
    anyOf: [
      { type: 'boolean' },
      { enum: [1, 0, ...words, ...negatives], description: 'A word for true or false.' },
    ],
  }),
  read(value) {
    if (value === true || value === 1 || words.includes(value as string)) return true
    if (value === false || value === 0 || negatives.includes(value as string)) return false
    throw new Invalid('invalid_input', 'Must be a valid boolean.')
  },
}
