import { MistakeFinder } from '../../src/mistakes/mistake-finder.ts'
import type { ClientMistake } from '../../src/mistakes/rule.ts'
import { annotationsPath, noon } from '../support/api/paths.ts'
import { type Entry, readEntry } from './read-entry.ts'

/** What a test says of a request. The rest is the same for all of them. */
export interface Sent extends Partial<Omit<Entry, 'response' | 'at'>> {
  /** Seconds since noon */
  readonly after?: number
  readonly sent?: unknown
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly bytes?: number
  readonly omitted?: boolean
}

/** The key of another client than that of the entries. */
export const otherClient = { key: { label: 'b', value: 'phx_…b' } }

/** An entry of the journal: by default a successful request for the list of annotations. */
export function toEntry(what: Sent = {}, id = 1): Entry {
  const { after = 0, sent = null, status = 200, headers = {}, body = null, ...entry } = what
  const { bytes = 100, omitted = false, ...others } = entry
  return {
    id,
    at: new Date(Date.parse(noon) + after * 1_000).toISOString(),
    ms: 1,
    operation: 'listAnnotations',
    method: 'GET',
    path: annotationsPath,
    query: {},
    key: { label: 'all', value: 'phx_…_all' },
    request: { headers: {}, body: sent, bytes: JSON.stringify(sent).length, omitted },
    response: { headers, body, bytes, omitted: false, status },
    reason: null,
    ignored: [],
    settings: [],
    fault: null,
    changes: [],
    ...others,
  }
}

export function findMistakes(entries: readonly Entry[]): ClientMistake[] {
  const finder = new MistakeFinder()
  for (const entry of entries) finder.add(readEntry(entry))
  return finder.found
}

/** Finds the mistakes of a rule in requests, which are numbered from 1. */
export function mistakesIn(rule: string, requests: readonly Sent[]) {
  return findMistakes(requests.map((sent, index) => toEntry(sent, index + 1)))
    .filter((mistake) => mistake.rule === rule)
    .map(({ message, entries }) => ({ message, entries }))
}

/** The response with a page of rows with these ids. Links are queries of the list. */
export function page(
  ids: readonly number[],
  links: { readonly next?: string; readonly previous?: string; readonly count?: number } = {},
): Pick<Sent, 'body'> {
  const [next, previous] = [links.next, links.previous].map((query) =>
    query === undefined ? null : `http://localhost${annotationsPath}${query}`,
  )
  const results = ids.map((id) => ({ id }))
  return { body: { count: links.count ?? ids.length, next, previous, results } }
}

export const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
