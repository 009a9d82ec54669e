import type { RequestStep } from '../scenarios/scenario.ts'
import type { Writable } from '../writable.ts'
import { escapeBraces } from './address.ts'
import { isFormBody } from './headers.ts'
import { mapLeaves } from './json.ts'
import { isUuid } from './kinds.ts'
import {
  generalizePath,
  generalizeText,
  identifyValue,
  linkKey,
  type ResolveName,
  type ValueContext,
} from './tracks.ts'

/** Gives the name of what is saved; a number is only known again by a number. */
export type ResolveTypedName = (key: string, type?: string) => string | null

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
