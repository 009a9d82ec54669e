import { didYouMean } from '../../utils/did-you-mean.ts'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { inspectValue, UsageError } from '../../utils/usage-error.ts'
import type { ActorRequest } from './actor-request.ts'
import { stepSchemas, triggerSchema } from './schema.ts'

/**
 * A request for an actor, as a copy.
 *
 * @throws UsageError with every fault and its path, such as `steps[0].row.content`
 */
export function parseActor(request: unknown): ActorRequest {
  const { after, steps, ...rest } = (request ?? {}) as Record<string, unknown>
  const faults = [
    ...triggerIssues(after),
    ...stepListIssues(steps),
    ...Object.keys(rest).map((name) => `${name}: unknown field`),
  ]
  if (faults.length > 0) throw new UsageError('Failed to add an actor. Nothing was added.', faults)
  return structuredClone({ after, steps }) as ActorRequest
}

function triggerIssues(after: unknown): string[] {
  const parsed = triggerSchema.safeParse(after, suggestFields)
  return parsed.error
    ? describeIssues(parsed.error, after, '').map((text) => prefixPath('after', text))
    : []
}

function stepListIssues(steps: unknown): string[] {
  if (!Array.isArray(steps)) return [`steps: expected a list of writes, got ${inspectValue(steps)}`]
  if (steps.length === 0) return ['steps: expected at least one write, got []']
  return steps.flatMap((step, index) => stepIssues(step, `steps[${index}]`))
}

function stepIssues(step: unknown, path: string): string[] {
  const given = Object(step) as Record<string, unknown>
  const action = Object.keys(stepSchemas).find((name) => Object.hasOwn(given, name))
  if (action === undefined) {
    return [
      `${path}: expected one of ${Object.keys(stepSchemas).join(', ')}, got ${inspectValue(step)}`,
    ]
  }
  const lists = stepSchemas[action] ?? {}
  const list = String(given[action])
  if (!Object.hasOwn(lists, list)) {
    const meant = didYouMean(list, Object.keys(lists))
    const hint = meant === undefined ? '' : `. Did you mean ${meant}?`
    const expected = `one of ${Object.keys(lists).join(', ')}`
    return [`${path}.${action}: expected ${expected}, got ${inspectValue(given[action])}${hint}`]
  }
  const isAt = typeof given.id === 'object' && given.id !== null
  const parsed = lists[list]?.(isAt).safeParse(step, suggestFields)
  return parsed?.error
    ? describeIssues(parsed.error, step, '').map((text) => prefixPath(path, text))
    : []
}

/** A fault with the path of what it is in. One of the whole begins with a colon. */
function prefixPath(path: string, fault: string): string {
  return fault.startsWith(':') ? `${path}${fault}` : `${path}.${fault}`
}
