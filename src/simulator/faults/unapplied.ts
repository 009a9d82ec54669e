import { formatCount } from '../../utils/count.ts'
import { describePattern } from '../request-pattern.ts'
import type { FaultInfo } from './fault.ts'

/**
 * Says which faults never applied, a sentence for each rule or preset: it is misspelt, or the client did not send what the
 * fault is about.
 *
 * @param faults as `simulator.faults.totals()` returns them
 */
export function describeUnapplied(faults: readonly FaultInfo[]): string[] {
  const groups = new Map<string, FaultInfo[]>()
  for (const fault of faults.toReversed()) {
    const name = fault.preset ?? `${fault.id} (${describePattern(fault)})`
    groups.set(name, [...(groups.get(name) ?? []), fault])
  }
  return [...groups].flatMap(([name, rules]) =>
    rules.every(({ applied }) => applied === 0)
      ? [`The fault ${name} never applied: ${whyUnapplied(rules)}.`]
      : [],
  )
}

function whyUnapplied(rules: readonly FaultInfo[]): string {
  const matched = Math.max(...rules.map((rule) => rule.matched))
  if (matched === 0) return 'no request matched it'
  const requests = formatCount(matched, 'request')
  if (rules.some(({ when }) => (when?.probability ?? 1) < 1)) {
    return `chance selected none of ${requests}, and another seed selects others`
  }
  return rules.some(({ when }) => when)
    ? `its \`when\` selected none of ${requests}`
    : `a fault that was added later applied to each of ${requests}`
}
