import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { didYouMean, inspectValue, UsageError } from '../../utils/usage-error.ts'
import type { ActorRequest } from './actor-request.ts'
import { stepSchemas, triggerSchema } from './schema.ts'

/**
 * Copies a requested actor.
 *
 * @throws UsageError with every issue and its path, such as `steps[0].row.content`
 */
export function parseActor(request: unknown): ActorRequest {
  const { after, steps, ...rest } = (request ?? {}) as Record<string, unknown>
  const issues = [
    ...triggerIssues(after),
    ...stepListIssues(steps),
    ...Object.keys(rest).map((name) => `${name}: unknown field`),
  ]
  if (issues.length > 0) throw new UsageError('Failed to add an actor. Nothing was added.', issues)
  return structuredClone({ after, steps }) as ActorRequest
}

function triggerIssues(after: unknown): string[] {
  const parsed = triggerSchema.safeParse(after, suggestFields)
  return parsed.error
    ? describeIssues(parsed.error, after, '').map((issue) => prefixPath('after', issue))
    : []
}

function stepListIssues(steps: unknown): string[] {
  if (!Array.isArray(steps)) return [`steps: expected a list of steps, got ${inspectValue(steps)}`]
  if (steps.length === 0) return ['steps: expected at least one step, got []']
  return steps.flatMap((step, index) => stepIssues(step, `steps[${index}]`))
}

function stepIssues(step: unknown, path: string): string[] {
  const fields = Object(step) as Record<string, unknown>
  const actions = Object.keys(stepSchemas)
  const action = actions.find((name) => Object.hasOwn(fields, name))
  if (action === undefined) {
    return [`${path}: expected one of ${actions.join(', ')}, got ${inspectValue(step)}`]
  }
  const schemas = stepSchemas[action] ?? {}
  const list = String(fields[action])
  if (!Object.hasOwn(schemas, list)) {
    const expected = `one of ${Object.keys(schemas).join(', ')}`
    const suggestion = didYouMean(list, Object.keys(schemas))
    const hint = suggestion === undefined ? '' : `. Did you mean ${inspectValue(suggestion)}?`
    return [`${path}.${action}: expected ${expected}, got ${inspectValue(fields[action])}${hint}`]
  }
  const isPosition = typeof fields.id === 'object' && fields.id !== null
  const parsed = schemas[list]?.(isPosition).safeParse(step, suggestFields)
  return parsed?.error
    ? describeIssues(parsed.error, step, '').map((issue) => prefixPath(path, issue))
    : []
}

/** Prefixes the path of an issue. An issue of the whole value starts with a colon. */
function prefixPath(path: string, issue: string): string {
  return issue.startsWith(':') ? `${path}${issue}` : `${path}.${issue}`
}
