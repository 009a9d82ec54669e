import type { Writable } from '../../utils/writable.ts'
import { references } from '../../world/schema/references.ts'
import { countedListNames } from '../../world/table/lists.ts'
import type { ChangeStep, RequestStep } from '../format/scenario.ts'
import type { ValueOrigin } from './id-registry.ts'
import {
  generalizePath,
  generalizeText,
  identifyValue,
  isUuid,
  linkKey,
  mapLeaves,
  type ResolveName,
  singular,
  type ValueContext,
} from './identify-values.ts'
import { escapeBraces, isFormBody } from './request-parts.ts'

/** Gives the name of what is saved; a number is only known again by a number. */
type ResolveTypedName = (key: string, type?: string) => string | null

/**
 * The request of a step, with names in place of what came from answers.
 *
 * @param relative its address as it was, from the base URL on
 */
export function generalizeRequest(
  step: RequestStep,
  relative: string,
  surroundings: ValueContext,
  resolve: ResolveTypedName,
): RequestStep {
  const texts: ResolveName = (key) => resolve(key)
  const link = surroundings.origins.isKnown(linkKey(relative)) ? resolve(linkKey(relative)) : null
  const { query, headers, text } = step
  // In a copy each field keeps its place.
  const named: Writable<RequestStep> = { ...step }
  named.path = link === null ? generalizePath(step.path, texts) : `{${link}}`
  if (query && link === null) named.query = generalizeQuery(query, surroundings, resolve)
  else if (query) delete named.query
  if (headers) named.headers = mapValues(headers, (value) => generalizeText(value, texts))
  if ('body' in step) named.body = generalizeBody(step.body, surroundings, resolve)
  if (typeof text === 'string') named.text = generalizeSentText(text, headers, surroundings, texts)
  return named
}

function generalizeQuery(
  query: NonNullable<RequestStep['query']>,
  surroundings: ValueContext,
  resolve: ResolveTypedName,
): NonNullable<RequestStep['query']> {
  const entries = Object.entries(query).map(([name, value]) => {
    if (typeof value === 'boolean') return [name, value]
    const track = identifyValue(value, { pointer: '', field: name, within: [] }, surroundings)
    const saved = track && resolve(track.key)
    if (saved) return [name, `{${saved}}`]
    return [name, typeof value === 'string' ? generalizeText(value, (key) => resolve(key)) : value]
  })
  return Object.fromEntries(entries)
}

function generalizeBody(
  body: unknown,
  surroundings: ValueContext,
  resolve: ResolveTypedName,
): unknown {
  return mapLeaves(body, (leaf, spot) => {
    const track = identifyValue(leaf, spot, surroundings)
    const name = track && resolve(track.key, typeof leaf === 'number' ? 'number' : undefined)
    if (name) return { $saved: name }
    if (typeof leaf !== 'string') return leaf
    const text = generalizeText(escapeBraces(leaf), (key) => resolve(key))
    return text === escapeBraces(leaf) ? leaf : { $text: text }
  })
}

function generalizeSentText(
  text: string,
  headers: RequestStep['headers'] = {},
  surroundings: ValueContext,
  resolve: ResolveName,
): NonNullable<RequestStep['text']> {
  const named = isFormBody(Object.entries(headers))
    ? text
        .split('&')
        .map((pair) => generalizeFormField(pair, surroundings, resolve))
        .join('&')
    : generalizeText(escapeBraces(text), resolve)
  return named === escapeBraces(text) ? text : { $text: named }
}

/** A field of a form. Only what needs no encoding can be filled in again. */
function generalizeFormField(
  pair: string,
  surroundings: ValueContext,
  resolve: ResolveName,
): string {
  const [[field = '', value = ''] = []] = new URLSearchParams(pair)
  const isId = /^\d+$/.test(value) || isUuid(value)
  const track = isId ? identifyValue(value, { pointer: '', field, within: [] }, surroundings) : null
  const name = track && resolve(track.key)
  return name
    ? `${escapeBraces(pair.slice(0, pair.indexOf('=') + 1))}{${name}}`
    : escapeBraces(pair)
}

function mapValues<T>(
  values: Readonly<Record<string, T>>,
  change: (value: T) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

type Row = Readonly<Record<string, unknown>>

/** An id that a step gives to a row. */
interface AddedRowId extends ValueOrigin {
  readonly key: string
}

/** The ids of the rows that a step adds, each with where it is saved from. */
export function idsOfAddedRows(step: ChangeStep): AddedRowId[] {
  if (!('rows' in step)) return []
  return Object.entries(step.rows as Readonly<Record<string, readonly Row[]>>).flatMap(
    ([list, rows]) =>
      rows.flatMap(({ id }, index) =>
        id === undefined || !hasNumericIds(list)
          ? []
          : [
              {
                key: rowKey(list, id),
                pointer: `/${list}/${index}`,
                name: `${singular(list)}_id`,
                type: 'number',
              },
            ],
      ),
  )
}

/** A change with names in place of the ids that are saved; a row that is added gets its id where it is added. */
export function generalizeChange(step: ChangeStep, resolve: ResolveTypedName): ChangeStep {
  const saved = (list: string, id: unknown): unknown => {
    const name = typeof id === 'number' ? resolve(rowKey(list, id), 'number') : null
    return name === null ? id : { $saved: name }
  }
  const fields = (list: string, row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([field, value]) => {
        const target = references[list as keyof typeof references]?.[field]
        if (target === undefined) return [field, value]
        return [
          field,
          Array.isArray(value) ? value.map((id) => saved(target, id)) : saved(target, value),
        ]
      }),
    )
  const added = (list: string, { id, ...row }: Row): Row =>
    fields(list, id === undefined || hasNumericIds(list) ? row : { id, ...row })
  const changed = (list: string, row: Row): Row => ({
    ...fields(list, row),
    id: saved(list, row.id),
  })
  if ('rows' in step) return { ...step, rows: mapRows(step.rows, added) }
  if ('update' in step) return { ...step, update: mapRows(step.update, changed) }
  if ('delete' in step) return { ...step, delete: mapRows(step.delete, saved) }
  return step
}

function mapRows<Rows extends object>(
  lists: Rows,
  map: (list: string, row: never) => unknown,
): Rows {
  return Object.fromEntries(
    Object.entries(lists).map(([list, rows]) => [list, rows.map((row: never) => map(list, row))]),
  ) as Rows
}

function rowKey(list: string, id: unknown): string {
  return `${singular(list)} ${id}`
}

function hasNumericIds(list: string): boolean {
  return (countedListNames as readonly string[]).includes(list)
}
