import type { RemoteError } from '../../../remote/client.ts'
import { describeEffect, type FaultInfo, type FaultRule } from '../../../sandbox/faults/rule.ts'
import type { JournalEntry } from '../../../sandbox/journal/entry.ts'
import { formatIssue } from '../../../utils/issues.ts'

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

const dateTimeLengths = { day: 10, minute: 16, second: 19, millisecond: 23 } as const

/** @example formatDateTime('2024-06-03T09:00:00.123456Z', 'second') // '2024-06-03 09:00:00' */
export function formatDateTime(iso: string, precision: keyof typeof dateTimeLengths): string {
  return iso.slice(0, dateTimeLengths[precision]).replace('T', ' ').replace('Z', '')
}

/** @example formatNumber(1_200) // '1,200' */
export function formatNumber(number: number): string {
  return number.toLocaleString('en')
}

/** @example formatCount(1, 'key') // '1 key' */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatNumber(count)} ${count === 1 ? singular : plural}`
}

/** @example capitalize('clock set') // 'Clock set' */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Whether a text contains each word of a search, in any order and case. */
export function matchesWords(text: string, search: string): boolean {
  const lowerCase = text.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowerCase.includes(word))
}

/** @example describeFault({ when: { probability: 0.05 / 0.9 }, effect: { drop: true } }) // '1 in 18 requests: the connection drops before the request is carried out' */
export function describeFault(rule: FaultRule): string {
  return `${describeRequests(rule)}: ${describeEffect(rule.effect, rule.phase)}`
}

/** @example describeRequests({ operation: 'listPlugins', when: { times: 1 } }) // 'The first listPlugins request' */
function describeRequests({
  operation,
  method,
  path,
  key,
  when = {},
}: Omit<FaultRule, 'effect' | 'phase'>): string {
  const { skip = 0, every, probability = 1, times } = when
  const kind = operation ?? (method === undefined ? '' : [method].flat().join(', '))
  const target = [path && ` to ${path}`, key && ` with the key ${key}`].filter(Boolean).join('')
  const named = (noun: string) => `${kind} ${noun}`.trim() + target
  const after = skip > 0 ? ` after the first ${skip === 1 ? 'one' : skip}` : ''
  const share = describeShare(every, probability)
  if (share === '' && times !== undefined && skip === 0) {
    return times === 1 ? `The first ${named('request')}` : `The first ${times} ${named('requests')}`
  }
  const most = times === undefined ? '' : `, at most ${formatCount(times, 'time')}`
  const requests = share === '' ? `Every ${named('request')}` : `${share} ${named('requests')}`
  return requests + after + most
}

/** @returns an empty text for all requests */
function describeShare(every = 1, probability: number): string {
  const percent = `${Number((probability * 100).toFixed(1))}% of`
  if (probability === 1) return every === 1 ? '' : `1 in ${every}`
  if (every > 1) return `${percent} 1 in ${every}`
  return probability > 0 && probability <= 0.5 ? `1 in ${Math.round(1 / probability)}` : percent
}

/** Whether a fault has applied as often as it may, so that it changes no further response. */
export function isUsedUp({ when, applied }: Pick<FaultInfo, 'when' | 'applied'>): boolean {
  return when?.times !== undefined && applied >= when.times
}

/** @example countFaults([{ when: { times: 1 }, applied: 1 }, { applied: 3 }]) // '1 fault, 1 used up' */
export function countFaults(faults: readonly Pick<FaultInfo, 'when' | 'applied'>[]): string {
  const used = faults.filter(isUsedUp).length
  if (used === faults.length) return `${formatCount(used, 'fault')} used up`
  return formatCount(faults.length - used, 'fault') + (used > 0 ? `, ${used} used up` : '')
}

type FormError = Pick<RemoteError, 'message'> & Partial<Pick<RemoteError, 'field' | 'details'>>

/** Where a form shows an error: at its fields, and the rest below them. */
export interface FormErrors {
  /** Empty if the fields show everything. */
  readonly general: string
  /** By the name of the field */
  readonly fields: Readonly<Record<string, string>>
}

export const noErrors: FormErrors = { general: '', fields: {} }

/**
 * Splits an error of the control API by the fields of a form. The server lists the issues of a value, each with its
 * path, or names the field that its message is about.
 *
 * @example splitErrors(Object.assign(new Error('Failed.'), { details: [{ path: ['user'], text: 'expected an id' }] }), ['user']).fields // { user: 'Expected an id' }
 */
export function splitErrors(
  { message, field = null, details = [] }: FormError,
  names: readonly string[],
): FormErrors {
  const fields: Record<string, string> = {}
  const others = details.filter((issue) => {
    const [name = ''] = issue.path
    if (!names.includes(String(name))) return true
    fields[String(name)] ??= capitalize(formatIssue({ ...issue, path: [], root: '' }))
    return false
  })
  if (others.length < details.length) return { general: others.map(formatIssue).join('\n'), fields }
  const name = details.length === 0 ? field?.split(/[.[]/)[0] : undefined
  if (name === undefined || !names.includes(name)) return { general: message, fields }
  return { general: '', fields: { [name]: message } }
}
