import type { RequestStep } from '../scenarios/scenario.ts'
import { filled, filledText, type Saved, toSend } from '../scenarios/values.ts'

/** A recorded request with saved values in their places: what a request is held against. */
export interface Wanted {
  readonly method: string
  readonly path: string
  /** Sorted, so that their order does not matter */
  readonly query: readonly Pair[]
  /** The label of its key; null for none, undefined where its headers say */
  readonly key: string | null | undefined
  /** By lower-case names */
  readonly headers: Readonly<Record<string, string>>
  readonly body: WantedBody
}

/** A body: JSON, a text, or bytes that are none. */
export type WantedBody =
  | { readonly value: unknown }
  | { readonly text: string }
  | { readonly base64: string }

/** A parameter of a query: its name and its value. */
export type Pair = readonly [name: string, value: string]

/**
 * What a recorded request asks for.
 *
 * @param prefix the path at which the API begins
 */
export function wantedOf(step: RequestStep, saved: Saved, prefix: string): Wanted {
  const place = filledText(step.path, saved)
  const [path = '/', ownQuery = ''] = place.startsWith('/')
    ? place.split('?')
    : belowBase(place, prefix).split('?')
  const added = Object.entries(step.query ?? {}).map(
    ([name, value]): Pair => [name, filledText(String(value), saved)],
  )
  const headers = Object.entries(step.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    filledText(value, saved),
  ])
  const byHeader = headers.some(([name]) => name === 'authorization')
  return {
    method: step.method,
    path: pathOf(path),
    query: sorted([...new URLSearchParams(ownQuery), ...added]),
    key: byHeader ? undefined : (step.as ?? null),
    headers: Object.fromEntries(headers),
    body: bodyOf(step, saved),
  }
}

function bodyOf({ body, text, base64 }: RequestStep, saved: Saved): WantedBody {
  if (base64 !== undefined) return { base64 }
  if (body !== undefined) return { value: toSend(body, saved) }
  return { text: String(filled(text ?? '', saved)) }
}

/** A path as paths are compared: without a slash at its end, and with nothing encoded that need not be. */
export function pathOf(path: string): string {
  const bare = path.replace(/\/$/, '') || '/'
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}

/** Parameters as they are compared. */
export function sorted(pairs: readonly Pair[]): Pair[] {
  return [...pairs].sort(([a, x], [b, y]) => (a === b ? order(x, y) : order(a, b)))
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A saved address without its origin, and without the path at which the API begins. */
function belowBase(address: string, prefix: string): string {
  const path = address.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
}
