import type { JournalEntry } from '../../../sandbox/journal/entry.ts'

/** @example formatPath({ path: '/api/projects/', query: { limit: '1' } }) // '/api/projects/?limit=1' */
export function formatPath({ path, query }: Pick<JournalEntry, 'path' | 'query'>): string {
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

/** Formats the time of day of a request, in the world's clock. @example '12:00:00.000' */
export function formatTime({ at }: Pick<JournalEntry, 'at'>): string {
  return at.slice(11, 23).replace('Z', '')
}

/** @example '0.4 ms', '1.20 s' */
export function formatDuration({ ms }: Pick<JournalEntry, 'ms'>): string {
  if (ms < 0.05) return '< 0.1 ms'
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(2)} s`
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}

const dateTimeLengths = { minute: 16, second: 19, millisecond: 23 } as const

/** @example formatDateTime('2024-06-03T09:00:00.123456Z', 'second') // '2024-06-03 09:00:00' */
export function formatDateTime(iso: string, precision: keyof typeof dateTimeLengths): string {
  return iso.slice(0, dateTimeLengths[precision]).replace('T', ' ').replace('Z', '')
}

/** @example formatCount(1, 'key') // '1 key' */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`
}

/** Whether a text contains each word of a search, in any order and case. */
export function matchesWords(text: string, search: string): boolean {
  const lowerCase = text.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowerCase.includes(word))
}

/** The CSS class of a status code: `s2` for 2xx, `dropped` for a dropped connection. */
export function statusClass(status: number): string {
  if (status === 0) return 'dropped'
  return `s${Math.floor(status / 100)}`
}
