import type { RequestStep } from '../scenarios/scenario.ts'
import type { Writable } from '../writable.ts'
import { plain } from './address.ts'
import { isForm } from './headers.ts'
import { mapLeaves } from './json.ts'
import { isUuid } from './kinds.ts'
import {
  linkKey,
  namedPlace,
  namedText,
  type Resolve,
  type Surroundings,
  trackOf,
} from './tracks.ts'

/** Gives the name of what is saved; a number is only known again by a number. */
export type ResolveTyped = (key: string, type?: string) => string | null

/**
 * The request of a step, with names in place of what came from answers.
 *
 * @param relative its address as it was, from the base URL on
 */
export function namedRequest(
  step: RequestStep,
  relative: string,
  surroundings: Surroundings,
  resolve: ResolveTyped,
): RequestStep {
  const texts: Resolve = (key) => resolve(key)
  const link = surroundings.origins.isKnown(linkKey(relative)) ? resolve(linkKey(relative)) : null
  const { query, headers, text } = step
  // In a copy each field keeps its place.
  const named: Writable<RequestStep> = { ...step }
  named.path = link === null ? namedPlace(step.path, texts) : `{${link}}`
  if (query && link === null) named.query = namedQuery(query, surroundings, resolve)
  else if (query) delete named.query
  if (headers) named.headers = mapValues(headers, (value) => namedText(value, texts))
  if ('body' in step) named.body = namedBody(step.body, surroundings, resolve)
  if (typeof text === 'string') named.text = namedSent(text, headers, surroundings, texts)
  return named
}

function namedQuery(
  query: NonNullable<RequestStep['query']>,
  surroundings: Surroundings,
  resolve: ResolveTyped,
): NonNullable<RequestStep['query']> {
  const entries = Object.entries(query).map(([name, value]) => {
    if (typeof value === 'boolean') return [name, value]
    const track = trackOf(value, { pointer: '', field: name, within: [] }, surroundings)
    const saved = track && resolve(track.key)
    if (saved) return [name, `{${saved}}`]
    return [name, typeof value === 'string' ? namedText(value, (key) => resolve(key)) : value]
  })
  return Object.fromEntries(entries)
}

function namedBody(body: unknown, surroundings: Surroundings, resolve: ResolveTyped): unknown {
  return mapLeaves(body, (leaf, spot) => {
    const track = trackOf(leaf, spot, surroundings)
    const name = track && resolve(track.key, typeof leaf === 'number' ? 'number' : undefined)
    if (name) return { $saved: name }
    if (typeof leaf !== 'string') return leaf
    const text = namedText(plain(leaf), (key) => resolve(key))
    return text === plain(leaf) ? leaf : { $text: text }
  })
}

function namedSent(
  text: string,
  headers: RequestStep['headers'] = {},
  surroundings: Surroundings,
  resolve: Resolve,
): NonNullable<RequestStep['text']> {
  const named = isForm(Object.entries(headers))
    ? text
        .split('&')
        .map((pair) => namedPair(pair, surroundings, resolve))
        .join('&')
    : namedText(plain(text), resolve)
  return named === plain(text) ? text : { $text: named }
}

/** A field of a form. Only what needs no encoding can be filled in again. */
function namedPair(pair: string, surroundings: Surroundings, resolve: Resolve): string {
  const [[field = '', value = ''] = []] = new URLSearchParams(pair)
  const isId = /^\d+$/.test(value) || isUuid(value)
  const track = isId ? trackOf(value, { pointer: '', field, within: [] }, surroundings) : null
  const name = track && resolve(track.key)
  return name ? `${plain(pair.slice(0, pair.indexOf('=') + 1))}{${name}}` : plain(pair)
}

function mapValues<T>(
  values: Readonly<Record<string, T>>,
  change: (value: T) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
