import { formatCount } from '../../utils/count.ts'
import { describeEffect, type FaultRule } from './rule.ts'

/**
 * Describes to which requests a fault applies, and what it does to them.
 *
 * @example describeFault({ when: { times: 1 }, effect: { drop: true } }) // 'The first request: the connection drops before the request is carried out'
 */
export function describeFault(rule: FaultRule): string {
  return `${describeRequests(rule)}: ${describeEffect(rule.effect, rule.phase)}`
}

function describeRequests({ operation, method, path, key, when = {} }: FaultRule): string {
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
