import type * as z from 'zod'
import { inspectValue, UsageError } from './usage-error.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/**
 * Every fault that a schema found in a value, each with its path: `annotations[3].scope: expected …, got "team"`.
 *
 * @param root what the value is called where a fault is its own
 * @param forgives tells which values may be as they are after all
 * @param mayBeNull tells where null would do as well
 */
export function describeIssues(
  error: z.ZodError,
  value: unknown,
  root: string = 'world',
  forgives: (path: Path, value: unknown) => boolean = () => false,
  mayBeNull: (path: Path) => boolean = () => false,
): string[] {
  return error.issues
    .map((issue) => ({ issue, got: valueAt(value, issue.path) }))
    .filter(({ issue, got }) => !forgives(issue.path, got))
    .map(
      ({ issue, got }) =>
        `${formatIssuePath(issue.path) || root}: ${describeIssue(issue, inspectValue(got), mayBeNull)}`,
    )
}

/** @example pathText(['annotations', 3, 'scope']) // 'annotations[3].scope' */
export function formatIssuePath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '')
}

function describeIssue(issue: Issue, got: string, mayBeNull: (path: Path) => boolean): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected === 'record' ? 'object' : issue.expected}${mayBeNull(issue.path) ? ' or null' : ''}, got ${got}`
    case 'invalid_value':
      return `expected one of ${issue.values.map((value) => inspectValue(value)).join(', ')}, got ${got}`
    case 'invalid_union':
      // One that says nothing of its own is the union of all that JSON can hold.
      return issue.message.startsWith('expected ')
        ? `${issue.message}, got ${got}`
        : `expected a value of JSON, got ${got}`
    case 'unrecognized_keys':
      return `expected no field ${issue.keys.map((key) => inspectValue(key)).join(', ')}`
    case 'too_small':
      return `expected at least ${issue.minimum}, got ${got}`
    case 'too_big':
      return `expected at most ${issue.maximum}, got ${got}`
    case 'custom': {
      const meant = issue.params?.meant
      return `${issue.message}, got ${got}${meant === undefined ? '' : `. Did you mean ${meant}?`}`
    }
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

/**
 * Parses a value with a schema.
 *
 * @param task completes the sentence "Failed to …"
 * @param root the name of the value, for an issue of the value as a whole
 * @throws UsageError with every issue, and the field of the first one
 */
export function parseOptions<T>(
  schema: z.ZodType<T>,
  value: unknown,
  task: string,
  root: string,
): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new UsageError(
    `Failed to ${task}.`,
    describeIssues(parsed.error, value, root),
    firstIssuePath(parsed.error),
  )
}

/** The path of the first issue. An unknown field is in the keys of its issue, not in the path. */
function firstIssuePath(error: z.ZodError): string | null {
  const [issue] = error.issues
  if (!issue) return null
  const last = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  return formatIssuePath([...issue.path, ...last]) || null
}
