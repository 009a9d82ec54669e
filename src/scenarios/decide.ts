import type { ShownPolicy } from '../journal/entry.ts'
import { type PolicyId, policies } from '../policies/policies.ts'
import { play } from './play.ts'
import type { DecidingPolicy } from './result.ts'
import type { Scenario } from './scenario.ts'
import type { Target } from './target.ts'

/** So many requests at most are sent to find out. */
const most = 20_000

/**
 * The policies that decide a difference: with another setting, all else being the same, the step is as expected.
 * It is found by trying: the steps up to it are carried out again in a fresh world for each setting.
 *
 * @param index of the step
 * @param open makes a fresh world as the scenario begins with
 */
export async function deciding(
  scenario: Scenario,
  index: number,
  consulted: readonly ShownPolicy[],
  open: () => Promise<Target>,
): Promise<DecidingPolicy[]> {
  const trials = consulted.flatMap(({ id, setting, evidence, source }) =>
    Object.keys(policies[id as PolicyId]?.values ?? {})
      .filter((value) => value !== 'integer' && value !== setting)
      .map((would_be) => ({ id, setting, would_be, evidence, source })),
  )
  if (trials.length * (index + 1) > most) return []
  const found: DecidingPolicy[] = []
  for (const trial of trials) {
    if (await holds(scenario, index, { [trial.id]: trial.would_be }, open)) found.push(trial)
  }
  return found
}

/** Whether a step is as expected where some policies are set right before it. */
async function holds(
  scenario: Scenario,
  index: number,
  settings: Readonly<Record<string, string>>,
  open: () => Promise<Target>,
): Promise<boolean> {
  const target = await open()
  try {
    const range = { first: index, last: index }
    const { steps } = await play(scenario, target, range, {
      before: (at) => at === index && target.change({ policies: settings }),
    })
    return steps.at(-1)?.outcome === 'held'
  } finally {
    await target.close()
  }
}
