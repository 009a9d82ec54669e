import * as z from 'zod'
import {
  didYouMean,
  type Issue,
  inspectValue,
  issuesError,
  listWords,
  maxIssues,
  type Path,
  suggestWord,
} from './errors.ts'
import { valueAt } from './json.ts'

/**
 * The issues of a value that breaks a schema. Each unknown field is an issue of its own. They come first, because a
 * misspelt name often explains a missing one.
 */
export function schemaIssues(schema: z.ZodType, value: unknown): Issue[] {
  return parse(schema, value).issues
}

/** Zod alone would write a message for each of thousands of issues. */
function parse<T>(schema: z.ZodType<T>, value: unknown): { data: T; issues: Issue[] } {
  const context = { async: false, error: messageOf }
  const run = schema._zod.run({ value, issues: [] }, context) as z.core.ParsePayload<T>
  if (run.issues.length === 0) return { data: run.value, issues: [] }
  const isKnown = ({ code }: z.core.$ZodRawIssue) => Number(code !== 'unrecognized_keys')
  const refused = run.issues.sort((a, b) => isKnown(a) - isKnown(b)).slice(0, maxIssues)
  const issues = refused.flatMap((raw) => {
    const issue = z.core.util.finalizeIssue(raw, context, z.config())
    if (issue.code === 'unrecognized_keys')
      return unknownFields({ ...issue, inst: raw.inst }, schema)
    if (issue.code === 'custom' && issue.params?.issue)
      return { ...issue.params.issue, path: issue.path }
    // A wrong name of a record is shown, not its value, which can be a secret.
    const actual = issue.code === 'invalid_key' ? issue.path.at(-1) : valueAt(value, issue.path)
    const isType = issue.code === 'invalid_type' || issue.code === 'invalid_value'
    const orNull = isType && isNullable(schema, issue.path) ? ' or null' : ''
    const text = `${expectationOf(issue)}${orNull}, got ${inspectValue(actual)}${hintOf(issue, actual)}`
    return [{ path: issue.path, text, ...(actual === undefined && { isMissing: true }) }]
  })
  return { data: run.value, issues }
}

/** Adds a check that finds issues itself. Unlike a refinement of Zod, it also runs if the schema has found some. */
export function withIssues<Schema extends z.ZodType>(
  schema: Schema,
  find: (value: z.output<Schema>) => readonly Issue[],
): Schema {
  return schema.superRefine(
    (value, context) => {
      for (const issue of find(value))
        context.addIssue({ code: 'custom', path: [...issue.path], params: { issue } })
    },
    { when: () => true },
  )
}

/** Parses a value with a schema. @param task completes "Failed to …" @throws UsageError with up to 100 issues */
export function parseOptions<T>(schema: z.ZodType<T>, value: unknown, task: string): T {
  const { data, issues } = parse(schema, value)
  if (issues.length > 0) throw issuesError(`Failed to ${task}.`, issues)
  return data
}

function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_union') return undefined
  const expected = issue.errors.flatMap(([first]) => (first ? expectationOf(first) : []))
  return expected.join(' or ').replaceAll('or expected', 'or')
}

function fieldsOf({ _zod }: z.core.$ZodType): z.core.$ZodShape {
  const { shape, innerType } = _zod.def as Partial<z.core.$ZodObjectDef & z.core.$ZodOptionalDef>
  return shape ?? (innerType ? fieldsOf(innerType) : {})
}

function unknownFields(
  { keys, path, inst }: z.core.$ZodIssueUnrecognizedKeys & { inst: unknown },
  schema: z.ZodType,
): Issue[] {
  const fields = Object.entries(fieldsOf(inst as z.core.$ZodType))
  const names = fields.map(([name]) => name)
  const none = ` None is allowed ${names.length === 0 ? 'here' : `beside ${names}`}.`
  const allowed = names.length < 2 ? none : ` Allowed: ${names.join(', ')}`
  return keys.slice(0, maxIssues).map((name) => {
    const inner = fields.find(([, field]) => Object.hasOwn(fieldsOf(field), name))
    const isOuter = path.length === 1 && Object.hasOwn(fieldsOf(schema), name)
    const place = isOuter
      ? `"${name}" beside "${String(path[0])}"`
      : inner && `"${inner[0]}.${name}"`
    const question = place ? ` Did you mean ${place}?` : suggestWord(name, names)
    const rest = isOuter || question === '' ? allowed : ''
    return { path: [...path, name], text: `unknown field.${question}${rest}` }
  })
}

function expectationOf(issue: z.core.$ZodIssue) {
  // A schema can have a message of its own.
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
    return `expected ${issue.expected === 'record' ? 'object' : issue.expected}`
  if (issue.code === 'invalid_value')
    return `expected ${issue.values.length > 1 ? 'one of ' : ''}${listWords(issue.values)}`
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  if (issue.code === 'too_small') return `expected at least ${issue.minimum}`
  if (issue.code === 'too_big') return `expected at most ${issue.maximum}`
  return issue.message
}

/** Whether the value at a path can be null, which Zod's issue of the type inside does not know. */
function isNullable(schema: z.core.$ZodType, path: Path): boolean {
  const definition = schema._zod.def as z.core.$ZodTypes['_zod']['def']
  const [step, ...rest] = path
  if (definition.type === 'nullable' && step === undefined) return true
  if ('innerType' in definition) return isNullable(definition.innerType, path)
  if (definition.type === 'array') return isNullable(definition.element, rest)
  const field = definition.type === 'object' && step !== undefined && definition.shape[String(step)]
  return field ? isNullable(field, rest) : false
}

/** A list of values is short and in the message, so only a slip of the pen gets a suggestion. */
function hintOf(issue: z.core.$ZodIssue, actual: unknown) {
  if (issue.code === 'custom' && issue.params?.meant !== undefined)
    return `. Did you mean ${issue.params.meant}?`
  if (issue.code !== 'invalid_value' || typeof actual !== 'string') return ''
  const meant = didYouMean(actual, issue.values.map(String), Math.floor(actual.length / 3))
  return meant === undefined ? '' : `. Did you mean ${inspectValue(meant)}?`
}
