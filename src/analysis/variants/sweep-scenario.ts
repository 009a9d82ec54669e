import { requestTarget } from '../../http/url.ts'
import {
  describeValue,
  type Evidence,
  type PolicySettings,
  policyIds,
} from '../../policies/policies.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import { formatDifference } from '../../scenarios/run/differences.ts'
import type { ReplayResult } from '../../scenarios/run/result.ts'
import type { ReplayOptions } from '../../scenarios/run/run-scenario.ts'
import type { Target } from '../../scenarios/run/target.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { nextTurn } from '../../utils/wait.ts'
import { ExchangeLog } from './client-trace.ts'
import { runVariants } from './sweep.ts'
import { hasChangedNothing, whyUntested } from './untested.ts'
import { policyVariants, type Variant } from './variant.ts'

/** What a scenario depends on. */
export interface ScenarioSweep {
  readonly title: string
  /** The policies that its responses depend on. Others cannot change them */
  readonly consulted: readonly string[]
  /** How many other values of these policies were tried, each in a replay of its own */
  readonly tried: number
  /** The policies of which another value makes a step fail */
  readonly depends_on: readonly ScenarioDependence[]
  /** The values that changed no response, so that the scenario says nothing about them */
  readonly not_tested: readonly UntestedValues[]
}

/** Values of a policy that changed no response. */
interface UntestedValues {
  readonly policy: string
  readonly values: readonly string[]
  /** Why they could not matter, such as `the list has 6 rows` */
  readonly because: string
}

/** A policy of which another value makes a step fail. */
interface ScenarioDependence {
  readonly policy: string
  readonly setting: string | number
  /** Of the setting */
  readonly evidence: Evidence
  readonly source: string
  readonly breaks: readonly BreakingValue[]
}

/** A value with which a scenario fails. */
interface BreakingValue extends Pick<Variant, 'evidence' | 'source'> {
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
  let settings = resolvePolicies()
  const unchanged = new ExchangeLog()
  const { title, passed, steps } = await replay({
    ...options,
    decide: false,
    async wrapTarget(target) {
      settings = (await target.settings()) as PolicySettings
      return logTarget(target, unchanged, async () => {
        const entry = await target.latest()
        for (const { id } of entry?.policies ?? []) used.add(id)
        return entry?.operation ?? null
      })
    },
  })
  if (!passed) {
    const failed = steps.find(({ outcome }) => outcome !== 'passed')
    const reason = `step ${failed?.step} does not pass with the policies as they are`
    throw new UsageError(`Failed to sweep the scenario: ${reason}. Replay it first.`, 'scenario')
  }
  const consulted = policyIds.filter((id) => used.has(id))
  const outcomes = await runVariants(policyVariants(consulted, settings), {
    isSteady: true,
    async run(variant) {
      // Other requests are handled between the replays.
      await nextTurn()
      const policies = { ...options.policies, ...variant?.policies }
      const log = new ExchangeLog()
      const wrapTarget = (target: Target): Target => logTarget(target, log)
      const result = await replay({ ...options, decide: false, policies, wrapTarget })
      const failed = result.steps.filter(({ outcome }) => outcome !== 'passed')
      const failure = result.passed ? null : 'a step fails'
      return { failure, steps: failed.map(describeStep), responses: log.responses }
    },
  })
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed')
  const depends_on = consulted.flatMap((policy): ScenarioDependence[] => {
    const breaks = failed
      .filter(({ variant }) => Object.hasOwn(variant.policies ?? {}, policy))
      .map(({ variant: { id, sentence: meaning, evidence, source }, run: { steps } }) => {
        return { value: id.slice(policy.length + 1), meaning, evidence, source, steps }
      })
    const { evidence, source } = describeValue(policy, settings[policy])
    return breaks.length === 0
      ? []
      : [{ policy, setting: settings[policy], evidence, source, breaks }]
  })
  const untested = outcomes.filter((one) => hasChangedNothing(one, unchanged.responses))
  const not_tested = consulted.flatMap((policy): UntestedValues[] => {
    const values = untested
      .filter(({ variant }) => Object.hasOwn(variant.policies ?? {}, policy))
      .map(({ variant: { id } }) => id.slice(policy.length + 1))
    return values.length === 0 ? [] : [{ policy, values, because: whyUntested(policy, unchanged) }]
  })
  return { title, consulted, tried: outcomes.length, depends_on, not_tested }
}

/** Logs the exchanges of a target. @param findOperation finds the operation of the latest request */
function logTarget(
  target: Target,
  log: ExchangeLog,
  findOperation: () => Promise<string | null> = async () => null,
): Target {
  return {
    ...target,
    async send(request) {
      const response = await target.send(request)
      const { method, url, body = '' } = request
      const sent = typeof body === 'string' ? new TextEncoder().encode(body).length : body.length
      const operation = await findOperation()
      log.add({ operation, method, target: requestTarget(url), sent, ...response })
      return response
    },
  }
}

function describeStep({ step, title, differences }: ReplayResult['steps'][number]): string {
  const details = differences.map((difference) => {
    const { expected, got } = formatDifference(difference)
    return `${difference.where}: expected ${expected}, got ${got}`
  })
  return `step ${step}, ${title}: ${details.join('; ')}`
}
