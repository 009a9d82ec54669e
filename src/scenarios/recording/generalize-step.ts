import { isFormBody } from '../../http/exchange.ts'
import { mapValues } from '../../utils/json.ts'
import type { Writable } from '../../utils/writable.ts'
import { references } from '../../world/schema/references.ts'
import { countedListNames } from '../../world/table/lists.ts'
import type { ChangeStep, RequestStep } from '../format/scenario.ts'
import type { ResponseContext } from './generalize-response.ts'
import type { ValueOrigin } from './id-registry.ts'
import {
  generalizePath,
  generalizeText,
  identifyValue,
  isUuid,
  type Leaf,
  linkKey,
  mapLeaves,
  type ResolveName,
  singular,
  type ValueContext,
} from './identify-values.ts'
import { escapeBraces } from './step-address.ts'

/**
 * Generalizes the request of a step: values that earlier responses contain become saved values.
 *
 * @param target the recorded path and query, below the base URL
 */
export function generalizeRequest(
  step: RequestStep,
  target: string,
  context: ResponseContext,
  resolve: ResolveName,
): RequestStep {
  const { query, headers, text } = step
  const link = context.registry.isKnown(linkKey(target)) ? resolve(linkKey(target)) : null
  // A copy keeps the order of the fields.
  const generalized: Writable<RequestStep> = { ...step }
  generalized.path = link === null ? generalizePath(step.path, resolve) : `{${link}}`
  if (query && link === null) {
    generalized.query = mapValues(query, (value, field) => {
      if (typeof value !== 'string' && typeof value !== 'number') return value
      const name = resolveField(value, field, context, resolve)
      if (name) return `{${name}}`
      return typeof value === 'string' ? generalizeText(value, resolve) : value
    })
  } else if (query) delete generalized.query
  if (headers) {
    generalized.headers = mapValues(headers, (value) => generalizeText(value as string, resolve))
  }
  if ('body' in step) generalized.body = generalizeBody(step.body, context, resolve)
  if (typeof text === 'string') {
    const sent = isFormBody(Object.entries(headers ?? {}))
      ? text.split('&').map((pair) => generalizeFormField(pair, context, resolve))
      : [generalizeText(escapeBraces(text), resolve)]
    generalized.text = toTextValue(text, sent.join('&'))
  }
  return generalized
}

function resolveField(
  value: Leaf,
  field: string,
  context: ValueContext,
  resolve: ResolveName,
): string | null {
  const id = identifyValue(value, { field, within: [] }, context)
  return id && resolve(id.key)
}

function generalizeBody(body: unknown, context: ValueContext, resolve: ResolveName): unknown {
  return mapLeaves(body, (leaf, location) => {
    const id = identifyValue(leaf, location, context)
    const name = id && resolve(id.key, typeof leaf)
    if (name) return { $saved: name }
    if (typeof leaf !== 'string') return leaf
    return toTextValue(leaf, generalizeText(escapeBraces(leaf), resolve))
  })
}

/** The text itself if it uses no saved value. */
function toTextValue(text: string, generalized: string): string | { $text: string } {
  return generalized === escapeBraces(text) ? text : { $text: generalized }
}

/** Only values that need no percent-encoding can be filled in. */
function generalizeFormField(pair: string, context: ValueContext, resolve: ResolveName): string {
  const [[field = '', value = ''] = []] = new URLSearchParams(pair)
  const canBeId = /^\d+$/.test(value) || isUuid(value)
  const name = canBeId ? resolveField(value, field, context, resolve) : null
  if (!name) return escapeBraces(pair)
  return `${escapeBraces(pair.slice(0, pair.indexOf('=') + 1))}{${name}}`
}

type Row = Readonly<Record<string, unknown>>

/** The ids of the rows that a step adds. Their pointers lead into the ids that the step returns. */
export function idsOfAddedRows(step: ChangeStep): (ValueOrigin & { readonly key: string })[] {
  if (!('rows' in step)) return []
  const lists = Object.entries(step.rows as Readonly<Record<string, readonly Row[]>>)
  return lists
    .filter(([list]) => hasNumericIds(list))
    .flatMap(([list, rows]) =>
      rows.flatMap(({ id }, index) => {
        if (id === undefined) return []
        const key = rowKey(list, id)
        return [{ key, pointer: `/${list}/${index}`, name: `${singular(list)}_id`, type: 'number' }]
      }),
    )
}

/** Replaces saved ids in a change by their names. An added row gets a new id in each replay. */
export function generalizeChange(step: ChangeStep, resolve: ResolveName): ChangeStep {
  const toSaved = (list: string, id: unknown): unknown => {
    const name = typeof id === 'number' ? resolve(rowKey(list, id), 'number') : null
    return name === null ? id : { $saved: name }
  }
  const generalizeReferences = (list: string, row: Row): Row =>
    mapValues(row, (value, field) => {
      const target = references[list as keyof typeof references]?.[field]
      if (target === undefined) return value
      return Array.isArray(value) ? value.map((id) => toSaved(target, id)) : toSaved(target, value)
    })
  const addedRow = (list: string, { id, ...row }: Row): Row =>
    generalizeReferences(list, id === undefined || hasNumericIds(list) ? row : { id, ...row })
  const updatedRow = (list: string, row: Row): Row => ({
    ...generalizeReferences(list, row),
    id: toSaved(list, row.id),
  })
  if ('rows' in step) return { ...step, rows: mapRows(step.rows, addedRow) }
  if ('update' in step) return { ...step, update: mapRows(step.update, updatedRow) }
  if ('delete' in step) return { ...step, delete: mapRows(step.delete, toSaved) }
  return step
}

function mapRows<Rows extends object>(
  lists: Rows,
  map: (list: string, row: never) => unknown,
): Rows {
  return mapValues(lists, (rows, list) => (rows as never[]).map((row) => map(list, row)))
}

function rowKey(list: string, id: unknown): string {
  return `${singular(list)} ${id}`
}

function hasNumericIds(list: string): boolean {
  return (countedListNames as readonly string[]).includes(list)
}
