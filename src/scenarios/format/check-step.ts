import * as z from 'zod'
import { overrideSettings, resolveSettings } from '../../settings/resolve.ts'
import { parseFaultRequest } from '../../simulator/faults/schema.ts'
import {
  didYouMean,
  formatPath,
  type Issue,
  inspectValue,
  issuesWithin,
  isUsageError,
  type Path,
  schemaIssues,
} from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import { Clock } from '../../world/clock/clock.ts'
import { toMilliseconds } from '../../world/clock/duration.ts'
import { loadWorld } from '../../world/load/load-world.ts'
import type { ChangeKind, RequestStep } from './scenario.ts'
import { changeKinds, changeSchemas, changeStepSchema, requestStepSchema } from './schema.ts'
import {
  findNames,
  matchers,
  type SpecialValue,
  specialKeywords,
  timePattern,
  toSpecialValue,
} from './values.ts'

export function findStepIssues(step: unknown, path: Path): Issue[] {
  if (!isObject(step)) {
    return [{ path, text: `expected a request or a change, got ${inspectValue(step)}` }]
  }
  if ('method' in step) return findRequestIssues(step, path)
  const kinds = changeKinds.filter((kind) => kind in step)
  const [kind] = kinds
  if (kinds.length > 1) return [{ path, text: `expected one change, got ${kinds.join(' and ')}` }]
  return kind ? findChangeIssues(kind, step, path) : [{ path, text: describeUnknownKind(step) }]
}

function describeUnknownKind(step: Record<string, unknown>): string {
  const [first = ''] = Object.keys(step).filter(
    (name) => !['title', 'save', 'expect'].includes(name),
  )
  const suggestion = didYouMean(first, ['method', ...changeKinds])
  const hint = suggestion === undefined ? '' : `. Did you mean ${suggestion}?`
  return `expected a step with one of method, ${changeKinds.join(', ')}, got ${inspectValue(first)}${hint}`
}

function findRequestIssues(step: Record<string, unknown>, path: Path): Issue[] {
  const expect = isObject(step.expect) ? step.expect : {}
  const headers = isObject(step.headers) ? step.headers : {}
  const readable = { ...step, expect, headers } as Partial<RequestStep>
  return [
    ...issuesWithin(path, schemaIssues(requestStepSchema, step)),
    ...issuesWithin(path, findConflicts(readable)),
    ...(isLeftOut(step.body) ? [] : findValueIssues(step.body, [...path, 'body'], 'body')),
    ...findValueIssues(expect.headers, [...path, 'expect', 'headers'], 'expected'),
    ...findValueIssues(expect.body, [...path, 'expect', 'body'], 'expected'),
    ...findValueIssues(expect.exact_body, [...path, 'expect', 'exact_body'], 'expected'),
  ]
}

/** Whether a recording lacks a body. A run sends none in its place. */
function isLeftOut(body: unknown): boolean {
  const special = toSpecialValue(body)
  return special?.keyword === '$match' && special.value === 'any'
}

function findConflicts(step: Partial<RequestStep>): Issue[] {
  const { method, as, headers = {}, expect = {} } = step
  const [first, second] = (['body', 'text'] as const).filter((name) => step[name] !== undefined)
  const hasKey = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  const isRead = method === 'GET' || method === 'HEAD'
  return [
    ...(first && isRead ? [{ path: [first], text: `a ${method} request has no body` }] : []),
    ...(second ? [{ path: [second], text: `expected ${first} or ${second}, got both` }] : []),
    ...(as !== undefined && hasKey
      ? [
          {
            path: ['headers', 'authorization'],
            text: 'expected as or headers.authorization, got both',
          },
        ]
      : []),
    ...(expect.broken && expect.status !== undefined
      ? [{ path: ['expect', 'status'], text: 'expected broken or status, got both' }]
      : []),
  ]
}

function findChangeIssues(kind: ChangeKind, step: Record<string, unknown>, path: Path): Issue[] {
  const { [kind]: value, ...rest } = step
  const valuePath = [...path, kind]
  const check = valueCheckers[kind]
  const issues = [
    ...issuesWithin(path, schemaIssues(changeStepSchema(kind).partial(), rest)),
    ...(kind === 'world' ? [] : findValueIssues(value, valuePath, 'sent')),
    ...(check
      ? collectIssues(valuePath, () => check(value as never))
      : issuesWithin(valuePath, schemaIssues(changeSchemas[kind], value))),
  ]
  if (kind === 'world') return issues
  // Saved values are unknown here. The target checks them.
  const references = findNames(value, valuePath)
  // As text, because the field of an error can be several names: effect.$saved.
  const places = references.map(({ path }) => formatPath(path))
  return issues.filter((issue) => !places.some((place) => isWithin(formatPath(issue.path), place)))
}

/** @example isWithin('steps[0].fault.effect.status', 'steps[0].fault') // true */
function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && ['', '.', '['].includes(path.charAt(outer.length))
}

const valueCheckers: Partial<Record<ChangeKind, (value: never) => unknown>> = {
  // Which settings apply is only known when the step runs. Then the target checks the words.
  world: (value) => loadWorld(value, 'unknown'),
  clock: (value) => new Clock(value),
  advance: toMilliseconds,
  fault: parseFaultRequest,
  settings: (value) => overrideSettings(resolveSettings(), value),
}

/** Runs a check of the part of a scenario at a path, and returns the issues of its error. */
export function collectIssues(path: Path, check: () => unknown): Issue[] {
  try {
    check()
    return []
  } catch (error) {
    if (!isUsageError(error)) throw error
    const { details, field, reason } = error
    if (details.length > 0) return issuesWithin(path, details)
    return [{ path: field === null ? path : [...path, field], text: reason }]
  }
}

/** A body is that of a request. Elsewhere a value is sent in a path, or is part of a change. */
type ValueUse = 'body' | 'sent' | 'expected'

const sendableKeywords: readonly string[] = ['$saved', '$text', '$literal']

function findValueIssues(value: unknown, path: Path, use: ValueUse): Issue[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findValueIssues(item, [...path, index], use))
  }
  if (!isObject(value)) return []
  const special = toSpecialValue(value)
  if (special?.keyword === '$literal') return []
  if (special) return findSpecialValueIssues(special, path, use)
  const keyword = Object.keys(value).find((name) => name.startsWith('$'))
  if (keyword !== undefined) {
    const expected = `one of ${specialKeywords.join(', ')} as the only field`
    const actual = `${inspectValue(keyword)}. Wrap a plain value in { "$literal": … }`
    return [{ path, text: `expected ${expected}, got ${actual}` }]
  }
  return Object.entries(value).flatMap(([name, inner]) =>
    findValueIssues(inner, [...path, name], use),
  )
}

function findSpecialValueIssues(
  { keyword, value }: SpecialValue,
  path: Path,
  use: ValueUse,
): Issue[] {
  if (keyword === '$now' && use !== 'body') {
    const text = 'expected another value, got $now, which only the body of a request can contain'
    return [{ path, text }]
  }
  if (use !== 'expected' && ![...sendableKeywords, '$now'].includes(keyword)) {
    const text = `expected a value to send, got ${keyword}, which only expect can contain`
    return [{ path, text }]
  }
  const valuePath = [...path, keyword]
  if (keyword === '$not') return findValueIssues(value, valuePath, use)
  const schema =
    keyword === '$match'
      ? z.enum(Object.keys(matchers))
      : keyword === '$now'
        ? z.string().regex(timePattern, { error: 'expected a time such as 2024-06-01T00:00:00Z' })
        : z.string()
  return issuesWithin(valuePath, schemaIssues(schema, value))
}
