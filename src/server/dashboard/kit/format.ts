import type { JournalEntry } from '../../../sandbox/journal/entry.ts'

/** @example addressOf({ path: '/api/projects/', query: { limit: '1' } }) // '/api/projects/?limit=1' */
export function formatPath({ path, query }: Pick<JournalEntry, 'path' | 'query'>): string {
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

/** The time of day of a request, as the world's clock had it. @example '12:00:00.000' */
export function formatTime({ at }: Pick<JournalEntry, 'at'>): string {
  return at.slice(11, 23).replace('Z', '')
}

/** @example '0.4 ms', '1.20 s' */
export function formatDuration({ ms }: Pick<JournalEntry, 'ms'>): string {
  if (ms < 0.05) return '< 0.1 ms'
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(2)} s`
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}

/** What colour a status is shown in: by its hundred, and a connection that broke as a fault. */
export function statusClass(status: number): string {
  if (status === 0) return 'broken'
  return `s${Math.floor(status / 100)}`
}
