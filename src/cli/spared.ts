import type { Simulator } from '../simulator.ts'

/**
 * What is said where faults by chance struck none of the requests that they are about: with the same seed they never
 * will, however often the same is asked.
 */
export function unusedFaultMessages({ faults }: Pick<Simulator, 'faults'>): string[] {
  const byChance = faults.list().filter(({ when }) => (when?.probability ?? 1) < 1)
  const requests = Math.max(0, ...byChance.map(({ matched }) => matched))
  if (requests === 0 || byChance.some(({ applied }) => applied > 0)) return []
  return [
    `No fault by chance struck: none of ${requests} ${requests === 1 ? 'request' : 'requests'} was disturbed. The same requests meet the same faults; another --seed deals them out anew.`,
  ]
}
