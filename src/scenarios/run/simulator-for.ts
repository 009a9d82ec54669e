import type { Exchange } from '../../http/exchange.ts'
import { createSimulator, type Simulator } from '../../simulator/simulator.ts'
import { unknownWord } from '../../utils/errors.ts'
import { fixtureNames } from '../../world/load/load-world.ts'
import { runError } from '../format/check-scenario.ts'
import type { Scenario } from '../format/scenario.ts'
import type { KeyValues } from './sender.ts'

/**
 * Creates a simulator that can run a scenario, and knows the fixture that it starts with.
 *
 * @param world the world of a scenario that names none
 * @throws UsageError if no fixture has the name of the world
 */
export async function simulatorFor(
  scenario: Pick<Scenario, 'world'>,
  world?: Scenario['world'],
): Promise<Simulator> {
  const start = scenario.world ?? world
  if (typeof start === 'string' && !fixtureNames.includes(start)) {
    const { reason } = unknownWord('run the scenario', fixtureNames, start)
    throw runError([{ path: ['world'], text: reason }])
  }
  const simulator = createSimulator()
  await simulator.sandboxes.offerFixture(start)
  return simulator
}

/**
 * The keys of the fixture `default`, which traffic of this simulator has, and those of a flag, by label. A value without
 * a label gets the label `key`.
 */
export function knownKeys({ key, keys }: KeyValues = {}): Record<string, string> {
  const ofFixture = createSimulator()
    .keys.list()
    .map(({ label, value }) => [label, value])
  return { ...Object.fromEntries(ofFixture), ...keys, ...(key !== undefined && { key }) }
}

/** Which keys of the flag `--key` no request has, in sentences. */
export function describeUnusedKeys(
  exchanges: readonly Exchange[],
  { key, keys }: KeyValues = {},
): string[] {
  return Object.entries({ ...keys, ...(key !== undefined && { '': key }) })
    .filter(([, value]) => !exchanges.some((sent) => JSON.stringify(sent).includes(value)))
    .map(([label]) => `No request has the key ${label && `${label} `}of --key.`)
}
