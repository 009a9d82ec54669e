import { formatCount } from '../../utils/text.ts'
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

/** Describes the requests of a fault without its key, which can be secret. */
function describePattern({ operation, method, path }: FaultInfo): string {
  const endpoint = [[method ?? []].flat().join(', '), path ?? ''].filter(Boolean).join(' ')
  return operation === undefined ? endpoint || 'any request' : [operation].flat().join(', ')
}

function whyUnapplied(rules: readonly FaultInfo[]): string {
  const matched = Math.max(...rules.map((rule) => rule.matched))
  if (matched === 0) return 'no request matched it'
  const requests = formatCount(matched, 'request')
  const hasChance = rules.some(({ when }) => (when?.probability ?? 1) < 1)
  return hasChance
    ? `chance selected none of ${requests}, and another seed selects others`
    : `its \`when\`, or a fault that was added later, left none of ${requests} to it`
}
