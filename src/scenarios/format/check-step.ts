import { overridePolicies, resolvePolicies } from '../../policies/settings.ts'
import { parseActor } from '../../sandbox/actors/parse-actor.ts'
import { parseFaultRequest } from '../../sandbox/faults/fault-request.ts'
import { didYouMean } from '../../utils/did-you-mean.ts'
import { isObject } from '../../utils/json.ts'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { inspectValue, UsageError } from '../../utils/usage-error.ts'
import { Clock, toMilliseconds } from '../../world/clock/clock.ts'
import { loadWorld } from '../../world/load/load-world.ts'
import type { UncheckedField } from '../../world/world-format.ts'
import { findValueIssues } from './check-values.ts'
import { type ChangeKind, changeKinds, type RequestStep } from './scenario.ts'
import { changeSchemas, changeStepSchema, requestStepSchema } from './schema.ts'
import { findNames } from './values.ts'

/** Every fault of a step, each with its path. */
export function findStepIssues(step: unknown, path: string): string[] {
  if (!isObject(step)) return [`${path}: expected a request or a change, got ${inspectValue(step)}`]
  if ('method' in step) return findRequestIssues(step, path)
  const words = changeKinds.filter((word) => word in step)
  const [word] = words
  if (words.length > 1) return [`${path}: expected one change, got ${words.join(' and ')}`]
  return word ? findChangeIssues(word, step, path) : [describeUnknownKind(step, path)]
}

function describeUnknownKind(step: Record<string, unknown>, path: string): string {
  const [first = ''] = Object.keys(step).filter(
    (name) => !['title', 'save', 'expect'].includes(name),
  )
  const meant = didYouMean(first, ['method', ...changeKinds])
  const hint = meant === undefined ? '' : `. Did you mean ${meant}?`
  return `${path}: expected a step with one of method, ${changeKinds.join(', ')}, got ${inspectValue(first)}${hint}`
}

function findRequestIssues(step: Record<string, unknown>, path: string): string[] {
  const parsed = requestStepSchema.safeParse(step, suggestFields)
  if (parsed.error)
    return describeIssues(parsed.error, step, '').map((fault) => prefixPath(path, fault))
  const {
    method,
    body,
    text,
    base64,
    expect = {},
    headers = {},
    as,
  } = step as unknown as RequestStep
  const bodies = Object.entries({ body, text, base64 }).filter(([, value]) => value !== undefined)
  const [first, second] = bodies.map(([name]) => name)
  const isRead = method === 'GET' || method === 'HEAD'
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  const { broken, ...answered } = expect
  return [
    ...(first !== undefined && isRead
      ? [`${path}.${first}: expected none with ${method}, which carries none`]
      : []),
    ...(second !== undefined
      ? [`${path}.${second}: expected ${first} or ${second}, got both`]
      : []),
    ...(as !== undefined && names.includes('authorization')
      ? [`${path}.headers.authorization: expected none beside as, which sets it`]
      : []),
    ...(broken && answered.status !== undefined
      ? [`${path}.expect.status: expected none beside broken: no answer comes`]
      : []),
    ...findValueIssues(body, `${path}.body`, 'sent'),
    ...findValueIssues(expect.headers, `${path}.expect.headers`, 'expected'),
    ...findValueIssues(expect.body, `${path}.expect.body`, 'expected'),
    ...findValueIssues(expect.exact_body, `${path}.expect.exact_body`, 'expected'),
  ]
}

function findChangeIssues(word: ChangeKind, step: Record<string, unknown>, path: string): string[] {
  const { [word]: value, ...rest } = step
  const parsed = changeStepSchema(word).partial().safeParse(rest, suggestFields)
  const faults = [
    ...(parsed.error
      ? describeIssues(parsed.error, step, '').map((fault) => prefixPath(path, fault))
      : []),
    ...(word === 'world' ? [] : findValueIssues(value, `${path}.${word}`, 'sent')),
    ...collectIssues(`${path}.${word}`, () => valueCheckers[word]?.(value as never)),
    ...(valueCheckers[word] ? [] : findSchemaIssues(word, value, `${path}.${word}`)),
  ]
  if (word === 'world') return faults
  // What a saved value will be is not known yet: the target checks it then.
  const later = findNames(value, `${path}.${word}`)
  return faults.filter((fault) => !later.some((place) => fault.startsWith(place.path)))
}

function findSchemaIssues(word: ChangeKind, value: unknown, path: string): string[] {
  const parsed = changeSchemas[word].safeParse(value, suggestFields)
  return parsed.error
    ? describeIssues(parsed.error, value, '').map((fault) => prefixPath(path, fault))
    : []
}

/** Which policies hold when it is carried out is not known yet: the target checks it then. */
const allUncheckedFields: readonly UncheckedField[] = [
  'annotations.creation_type',
  'annotations.scope',
  'plugins.plugin_type',
]

/** What says more of a value than its schema does. */
const valueCheckers: Partial<Record<ChangeKind, (value: never) => unknown>> = {
  world: (value) => loadWorld(value, allUncheckedFields),
  clock: (value) => new Clock(value),
  advance: toMilliseconds,
  fault: parseFaultRequest,
  actor: parseActor,
  profile: resolvePolicies,
  policies: (value) => overridePolicies(resolvePolicies(), value),
}

/** A fault with the path of what it is in. One of the whole begins with a colon. */
function prefixPath(path: string, fault: string): string {
  return /^[:[]/.test(fault) ? `${path}${fault}` : `${path}.${fault}`
}

/**
 * The faults that a reader finds in one part of a scenario, each with its path from the whole on.
 *
 * @example faultsWithin('steps[2].clock', () => new Clock('noon')) // ['steps[2].clock: Failed to …']
 */
export function collectIssues(path: string, read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const { issues, field, message } = error
    if (issues.length > 0) return issues.map((fault) => prefixIssuePath(path, fault))
    return [`${field === null ? path : `${path}.${field}`}: ${withoutTask(message)}`]
  }
}

/** A fault with the path of what it is in. */
function prefixIssuePath(path: string, fault: string): string {
  return /^[:[]/.test(fault) ? `${path}${fault}` : `${path}.${fault}`
}

/** What a message says besides what failed. */
function withoutTask(message: string): string {
  return message.replace(/^Failed to [^:]*: /, '').replace(/\.$/, '')
}
