import { checkAll, inspectValue, suggestWord, UsageError, unexpectedValue } from './errors.ts'
import { isObject } from './json.ts'

/** What an option can be: its description, such as `text`, and a test. */
type OptionType = readonly [expected: string, test: (value: unknown) => boolean]

/** The types of all options of a function: the compiler requires every one. */
export type OptionTypes<Options> = { readonly [Name in keyof Options]-?: OptionType }

const isText = (value: unknown) => typeof value === 'string'
const isFunction = (value: unknown) => typeof value === 'function'

/** What options are. */
export const option = {
  /** Checked where it is used */
  any: ['a value', () => true],
  text: ['text', isText],
  texts: ['a list of texts', (value) => Array.isArray(value) && value.every(isText)],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  callback: ['a function', isFunction],
  callbacks: ['a list of functions', (value) => Array.isArray(value) && value.every(isFunction)],
  count: [
    'a whole number, 0 or greater',
    (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  ],
  object: ['an object', isObject],
  oneOf: (...words: readonly string[]): OptionType => [
    `one of ${words.join(', ')}`,
    (value) => words.includes(value as string),
  ],
} satisfies Record<string, OptionType | ((...words: readonly string[]) => OptionType)>

/**
 * Checks the options of a function.
 *
 * @param task completes "Failed to …"
 * @throws UsageError for a value that is not an object, for unknown options, and for values of another type
 */
export function checkOptions<Options extends object>(
  options: Options,
  types: OptionTypes<Options>,
  task: string,
): void {
  if (!isObject(options)) throw unexpectedValue(task, 'an object with options', options)
  const known: Readonly<Record<string, OptionType>> = types
  checkAll(
    task,
    Object.entries(options).map(([name, value]) => () => {
      if (!Object.hasOwn(known, name)) throw unknownOption(name, Object.keys(known), task)
      const [expected, test] = known[name] as OptionType
      if (value === undefined || test(value)) return
      const got = `got ${inspectValue(value)}`
      const message = `Failed to ${task}: expected ${name} as ${expected}, ${got}.`
      throw new UsageError(message, name, `expected ${expected}, ${got}`)
    }),
  )
}

function unknownOption(name: string, names: readonly string[], task: string): UsageError {
  const hint = suggestWord(name, names) || ` The options are ${names.join(', ')}.`
  const reason = `unknown option ${inspectValue(name)}.${hint}`
  return new UsageError(`Failed to ${task}: ${reason}`, name, reason)
}
