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
      ? [`The fault ${name} never applied: ${whyUnapplied(rules, laterThan(rules, faults))}.`]
      : [],
  )
}

/** Describes the requests of a fault without its key, which can be secret. */
function describePattern({ operation, method, path }: FaultInfo): string {
  const endpoint = [[method ?? []].flat().join(', '), path ?? ''].filter(Boolean).join(' ')
  return operation === undefined ? endpoint || 'any request' : [operation].flat().join(', ')
}

/** @param faults the latest one first */
function laterThan(rules: readonly FaultInfo[], faults: readonly FaultInfo[]): FaultInfo[] {
  return faults
    .slice(0, faults.indexOf(rules.at(-1) as FaultInfo))
    .filter(({ applied }) => applied > 0)
}

function whyUnapplied(rules: readonly FaultInfo[], later: readonly FaultInfo[]): string {
  const matched = Math.max(...rules.map((rule) => rule.matched))
  if (matched === 0) return 'no request matched it'
  const requests = formatCount(matched, 'request')
  if (rules.some(({ when }) => (when?.probability ?? 1) < 1)) {
    return `chance selected none of ${requests}, and another seed selects others`
  }
  if (!rules.some(({ when }) => when)) {
    return `a fault that was added later applied to each of ${requests}`
  }
  const instead = later.length > 0 ? ', or a fault that was added later applied to those' : ''
  return `its \`when\` selected none of ${requests}${instead}`
}
