import * as z from 'zod'
import { issuesOf, refuseIssues, schemaIssues, withIssues } from './errors.ts'
import { isObject } from './json.ts'

/** The schemas of all options of a function: the compiler requires every one. */
export type OptionSchemas<Options> = { readonly [Name in keyof Options]-?: z.ZodType }

/** Describes options, each of which can be left out. Build it once: a schema costs more than a check. */
export function optionsSchema<Options>(schemas: OptionSchemas<Options>): z.ZodObject {
  return z.strictObject(schemas as z.ZodRawShape).partial()
}

const is = (expected: string, test: (value: unknown) => boolean): z.ZodType =>
  z.custom(test, { error: `expected ${expected}` })
const callback = is('a function', (value) => typeof value === 'function')

/** What options are. */
export const option = {
  /** Checked where it is used */
  any: z.unknown() as z.ZodType,
  text: z.string() as z.ZodType,
  texts: z.array(z.string()) as z.ZodType,
  flag: z.boolean() as z.ZodType,
  callback,
  callbacks: z.array(callback) as z.ZodType,
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
