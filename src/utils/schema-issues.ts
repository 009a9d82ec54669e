import type * as z from 'zod'
import { formatPath, issuesError, maxIssues } from './issues.ts'
import { didYouMean, type Issue, inspectValue, type Path, suggestWord } from './usage-error.ts'

type SchemaIssue = z.core.$ZodIssue

interface IssueOptions {
  /** Whether a value is allowed although it breaks the schema. */
  readonly isAllowed?: (path: Path, value: unknown) => boolean
  /** Whether null would be valid, too. Then the message says so. */
  readonly isNullable?: (path: Path) => boolean
}

/**
 * Describes every issue. Each unknown field is an issue of its own, and the missing fields of an object are one.
 *
 * @param root the name of the whole value
 */
export function describeIssues(
  error: Pick<z.ZodError, 'issues'>,
  value: unknown,
  root = '',
  { isAllowed = () => false, isNullable = () => false }: IssueOptions = {},
): Issue[] {
  const issues = error.issues
    .slice(0, maxIssues)
    .map((issue) => ({ issue, actual: valueAt(value, issue.path) }))
    .filter(({ issue, actual }) => !isAllowed(issue.path, actual))
  const missing = new Map<string, string[]>()
  for (const { issue, actual } of issues) {
    if (actual !== undefined || issue.path.length === 0) continue
    const object = formatPath(issue.path.slice(0, -1))
    missing.set(object, [...(missing.get(object) ?? []), String(issue.path.at(-1))])
  }
  return issues.flatMap(({ issue, actual }): Issue[] => {
    const { path } = issue
    const object = path.slice(0, -1)
    const names = actual === undefined ? (missing.get(formatPath(object)) ?? []) : []
    if (names.length > 1) {
      if (String(path.at(-1)) !== names[0]) return []
      const text = `missing fields ${names.map((name) => inspectValue(name)).join(', ')}`
      return [{ path: object, text, kind: 'missing', root }]
    }
    if (issue.code === 'unrecognized_keys') {
      const fields = unknownFields(issue.keys, issue.message.split(', '))
      return fields.map((field) => ({ ...field, path, root }))
    }
    const text = describeIssue(issue, actual, isNullable(path))
    return [{ path, text, root, ...(actual === undefined && { kind: 'missing' as const }) }]
  })
}

/** Options for `schema.safeParse`: the message of an unknown field lists the allowed ones, for `describeIssues`. */
export const suggestFields: z.core.ParseContext<SchemaIssue> = {
  error: ({ code, inst }) =>
    code === 'unrecognized_keys'
      ? Object.keys((inst as z.ZodObject).def.shape).join(', ')
      : undefined,
}

/** Describes every issue of a value that breaks a schema, as `describeIssues` does. */
export function schemaIssues(
  schema: z.ZodType,
  value: unknown,
  root?: string,
  options?: IssueOptions,
): Issue[] {
  const { error } = schema.safeParse(value, suggestFields)
  return error ? describeIssues(error, value, root, options) : []
}

function describeIssue(issue: SchemaIssue, value: unknown, isNullable: boolean): string {
  const actual = inspectValue(value)
  switch (issue.code) {
    case 'invalid_type': {
      const type = issue.expected === 'record' ? 'object' : issue.expected
      return `expected ${type}${isNullable ? ' or null' : ''}, got ${actual}`
    }
    case 'invalid_value': {
      const words = issue.values.map((word) => inspectValue(word)).join(', ')
      return `expected one of ${words}, got ${actual}${suggestValue(value, issue.values)}`
    }
    case 'invalid_union':
      // A union without a message of its own is the union of all JSON types.
      return issue.message.startsWith('expected ')
        ? `${issue.message}, got ${actual}`
        : `expected a JSON value, got ${actual}`
    case 'invalid_key':
      return `${issue.issues[0]?.message}, got ${inspectValue(issue.path.at(-1))}`
    case 'too_small':
      return `expected at least ${issue.minimum}, got ${actual}`
    case 'too_big':
      return `expected at most ${issue.maximum}, got ${actual}`
    case 'custom': {
      const suggestion = issue.params?.meant
      const hint = suggestion === undefined ? '' : `. Did you mean ${suggestion}?`
      return `${issue.message}, got ${actual}${hint}`
    }
    default:
      return `${issue.message}, got ${actual}`
  }
}

/** A list of values is short and in the message, so only a slip of the pen gets a suggestion. */
function suggestValue(value: unknown, allowed: readonly unknown[]): string {
  if (typeof value !== 'string' || value.length > 100) return ''
  const suggestion = didYouMean(value, allowed.map(String), Math.floor(value.length / 3))
  return suggestion === undefined ? '' : `. Did you mean ${inspectValue(suggestion)}?`
}

/** The issues of the unknown fields of an object. Each suggests the nearest allowed name, or lists all of them. */
function unknownFields(
  names: readonly string[],
  allowed: readonly string[],
): Pick<Issue, 'text' | 'kind' | 'allowed'>[] {
  const kind = 'unknown'
  const fields = names.slice(0, maxNames).map((name) => {
    const text = `unknown field ${inspectValue(name)}`
    const hint = suggestWord(name, allowed)
    if (hint) return { kind, text: `${text}.${hint}` } as const
    return { kind, text, allowed: `. Allowed: ${allowed.join(', ')}` } as const
  })
  const more = names.length - maxNames
  return more > 0 ? [...fields, { text: `unknown fields: ${more} more` }] : fields
}

/** How many unknown fields of an object are listed. */
const maxNames = 10

function valueAt(value: unknown, path: Path): unknown {
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
  const parsed = schema.safeParse(value, suggestFields)
  if (parsed.success) return parsed.data
  throw issuesError(
    `Failed to ${task}.`,
    describeIssues(parsed.error, value, root),
    firstIssuePath(parsed.error),
  )
}

/** The path of the first issue. An unknown field comes first, and is in the keys of its issue, not in the path. */
function firstIssuePath({ issues }: z.ZodError): string | null {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (!issue) return null
  const last = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  return formatPath([...issue.path, ...last]) || null
}

/** Gives a schema that is built from a table the type of the values that it accepts. */
export function typed<T>(schema: z.ZodType): z.ZodType<T> {
  return schema as z.ZodType<T>
}

/** A schema that is built when it is first used: building all of them takes a tenth of a start. */
export function once<T>(build: () => T): () => T {
  let built: T | undefined
  return () => (built ??= build())
}
