import { annotationShape } from '../../api/annotations/annotation.ts'
import { endpoints, type World } from '../../api/endpoints.ts'
import { pluginShape } from '../../api/plugins/plugin.ts'
import { projectShape } from '../../api/projects/projects.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { JsonSchema } from '../../http/fields/body-fields.ts'
import { possibleValues } from '../../policies/by-policy.ts'
import { unknownWord } from '../../utils/usage-error.ts'
import { mutablePaths, shiftOfIds } from './mutants.ts'
import { rowShapeOf } from './response-fields.ts'
import { type FaultRule, type MutantKind, type Mutation, mutantKinds } from './rule.ts'

/** The rows that several operations return, by the name that they have in the names of mutants. */
const rows: Readonly<Record<string, JsonSchema>> = {
  annotation: annotationShape,
  plugin: pluginShape,
  project: projectShape,
}

/** The name of the row of a response, or undefined if no other operation returns it. */
export function rowName(shape: JsonSchema): string | undefined {
  const row = rowShapeOf(shape)
  return Object.keys(rows).find((name) => rows[name] === row)
}

const prefix = 'mutate:'

export function isMutantName(name: unknown): boolean {
  return typeof name === 'string' && name.startsWith(prefix)
}

/**
 * Names a mutant for `--fault`.
 *
 * @param target a row, or an operation
 * @example mutantName('annotation', { kind: 'null', field: 'content' }) // 'mutate:annotation.content=null'
 */
export function mutantName(target: string, { kind, field }: Mutation): string {
  return `${prefix}${field === undefined ? target : `${target}.${field}`}=${kind}`
}

/**
 * The rules of a mutant: one for each operation that it can change. All operations that return the same row differ alike,
 * as in a real service.
 *
 * @throws UsageError for an unknown kind, and for a field that the kind cannot change
 */
export function mutantRules(name: string): FaultRule[] {
  const [, path = '', kind = ''] = /^mutate:([^=]*)=?(.*)$/s.exec(name) ?? []
  const kinds = Object.keys(mutantKinds)
  if (!kinds.includes(kind)) throw unknownWord('read a mutant', kinds, kind)
  const [target = '', ...names] = path.split('.')
  const mutation = { kind: kind as MutantKind, ...(names.length > 0 && { field: names.join('.') }) }
  const matching = endpoints.filter(
    (endpoint) =>
      endpoint.id === target ||
      shapesOf(endpoint).some((one) => rowName(one) === target) ||
      // Ids that are shown as other ones come back in the paths of all operations.
      (target === 'annotation' && shiftOfIds(mutation, endpoint) > 0),
  )
  const changed = matching.filter((endpoint) =>
    pathsOf(mutation, endpoint).includes(names.join('.')),
  )
  if (changed.length === 0) {
    const known = (matching.length > 0 ? matching : endpoints).flatMap((one) =>
      targets(one, mutation),
    )
    throw unknownWord(
      'read a mutant',
      known,
      path,
      null,
      `a field or an operation that ${kind} can change`,
    )
  }
  return changed.map((endpoint) => toRule(endpoint.id, mutation))
}

/** A run can send many requests of one operation. If each took long, it would take longer than a test may. */
function toRule(operation: string, mutation: Mutation): FaultRule {
  const mutate = mutation.field === undefined ? mutation.kind : mutation
  return { operation, ...(mutation.kind === 'slow' && { when: { times: 1 } }), effect: { mutate } }
}

function shapesOf({ response }: Endpoint<World>): readonly JsonSchema[] {
  return possibleValues(response) as readonly JsonSchema[]
}

/** The fields of an operation that a kind can change. The empty one stands for the whole response. */
function pathsOf({ kind }: Mutation, endpoint: Endpoint<World>): readonly string[] {
  const paths = shapesOf(endpoint).flatMap((shape) => mutablePaths(kind, endpoint, shape))
  return paths.length > 0 ? ['', ...paths] : []
}

function targets(endpoint: Endpoint<World>, mutation: Mutation): readonly string[] {
  const names = [endpoint.id, ...shapesOf(endpoint).map(rowName)].filter((one) => one !== undefined)
  return pathsOf(mutation, endpoint).flatMap((path) =>
    names.map((name) => (path === '' ? name : `${name}.${path}`)),
  )
}
