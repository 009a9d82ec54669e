import { mapValues } from '../utils/json.ts'
import type { Probe } from './probes.ts'

/** What the names in probes stand for, on a server or in a simulator. */
export interface ServerIds {
  readonly project: string
  /** Null if the server shows none */
  readonly org: string | null
  /** Another organization of the same user */
  readonly other: string | null
  /** An id that no row has */
  readonly missing: string
  /** A text that the rows of this comparison contain, and no others */
  readonly marker: string
  /** The values of keys by their labels, the one that may do most first */
  readonly keys: Readonly<Record<string, string>>
}

export interface FilledRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** What the row has afterwards: the values that were sent, and those that stay */
  readonly values: Readonly<Record<string, unknown>>
}

const wrongKey = 'phx_understudy_wrong'

/** The name of an id in a path: `:project` of the server, `{plugin}` of a saved row. */
const idName = /:(project|org|other|missing)|\{(\w+)\}/g

/** Puts ids of saved rows, keys and texts of a server into a probe. @returns null if the server lacks one of them */
export function fillProbe(
  { key, method, path, body, stays, raw, type = 'application/json' }: Probe,
  ids: ServerIds,
  rows: ReadonlyMap<string, string>,
): FilledRequest | null {
  const bearer = key === null ? null : key === 'wrong' ? wrongKey : ids.keys[key]
  let isComplete = bearer !== undefined
  const filled = path.replace(idName, (_, name: 'project' | undefined, saved: string) => {
    const id = name ? ids[name] : rows.get(saved)
    if (id === null || id === undefined) isComplete = false
    // Names of saved values, in braces, stay as they are.
    return encodeURIComponent(id ?? '').replace(/%(?:40|7B|7D)/g, decodeURIComponent)
  })
  if (!isComplete) return null
  const [most = ''] = Object.values(ids.keys)
  const fill = (values: Probe['body']) =>
    fillTexts({ ...values }, ids.marker, most) as Record<string, unknown>
  const text = raw ?? (body && JSON.stringify(fill(body)))
  return {
    method,
    path: filled.replaceAll('#', ids.marker),
    headers: {
      accept: 'application/json',
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(text !== undefined && { 'content-type': type }),
    },
    body: text,
    values: fill({ ...body, ...stays }),
  }
}

function fillTexts(value: unknown, marker: string, key: string): unknown {
  if (value === ':key') return key
  if (typeof value === 'string') return value.replaceAll('#', marker)
  if (typeof value !== 'object' || value === null) return value
  return mapValues(value, (inner) => fillTexts(inner, marker, key))
}
