import { type PolicyId, policies } from '../../policies/policies.ts'
import { profiles, resolvePolicies } from '../../policies/settings.ts'
import type { JournalPolicy } from '../../sandbox/journal/entry.ts'
import type { Scenario } from '../format/scenario.ts'
import type { DecidingPolicy } from './result.ts'
import { runSteps } from './run-steps.ts'
import type { Target } from './target.ts'

/** So many requests at most are sent to find out. */
const maxRequests = 20_000

type Settings = Readonly<Record<string, string | number>>

/** A step that was answered differently. */
export interface PolicyTrial {
  readonly scenario: Scenario
  readonly index: number
  /** The policies that the answer came from */
  readonly consulted: readonly JournalPolicy[]
  /** What every policy was set to */
  readonly settings: Settings
  /** Makes a fresh world as the scenario begins with */
  readonly open: () => Promise<Target>
}

/**
 * The policies that decide a difference: with another setting, all else being the same, the step is as expected.
 * It is found by trying: the steps up to it are carried out again in a fresh world for each setting. Where no
 * policy does it alone, the fewest that do it together on the way to another profile.
 */
export async function findDecidingPolicies(trial: PolicyTrial): Promise<DecidingPolicy[]> {
  const { index, consulted, settings } = trial
  const others = consulted.flatMap(({ id }) =>
    Object.keys(policies[id as PolicyId]?.values ?? {})
      .filter((value) => value !== 'integer' && value !== settings[id])
      .map((value): [string, string] => [id, value]),
  )
  const trials = others.length + 2 * Object.keys(settings).length
  if (consulted.length === 0 || trials * (index + 1) > maxRequests) return []
  const alone: DecidingPolicy[] = []
  for (const [id, value] of others) {
    if (await passesWith(trial, { [id]: value }))
      alone.push(toDecidingPolicy(trial, id, value, true))
  }
  return alone.length > 0 ? alone : findDecidingCombination(trial)
}

/** The fewest settings of another profile with which the step is as expected: without any of them it is not. */
async function findDecidingCombination(trial: PolicyTrial): Promise<DecidingPolicy[]> {
  for (const profile of profiles) {
    let needed: Settings = Object.fromEntries(
      Object.entries(resolvePolicies(profile)).filter(
        ([id, value]) => value !== trial.settings[id],
      ),
    )
    if (!(await passesWith(trial, needed))) continue
    for (const id of Object.keys(needed)) {
      const { [id]: _, ...fewer } = needed
      if (await passesWith(trial, fewer)) needed = fewer
    }
    return Object.entries(needed).map(([id, value]) => toDecidingPolicy(trial, id, value, false))
  }
  return []
}

/** Whether the step is as expected where some policies are set right before it. */
async function passesWith(
  { scenario, index, open }: PolicyTrial,
  settings: Settings,
): Promise<boolean> {
  const target = await open()
  try {
    const range = { first: index, last: index }
    const { steps } = await runSteps(scenario, target, range, {
      before: (at) => at === index && target.change({ policies: settings }),
    })
    return steps.at(-1)?.outcome === 'held'
  } finally {
    await target.close()
  }
}

function toDecidingPolicy(
  { settings }: PolicyTrial,
  id: string,
  would_be: string | number,
  alone: boolean,
): DecidingPolicy {
  const setting = settings[id] as string | number
  const { values } = policies[id as PolicyId]
  const { evidence, source } = values[setting] ??
    values.integer ?? { evidence: 'assumed', source: '' }
  return { id, setting, would_be, alone, evidence, source }
}
