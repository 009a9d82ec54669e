import { annotationShape } from '../../api/annotations/annotation.ts'
import { endpoints, type World } from '../../api/endpoints.ts'
import { pluginShape } from '../../api/plugins/plugin.ts'
import { projectShape } from '../../api/projects/projects.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { JsonSchema } from '../../http/fields/body-fields.ts'
import { possibleValues } from '../../settings/by-setting.ts'
import { unknownWord } from '../../utils/usage-error.ts'
import { rowShapeOf } from './response-fields.ts'
import { pathsOf } from './response-variants.ts'
import { type FaultRule, type ResponseVariant, type VariantKind, variantKinds } from './rule.ts'

/** The rows that several operations return, by the name that they have in the names of variants. */
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

const prefix = 'variant:'

export function isVariantName(name: unknown): boolean {
  return typeof name === 'string' && name.startsWith(prefix)
}

/**
 * Names a variant for `--fault`.
 *
 * @param target a row, or an operation
 * @example variantName('annotation', { kind: 'null', field: 'content' }) // 'variant:annotation.content=null'
 */
export function variantName(target: string, { kind, field }: ResponseVariant): string {
  return `${prefix}${field === undefined ? target : `${target}.${field}`}=${kind}`
}

/**
 * The rules of a variant: one for each operation that it can change. All operations that return the same row differ alike,
 * as in a real service.
 *
 * @throws UsageError for an unknown kind, and for a field that the kind cannot change
 */
export function variantRules(name: string): FaultRule[] {
  const [, path = '', kind = ''] = /^variant:([^=]*)=?(.*)$/s.exec(name) ?? []
  const kinds = Object.keys(variantKinds)
  if (!kinds.includes(kind)) throw unknownWord('read a variant', kinds, kind)
  const [target = '', ...names] = path.split('.')
  const read = { kind: kind as VariantKind, ...(names.length > 0 && { field: names.join('.') }) }
  const matching = endpoints.filter(
    (endpoint) =>
      endpoint.id === target || shapesOf(endpoint).some((one) => rowName(one) === target),
  )
  const changed = matching.filter((endpoint) =>
    targetPaths(read, endpoint).includes(names.join('.')),
  )
  if (changed.length === 0) {
    const known = (matching.length > 0 ? matching : endpoints).flatMap((one) => targets(one, read))
    throw unknownWord(
      'read a variant',
      known,
      path,
      null,
      `a field or an operation that ${kind} can change`,
    )
  }
  const variant = read.field === undefined ? read.kind : read
  return changed.map(({ id }) => ({ operation: id, effect: { variant } }))
}

/** The fields of an operation that a kind can change. The empty one stands for the whole response. */
function targetPaths({ kind }: ResponseVariant, endpoint: Endpoint<World>): readonly string[] {
  const paths = pathsOf(kind, endpoint)
  return paths.length > 0 ? ['', ...paths] : []
}

function targets(endpoint: Endpoint<World>, variant: ResponseVariant): readonly string[] {
  const names = [endpoint.id, ...shapesOf(endpoint).map(rowName)].filter((one) => one !== undefined)
  return targetPaths(variant, endpoint).flatMap((path) =>
    names.map((name) => (path === '' ? name : `${name}.${path}`)),
  )
}

function shapesOf({ response }: Endpoint<World>): readonly JsonSchema[] {
  return possibleValues(response) as readonly JsonSchema[]
}
