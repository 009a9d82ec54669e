import { type PolicyId, policies } from '../../policies/policies.ts'
import { profiles, resolvePolicies } from '../../policies/settings.ts'
import type { JournalPolicy } from '../../sandbox/journal/entry.ts'
import type { Scenario } from '../format/scenario.ts'
import type { DecidingPolicy } from './result.ts'
import { runSteps } from './run-steps.ts'
import type { Target } from './target.ts'

/** The search is skipped if it needs more requests. */
const maxRequests = 20_000

type Settings = Readonly<Record<string, string | number>>

/** A step whose response differs, and how to repeat it. */
export interface PolicyTrial {
  readonly scenario: Scenario
  readonly index: number
  /** The policies that the response used */
  readonly consulted: readonly JournalPolicy[]
  /** The settings of all policies */
  readonly settings: Settings
  /** Opens a fresh target in the initial state of the scenario */
  readonly open: () => Promise<Target>
}

/**
 * Finds the policies that decide a difference: with another setting of one, the step passes. The search repeats the
 * steps in a fresh target for each setting. If no single policy decides, it returns the smallest set of settings of
 * another profile with which the step passes.
 */
export async function findDecidingPolicies(trial: PolicyTrial): Promise<DecidingPolicy[]> {
  const { index, consulted, settings } = trial
  const candidates = consulted.flatMap(({ id }) =>
    Object.keys(policies[id as PolicyId]?.values ?? {})
      .filter((value) => value !== 'integer' && value !== settings[id])
      .map((value): [string, string] => [id, value]),
  )
  const trials = candidates.length + 2 * Object.keys(settings).length
  if (consulted.length === 0 || trials * (index + 1) > maxRequests) return []
  const alone: DecidingPolicy[] = []
  for (const [id, value] of candidates) {
    if (await passesWith(trial, { [id]: value }))
      alone.push(toDecidingPolicy(trial, id, value, true))
  }
  return alone.length > 0 ? alone : findDecidingCombination(trial)
}

/** The smallest set of settings of another profile with which the step passes: all of them are needed. */
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

/** Whether the step passes if some policies are set right before it. */
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
    return steps.at(-1)?.outcome === 'passed'
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
