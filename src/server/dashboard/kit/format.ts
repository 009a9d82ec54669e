import type {
  EffectName,
  FaultDelay,
  FaultEffect,
  FaultPhase,
  FaultWhen,
} from '../../../sandbox/faults/rule.ts'
import type { JournalDecision, JournalEntry } from '../../../sandbox/journal/entry.ts'

/** @example formatPath({ path: '/api/projects/', query: { limit: '1' } }) // '/api/projects/?limit=1' */
export function formatPath({ path, query }: Pick<JournalEntry, 'path' | 'query'>): string {
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
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

/** @example describeDecision({ would_be: 'on' }) // 'decided the status; with on, it would be another' */
export function describeDecision({ would_be }: Pick<JournalDecision, 'would_be'>): string {
  return `decided the status; with ${would_be}, it would be another`
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

export const phaseLabels: Readonly<Record<FaultPhase, string>> = {
  before: 'before handling',
  'after-commit': 'after handling',
  'mid-body': 'during the response body',
}

type Descriptions = { [Name in EffectName]: (value: NonNullable<FaultEffect[Name]>) => string }

const effectDescriptions: Descriptions = {
  error: (name) => `error ${name}`,
  status: (status) => `status ${status}`,
  drop: () => 'connection dropped',
  stale: ({ writes }) => `rows as of ${formatCount(writes, 'write')} ago`,
  cut_bytes: (bytes) => `connection dropped after ${formatCount(bytes, 'byte')}`,
  slow_bytes_per_s: (bytes) => `body sent at ${formatCount(bytes, 'byte')}/s`,
  delay_ms: (delay) => `delayed by ${describeDelay(delay)}`,
}

/** @example describeEffect({ drop: true, delay_ms: 200 }) // 'connection dropped, delayed by 200 ms' */
export function describeEffect(effect: FaultEffect): string {
  const names = Object.keys(effectDescriptions) as EffectName[]
  return names
    .filter((name) => effect[name] !== undefined)
    .map((name) => effectDescriptions[name](effect[name] as never))
    .join(', ')
}

function describeDelay(delay: FaultDelay): string {
  if (typeof delay === 'number') return `${delay.toLocaleString('en')} ms`
  if ('min' in delay) return `${delay.min} to ${delay.max} ms`
  return `${delay.median} ms (median, 95th percentile ${delay.p95} ms)`
}

/** @example describeWhen({ probability: 0.05, times: 3 }) // '5% of requests, at most 3 times' */
export function describeWhen({ skip, every, probability, times }: FaultWhen): string {
  const parts = [
    skip !== undefined && `after the first ${skip === 1 ? 'request' : `${skip} requests`}`,
    every !== undefined && `1 in ${every} requests`,
    probability !== undefined && `${Number((probability * 100).toFixed(1))}% of requests`,
    times !== undefined && `at most ${formatCount(times, 'time')}`,
  ]
  return parts.filter(Boolean).join(', ')
}
