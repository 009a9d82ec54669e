import type { Scenario } from '../scenarios/scenario.ts'
import { unexpectedValue } from '../usage-error.ts'
import type { SimulatorFlags } from './begin.ts'

/**
 * Checks that no flag says how a world begins where a recording has decided that: it would have no effect.
 *
 * @throws UsageError that names the flag
 */
export function checkDataFlag(flags: SimulatorFlags, { world }: Pick<Scenario, 'world'>): void {
  if (world === undefined || flags.data === 'default') return
  const own = typeof world === 'string' ? `the world ${world}` : 'a world of its own'
  throw unexpectedValue(
    'read --data',
    `none beside a recording that begins with ${own}`,
    flags.data,
  )
}
