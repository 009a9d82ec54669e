import type { PolicyId } from '../../policies/policies.ts'
import type { Evidence } from '../../policies/policy.ts'
import { policyIds } from '../../policies/setting-ranges.ts'
import type { PolicyOverrides } from '../../policies/settings.ts'
import { formatDifference, type ReplayResult } from '../../scenarios/run/result.ts'
import type { ReplayOptions } from '../../scenarios/run/run-scenario.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { nextTurn } from '../../utils/wait.ts'
import { describeValue, policyVariants } from './policy-variants.ts'
import type { Variant } from './variant.ts'

/** What a scenario depends on. */
export interface ScenarioSweep {
  readonly title: string
  /** The policies that its responses depend on. Others cannot change them */
  readonly consulted: readonly string[]
  /** How many other values of these policies were tried, each in a replay of its own */
  readonly tried: number
  /** The policies of which another value makes a step fail */
  readonly depends_on: readonly ScenarioDependence[]
}

/** A policy of which another value makes a step fail. */
export interface ScenarioDependence {
  readonly policy: string
  readonly setting: string | number
  /** Of the setting */
  readonly evidence: Evidence
  readonly source: string
  readonly breaks: readonly BreakingValue[]
}

/** A value with which a scenario fails. */
export interface BreakingValue extends Pick<Variant, 'evidence' | 'source'> {
  readonly value: string
  readonly meaning: string
  /** The steps that differ, such as `step 2, deletes it: status: expected 405, got 404` */
  readonly steps: readonly string[]
}

/**
 * Replays a scenario under each other plausible value of each policy that its responses depend on.
 *
 * @param replay replays the scenario in a world of its own
 * @throws UsageError if the scenario fails with the policies as they are, and as `replay` does
 */
export async function sweepScenario(
  replay: (options: ReplayOptions) => Promise<ReplayResult>,
  options: Pick<ReplayOptions, 'world' | 'profile' | 'policies'> = {},
): Promise<ScenarioSweep> {
  const used = new Set<string>()
  let settings = {}
  const { title, passed, steps } = await replay({
    ...options,
    decide: false,
    async wrapTarget(target) {
      settings = await target.settings()
      return {
        ...target,
        async send(request) {
          const response = await target.send(request)
          for (const { id } of (await target.latest())?.policies ?? []) used.add(id)
          return response
        },
      }
    },
  })
  if (!passed) {
    const failed = steps.find(({ outcome }) => outcome !== 'passed')
    const reason = `step ${failed?.step} does not pass with the policies as they are`
    throw new UsageError(
      `Failed to sweep the scenario: ${reason}. Replay it first.`,
      [],
      'scenario',
    )
  }
  const consulted = policyIds.filter((id) => used.has(id))
  const variants = policyVariants(consulted, settings as never)
  const dependences = new Map<PolicyId, BreakingValue[]>()
  for (const variant of variants) {
    // Other requests are handled between the replays.
    await nextTurn()
    const policies = { ...options.policies, ...variant.policies }
    const result = await replay({ ...options, decide: false, policies })
    if (result.passed) continue
    const [id] = Object.keys(variant.policies as PolicyOverrides) as [PolicyId]
    dependences.set(id, [...(dependences.get(id) ?? []), toBreakingValue(variant, id, result)])
  }
  return {
    title,
    consulted,
    tried: variants.length,
    depends_on: [...dependences].map(([policy, breaks]) => {
      const setting = (settings as Readonly<Record<string, string | number>>)[policy] as string
      const { evidence, source } = describeValue(policy, setting)
      return { policy, setting, evidence, source, breaks }
    }),
  }
}

function toBreakingValue(
  { id, sentence, evidence, source }: Variant,
  policy: string,
  { steps }: ReplayResult,
): BreakingValue {
  const value = id.slice(policy.length + 1)
  const failed = steps.filter(({ outcome }) => outcome !== 'passed')
  return { value, meaning: sentence, evidence, source, steps: failed.map(describeStep) }
}

function describeStep({ step, title, differences }: ReplayResult['steps'][number]): string {
  const details = differences.map((difference) => {
    const { expected, got } = formatDifference(difference)
    return `${difference.where}: expected ${expected}, got ${got}`
  })
  return `step ${step}, ${title}: ${details.join('; ')}`
}
