import type {
  FaultDelay,
  FaultEffect,
  FaultPhase,
  FaultWhen,
} from '../../../sandbox/faults/rule.ts'
import { formatCount } from './format.ts'

export const phaseLabels: Readonly<Record<FaultPhase, string>> = {
  before: 'before handling',
  'after-commit': 'after handling',
  'mid-body': 'during the response body',
}

/** @example describeEffect({ drop: true, delay_ms: 200 }) // 'connection dropped, delayed by 200 ms' */
export function describeEffect(effect: FaultEffect): string {
  const { error, status, drop, cut_bytes, slow_bytes_per_s, delay_ms, stale } = effect
  const parts = [
    error !== undefined && `error ${error}`,
    status !== undefined && `status ${status}`,
    drop && 'connection dropped',
    cut_bytes !== undefined && `connection dropped after ${formatCount(cut_bytes, 'byte')}`,
    slow_bytes_per_s !== undefined && `body sent at ${formatCount(slow_bytes_per_s, 'byte')}/s`,
    stale && `rows as of ${formatCount(stale.writes, 'write')} ago`,
    delay_ms !== undefined && `delayed by ${describeDelay(delay_ms)}`,
  ]
  return parts.filter(Boolean).join(', ')
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
