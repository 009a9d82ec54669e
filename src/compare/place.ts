import type { Probe } from './probes.ts'

/** What the names in probes stand for, on a server or in a simulator. */
export interface Place {
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

/** A request as it is sent. */
export interface FilledRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The JSON object that was sent. Null for another body */
  readonly sent: Readonly<Record<string, unknown>> | null
}

const wrongKey = 'phx_understudy_wrong'

/**
 * Puts the ids, the keys and the texts of a place into a probe.
 *
 * @param rows the ids of saved rows
 * @returns null if the place lacks one of them
 */
export function fillProbe(
  { key, method, path, body, raw, type = 'application/json' }: Probe,
  place: Place,
  rows: ReadonlyMap<string, string>,
): FilledRequest | null {
  const value = key === null ? null : key === 'wrong' ? wrongKey : place.keys[key]
  const ids: Readonly<Record<string, string | null>> = {
    project: place.project,
    org: place.org,
    other: place.other,
    missing: place.missing,
  }
  const names = [...path.matchAll(/:(project|org|other|missing)|\{(\w)\}/g)]
  const found = names.map(([, id, saved]) => (id ? ids[id] : rows.get(saved as string)))
  if (value === undefined || found.some((each) => each === null || each === undefined)) return null
  const filled = path.replace(/:(project|org|other|missing)|\{(\w)\}/g, () => {
    const id = found.shift() as string
    // Names of saved values, in braces, stay as they are.
    return encodeURIComponent(id).replace(/%(?:40|7B|7D)/g, decodeURIComponent)
  })
  const mark = (text: string): string => text.replaceAll('#', place.marker)
  const [most = ''] = Object.values(place.keys)
  const json = body && mark(JSON.stringify(body)).replace('":key"', JSON.stringify(most))
  const text = raw ?? json
  return {
    method,
    path: mark(filled),
    headers: {
      accept: 'application/json',
      ...(value !== null && { authorization: `Bearer ${value}` }),
      ...(text !== undefined && { 'content-type': type }),
    },
    body: text,
    sent: json === undefined ? null : JSON.parse(json),
  }
}
