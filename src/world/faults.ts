import type * as z from 'zod'
import { show } from '../usage-error.ts'

type Issue = z.core.$ZodIssue

/**
 * Every fault that a schema found in a value, each with its path: `annotations[3].scope: expected …, got "team"`.
 *
 * @param root what the value is called where a fault is its own
 */
export function faultsOf(error: z.ZodError, value: unknown, root: string = 'world'): string[] {
  return error.issues.map((issue) => {
    const got = show(valueAt(value, issue.path))
    return `${pathText(issue.path) || root}: ${describe(issue, got)}`
  })
}

/** @example pathText(['annotations', 3, 'scope']) // 'annotations[3].scope' */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')
}

function describe(issue: Issue, got: string): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}, got ${got}`
    case 'invalid_value':
      return `expected one of ${issue.values.map((value) => show(value)).join(', ')}, got ${got}`
    case 'invalid_union':
      // One that says nothing of its own is the union of all that JSON can hold.
      return issue.message.startsWith('expected ')
        ? `${issue.message}, got ${got}`
        : `expected a value of JSON, got ${got}`
    case 'unrecognized_keys':
      return `expected no field ${issue.keys.map((key) => show(key)).join(', ')}`
    case 'too_small':
      return `expected at least ${issue.minimum}, got ${got}`
    case 'too_big':
      return `expected at most ${issue.maximum}, got ${got}`
    default:
      return `${issue.message}, got ${got}`
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, step) => (inner as Record<PropertyKey, unknown> | undefined)?.[step],
    value,
  )
}
