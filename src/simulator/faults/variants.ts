import { annotationShape } from '../../api/annotations/annotation.ts'
import { endpoints } from '../../api/endpoints.ts'
import { pluginShape } from '../../api/plugins/plugin.ts'
import { projectShape } from '../../api/projects/list.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { JsonSchema } from '../../http/fields/body-fields.ts'
import { type ApiResponse, bodyText } from '../../http/messages.ts'
import type { OperationId } from '../../http/operation-id.ts'
import { queryString, withQuery } from '../../http/url.ts'
import { possibleValues, resolveBySetting } from '../../settings/by-setting.ts'
import type { SettingValues } from '../../settings/setting.ts'
import { didYouMean, unknownWord } from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import { annotation } from '../../world/entities/annotation.ts'
import { plugin } from '../../world/entities/plugin.ts'
import { describePattern, matchingEndpoints } from '../request-pattern.ts'
import {
  type FaultRule,
  type ResponseVariant,
  type VariantKind,
  variantKinds,
  variantOf,
} from './fault.ts'
import {
  isPage,
  isRecord,
  isTime,
  listFields,
  mapFields,
  type ResponseField,
  rowShapeOf,
} from './response-fields.ts'

/** Changes the fields of a row. A change that has no effect returns the same value. */
interface FieldVariant {
  readonly canChange: (field: ResponseField) => boolean
  readonly change: (value: unknown, field: ResponseField) => unknown
}

interface Page {
  readonly next: string | null
  readonly results: readonly unknown[]
}

/** Changes a page. A change that has no effect returns the same page. */
type ChangePage = (page: Page, url: string) => Page

/** Fields of a fixed set of values that the documentation does not show. */
const openSets: readonly string[] = ['plugin_type', 'creation_type', 'scope']

/** Fields that people write, with the longest text that the service stores, or a long one if it is unlimited. */
const freeTexts: Readonly<Record<string, number>> = {
  content: annotation.fields.content.max ?? 0,
  name: plugin.fields.name.max ?? 0,
  ...{ description: 1_000, insight_name: 400, organization_name: 1_000 },
  ...{ first_name: 150, last_name: 150 },
}

const isFreeText = ({ name }: ResponseField): boolean => Object.hasOwn(freeTexts, name)

const fieldVariants: Partial<Record<VariantKind, FieldVariant>> = {
  null: { canChange: canBeNull, change: () => null },
  new_value: { canChange: ({ name }) => openSets.includes(name), change: () => 'new_value' },
  extra_field: {
    canChange: isRecord,
    change: (value) => (isObject(value) ? { ...value, added_field: 'added' } : value),
  },
  empty_text: { canChange: isFreeText, change: replaceText(() => '') },
  long_text: {
    canChange: isFreeText,
    change: replaceText(({ name }) => 'A very long text. '.repeat(60).slice(0, freeTexts[name])),
  },
  seconds: {
    canChange: isTime,
    change: (value) => (typeof value === 'string' ? value.replace(/(:\d\d)\.\d+Z$/, '$1Z') : value),
  },
}

/** Marks the request that followed `next` of an empty page. The service ignores the parameter, and its links keep it. */
const marker = 'cursor'

const pageVariants: Partial<Record<VariantKind, ChangePage>> = {
  empty_page(page, url) {
    const query = new URLSearchParams(queryString(url))
    if (query.has(marker) || page.results.length === 0) return page
    query.set(marker, '1')
    return { ...page, next: withQuery(url, query), results: [] }
  },
  row_order: (page) =>
    page.results.length < 2 ? page : { ...page, results: page.results.toReversed() },
}

/** The documentation says of structured values that they may be null. They can have any JSON value. */
function canBeNull({ schema }: ResponseField): boolean {
  const { type, anyOf } = schema as { type?: unknown; anyOf?: readonly JsonSchema[] }
  if (Array.isArray(type)) return type.includes('null')
  return anyOf ? anyOf.some((each) => each.type === 'null') : Object.keys(schema).length === 0
}

function replaceText(text: (field: ResponseField) => string): FieldVariant['change'] {
  return (value, field) => (typeof value === 'string' ? text(field) : value)
}

/**
 * Lists the fields that a kind can change in a response. A kind that changes a page, or a whole row, has the empty path.
 * Without a path, the kind changes nothing.
 */
export function variablePaths(kind: VariantKind, shape: JsonSchema): string[] {
  const { canChange } = fieldVariants[kind] ?? {}
  if (!canChange) return isPage(shape) ? [''] : []
  return listFields(shape)
    .filter((field) => canChange(field))
    .map(({ path }) => path)
}

/**
 * Changes a body. Everything that the variant does not name stays.
 *
 * @param url the absolute URL of the request
 */
export function varyBody(
  body: unknown,
  { kind, field }: ResponseVariant,
  shape: JsonSchema,
  url: string,
): unknown {
  const changePage = pageVariants[kind]
  if (changePage) {
    const canChange = isPage(shape) && isObject(body) && Array.isArray(body.results)
    return canChange ? changePage(body as object as Page, url) : body
  }
  const { canChange, change } = fieldVariants[kind] as FieldVariant
  // Without a field, each row gets one more field, but the objects in it do not.
  const path = field ?? (kind === 'extra_field' ? '' : undefined)
  return mapFields(body, shape, (value, each) =>
    (path === undefined || each.path === path) && canChange(each) ? change(value, each) : value,
  )
}

/** Finds the variants that would change a response. @param url the absolute URL of the request */
export function findVariants(body: unknown, shape: JsonSchema, url: string): ResponseVariant[] {
  const kinds = Object.keys(variantKinds) as VariantKind[]
  const found = new Map<string, ResponseVariant>()
  mapFields(body, shape, (value, field) => {
    for (const kind of kinds) {
      const { canChange, change } = fieldVariants[kind] ?? {}
      if (!canChange?.(field) || change?.(value, field) === value) continue
      const { path } = field
      found.set(`${kind} ${path}`, path === '' ? { kind } : { kind, field: path })
    }
    return value
  })
  const ofPages = kinds.filter(
    (kind) => pageVariants[kind] && varyBody(body, { kind }, shape, url) !== body,
  )
  return [...found.values(), ...ofPages.map((kind) => ({ kind }))]
}

/**
 * Changes the response of an endpoint.
 *
 * @param url the absolute URL of the request
 * @returns the same response if the variant does not differ
 */
export function varyResponse(
  response: ApiResponse,
  variant: ResponseVariant,
  shape: JsonSchema,
  url: string,
): ApiResponse {
  if (!isSuccessWithJson(response)) return response
  const text = bodyText(response.body)
  const body = JSON.stringify(varyBody(JSON.parse(text), variant, shape, url))
  return body === text ? response : { ...response, body }
}

/** Whether a response can have variants. */
export function isSuccessWithJson({ status, headers, body }: ApiResponse): boolean {
  const isJson = headers['content-type'] === 'application/json' && bodyText(body) !== ''
  return status >= 200 && status < 300 && isJson
}

/** The shape of a response under the current settings. */
export function responseShape(
  { response }: Pick<Endpoint, 'response'>,
  settings: SettingValues,
): JsonSchema {
  return resolveBySetting(response, settings) as JsonSchema
}

/** The paths that a kind can change in any response of an operation. */
function pathsOf(kind: VariantKind, { response }: Endpoint): string[] {
  return possibleValues(response).flatMap((shape) => variablePaths(kind, shape as JsonSchema))
}

/** Finds a variant that cannot change any response of the operations that the rule names. */
export function findVariantIssue(
  rule: FaultRule,
): readonly [path: string, message: string, meant?: string | undefined] | null {
  const variant = variantOf(rule.effect)
  const endpoints = matchingEndpoints(rule)
  if (!variant || endpoints.length === 0) return null
  const { kind, field } = variant
  const isShort = rule.effect.variant === kind
  const paths = endpoints.flatMap((endpoint) => pathsOf(kind, endpoint))
  if (paths.length === 0) {
    const kinds = Object.keys(variantKinds) as VariantKind[]
    const possible = kinds.filter((each) => endpoints.some((one) => pathsOf(each, one).length > 0))
    const message = `expected a kind that can change a response of ${describePattern(rule)}: ${possible.join(', ')}`
    return [isShort ? 'effect.variant' : 'effect.variant.kind', message]
  }
  if (field === undefined || paths.includes(field)) return null
  const fields = [...new Set(paths)].filter((path) => path !== '')
  if (fields.length === 0) return ['effect.variant.field', `expected no field with ${kind}`]
  const message = `expected a field of ${describePattern(rule)} that ${kind} can change: ${fields.join(', ')}`
  return ['effect.variant.field', message, didYouMean(field, fields)]
}

/** The rows that several operations return, by the name that they have in the names of variants. */
const namedRows: Readonly<Record<string, JsonSchema>> = {
  annotation: annotationShape,
  plugin: pluginShape,
  project: projectShape,
}

/** The name of the row of a response, or undefined if no other operation returns it. */
export function rowName(shape: JsonSchema): string | undefined {
  const row = rowShapeOf(shape)
  return Object.keys(namedRows).find((name) => namedRows[name] === row)
}

const prefix = 'variant:'

export function isVariantName(name: unknown): name is `variant:${string}` {
  return typeof name === 'string' && name.startsWith(prefix)
}

/**
 * Names a variant for `--fault`.
 *
 * @param target a row, or an operation
 * @example variantName('annotation', { kind: 'null', field: 'content' }) // 'variant:annotation.content=null'
 */
export function variantName(target: string, { kind, field }: ResponseVariant): `variant:${string}` {
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
  return changed.map(({ id }) => ({ operation: id as OperationId, effect: { variant } }))
}

/** The fields of an operation that a kind can change. The empty one stands for the whole response. */
function targetPaths({ kind }: ResponseVariant, endpoint: Endpoint): readonly string[] {
  const paths = pathsOf(kind, endpoint)
  return paths.length > 0 ? ['', ...paths] : []
}

function targets(endpoint: Endpoint, variant: ResponseVariant): readonly string[] {
  const names = [endpoint.id, ...shapesOf(endpoint).map(rowName)].filter((one) => one !== undefined)
  return targetPaths(variant, endpoint).flatMap((path) =>
    names.map((name) => (path === '' ? name : `${name}.${path}`)),
  )
}

function shapesOf({ response }: Endpoint): readonly JsonSchema[] {
  return possibleValues(response) as readonly JsonSchema[]
}
