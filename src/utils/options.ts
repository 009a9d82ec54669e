import * as z from 'zod'
import { issuesOf, maxIssues, refuseIssues } from './errors.ts'
import { isObject } from './json.ts'
import { schemaIssues, withIssues } from './schema-issues.ts'

/** The schemas of all options of a function: the compiler requires every one. */
export type OptionSchemas<Options> = { readonly [Name in keyof Options]-?: z.ZodType }

/** Describes options, each of which can be left out. Build it once: a schema costs more than a check. */
export function optionsSchema<Options>(schemas: OptionSchemas<Options>): z.ZodObject {
  return z.strictObject(schemas as z.ZodRawShape).partial()
}

const array: z.core.$constructor<z.ZodArray> = z.ZodArray

const List = z.core.$constructor<z.ZodArray>('List', (list, definition) => {
  array.init(list, definition)
  const { parse } = list._zod
  list._zod.parse = (payload, context) => {
    const items: unknown = payload.value
    if (!Array.isArray(items)) return parse(payload, context)
    payload.value = []
    for (const [index, value] of items.entries()) {
      const item = definition.element._zod.run({ value, issues: [] }, context)
      const { value: parsed, issues } = item as z.core.ParsePayload
      payload.value.push(parsed)
      payload.issues.push(...z.core.util.prefixIssues(index, issues))
      if (payload.issues.length >= maxIssues) break
    }
    return payload
  }
})

/** A list. Its items are checked until there are {@link maxIssues} issues: a message shows no more. */
export function listOf<Item extends z.ZodType>(element: Item, error?: string): z.ZodArray<Item> {
  const message = error ? { error: () => error } : {}
  return new List({ type: 'array', element, ...message }) as z.ZodArray<Item>
}

const record: z.core.$constructor<z.ZodRecord> = z.ZodRecord

/** Of headers and of a path with its parameters, Node reads 16 kB. */
const maxEntries = 1_000

const Entries = z.core.$constructor<z.ZodRecord>('Entries', (entries, definition) => {
  record.init(entries, definition)
  const { parse } = entries._zod
  entries._zod.parse = (payload, context) => {
    const { value: input, issues } = payload
    if (!isObject(input) || Object.keys(input).length <= maxEntries) return parse(payload, context)
    const message = `expected at most ${maxEntries} fields`
    issues.push({ code: 'custom', message, input, inst: entries })
    return payload
  }
})

/** An object with any names, such as headers. A larger one is refused before it is checked. */
export function recordOf<Value extends z.ZodType>(
  valueType: Value,
  keyType: z.ZodString = z.string(),
): z.ZodRecord<z.ZodString, Value> {
  const definition = { type: 'record', keyType, valueType } as const
  return new Entries(definition) as z.ZodRecord<z.ZodString, Value>
}

const is = (expected: string, test: (value: unknown) => boolean): z.ZodType =>
  z.custom(test, { error: `expected ${expected}` })
const callback = is('a function', (value) => typeof value === 'function')

export const option = {
  /** Checked where it is used */
  any: z.unknown() as z.ZodType,
  text: z.string() as z.ZodType,
  texts: listOf(z.string()) as z.ZodType,
  flag: z.boolean() as z.ZodType,
  callback,
  callbacks: listOf(callback) as z.ZodType,
  count: z.int().min(0) as z.ZodType,
  object: is('an object', isObject),
  oneOf: (words: readonly string[]): z.ZodType => z.enum(words),
  is,
  /** A value that another function refuses */
  checkedBy: (check: (value: never) => unknown): z.ZodType =>
    withIssues(z.unknown(), (value) => issuesOf(() => check(value as never))),
}

/** Checks options. @param task completes "Failed to …" @throws UsageError with up to 100 issues. A single one is in its line */
export function checkOptions(schema: z.ZodType, options: unknown, task: string): void {
  refuseIssues(schemaIssues(schema, options), task)
}
