import type { FaultInfo } from '../simulator/faults/fault.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'

/** @example formatTarget({ path: '/api/projects/', query: { limit: '1' } }) // '/api/projects/?limit=1' */
export function formatTarget({ path, query }: Pick<JournalEntry, 'path' | 'query'>): string {
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

/** @example formatDuration(0.42) // '0.4 ms' */
export function formatDuration(ms: number): string {
  if (ms < 0.05) return '< 0.1 ms'
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(2)} s`
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}

const timeLengths = { minute: 16, second: 19, millisecond: 23 } as const

/** @example formatTime('2024-06-03T09:00:00.123456Z', 'second') // '2024-06-03 09:00:00' */
export function formatTime(iso: string, precision: keyof typeof timeLengths): string {
  return iso.slice(0, timeLengths[precision]).replace('T', ' ').replace('Z', '')
}

/** @example capitalize('plugin_configs') // 'Plugin configs' */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ')
}

export function endSentence(text: string): string {
  return text.replace(/(?<![.?!…])$/, '.')
}

/** Whether a text contains each word of a search, in any order and case. */
export function matchesWords(text: string, search: string): boolean {
  const lowerCase = text.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowerCase.includes(word))
}

/** Whether a fault has applied as often as it may, so that it changes no further response. */
export function isUsedUp({ when, applied }: Pick<FaultInfo, 'when' | 'applied'>): boolean {
  return when?.times !== undefined && applied >= when.times
}
