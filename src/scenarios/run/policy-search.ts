import { type PolicyId, policies } from '../../policies/policies.ts'
import { type PolicyOverrides, profiles, resolvePolicies } from '../../policies/settings.ts'
import { isSameJson } from '../../world/edit/row-json.ts'
import type { Scenario } from '../format/scenario.ts'
import { type DecidingPolicy, failsAnyway, type ReplayResult, type StepResult } from './result.ts'
import { type Explanation, runSteps } from './run-steps.ts'
import type { Target } from './target.ts'

/** How many requests the searches of a replay may send. */
const maxRequests = 20_000

type Settings = Readonly<Record<string, string | number>>

export interface PolicyTrial {
  readonly scenario: Scenario
  readonly index: number
  /** The ids of the policies that the response used */
  readonly consulted: readonly string[]
  readonly settings: Settings
  readonly open: () => Promise<Target>
}

interface SimulateOptions {
  readonly only: number
  readonly policies: PolicyOverrides
  readonly decide: false
  readonly wrapTarget: (target: Target) => Target
}

/** Replays a scenario in a new simulator. */
export type Simulate = (options: SimulateOptions) => Promise<ReplayResult>

/** Explains the steps of a replay that fail, one after another. */
export class PolicySearch {
  #requests = 0
  /** The policies that explain earlier steps. */
  readonly #found = new Map<string, DecidingPolicy>()

  /**
   * Finds the policies that decide a difference: with another setting of one, the step passes. The search repeats the
   * steps in a fresh target for each setting. If no single policy decides, it tries those that decided earlier steps, from
   * the start, and then finds the smallest set of settings of another profile with which the step passes.
   */
  async explain(trial: PolicyTrial): Promise<Explanation> {
    const { index, consulted, settings } = trial
    if (consulted.length === 0) return unknown('the target does not show its policies')
    const candidates = otherSettings(consulted, settings)
    if (!this.#reserve(candidates.length + 2 * Object.keys(settings).length, index))
      return tooLong(consulted)
    const alone: DecidingPolicy[] = []
    for (const [id, value] of candidates) {
      if (await passesWith(trial, { [id]: value }))
        alone.push(toDecidingPolicy(settings, id, value))
    }
    for (const found of alone.length === 0 ? this.#found.values() : []) {
      if (await passesWith(trial, { [found.id]: found.would_be }, 0)) alone.push(found)
    }
    const decided_by = alone.length > 0 ? alone : await findDecidingCombination(trial)
    for (const found of alone) this.#found.set(`${found.id}=${found.would_be}`, found)
    const undecided = decided_by.length === 0 && { undecided: failsAnyway }
    return { policies: consulted, decided_by, ...undecided }
  }

  /**
   * Finds the policies with which a simulation responds as another service did, and as expected otherwise.
   *
   * @param differences those of the response of the service
   */
  async explainBySimulation(
    index: number,
    differences: StepResult['differences'],
    simulate: Simulate,
  ): Promise<Explanation> {
    let used: Pick<PolicyTrial, 'consulted' | 'settings'> = { consulted: [], settings: {} }
    const respondWith = async (overrides: Settings): Promise<StepResult | undefined> => {
      const wrapTarget = (target: Target): Target => ({
        ...target,
        // The world may lack the label of a key of the service.
        key: (label) => target.key(label) ?? target.key('all'),
        labels: () => null,
        async send(request) {
          const response = await target.send(request)
          const { policies: consulted = [] } = (await target.latest()) ?? {}
          used = { consulted: consulted.map(({ id }) => id), settings: await target.settings() }
          return response
        },
      })
      const options = { only: index + 1, policies: overrides, decide: false, wrapTarget } as const
      return (await simulate(options)).steps[index]
    }
    const expected = await respondWith({})
    const { consulted, settings } = used
    if (expected?.outcome !== 'passed') {
      return unknown('a simulation does not respond as expected either. It has other rows')
    }
    const candidates = otherSettings(consulted, settings)
    if (!this.#reserve(candidates.length, index)) return tooLong([])
    const toPolicy = ([id, value]: Candidate): DecidingPolicy => ({
      ...toDecidingPolicy({ ...settings, [id]: value }, id, settings[id] as string),
      simulated: true,
    })
    const exact: DecidingPolicy[] = []
    const nearer: Candidate[] = []
    for (const candidate of candidates) {
      const simulated = await respondWith(Object.fromEntries([candidate]))
      if (!simulated || !isSameResponse(simulated.differences, differences)) continue
      if (hasSameParts(simulated.differences, differences)) exact.push(toPolicy(candidate))
      else nearer.push(candidate)
    }
    if (exact.length > 0) return { policies: [], decided_by: exact }
    for (const first of this.#reserve(nearer.length * candidates.length, index) ? nearer : []) {
      for (const second of candidates.filter(([id]) => id !== first[0])) {
        const simulated = await respondWith(Object.fromEntries([first, second]))
        if (!simulated || !hasSameParts(simulated.differences, differences)) continue
        const both = [first, second].map((each) => ({ ...toPolicy(each), alone: false }))
        return { policies: [], decided_by: both }
      }
    }
    const decided_by = nearer.map((each) => ({ ...toPolicy(each), partial: true as const }))
    if (decided_by.length > 0) return { policies: [], decided_by }
    return { ...unknown('a simulation responds like this with no setting'), unexplained: true }
  }

  /** @returns false if the searches would send too many requests */
  #reserve(trials: number, index: number): boolean {
    const requests = trials * (index + 1)
    if (this.#requests + requests > maxRequests) return false
    this.#requests += requests
    return true
  }
}

function unknown(undecided: string, consulted: readonly string[] = []): Explanation {
  return { policies: consulted, decided_by: [], undecided }
}

function tooLong(consulted: readonly string[]): Explanation {
  return unknown(`the search would send more than ${maxRequests} requests`, consulted)
}

/** Whether two responses differ from the expected one in the same parts, so that no further policy is needed. */
function hasSameParts(
  simulated: StepResult['differences'],
  actual: StepResult['differences'],
): boolean {
  const summarize = (differences: StepResult['differences']) =>
    differences.map(({ where, got }) => (where === 'status' ? [where, got] : [where, typeof got]))
  return isSameJson(summarize(simulated), summarize(actual))
}

/** If the statuses differ, the same status is enough: texts and ids depend on the rows. */
function isSameResponse(
  simulated: StepResult['differences'],
  actual: StepResult['differences'],
): boolean {
  const statusOf = (differences: StepResult['differences']) =>
    differences.find(({ where }) => where === 'status')?.got
  const status = statusOf(actual)
  if (status !== undefined) return statusOf(simulated) === status
  const summarize = (differences: StepResult['differences']) =>
    differences.map(({ where, got = null, inLength }) => [where, inLength ? lengthOf(got) : got])
  return isSameJson(summarize(simulated), summarize(actual))
}

/** The rows of a list differ between services. */
function lengthOf(list: unknown): number | null {
  return Array.isArray(list) ? list.length : null
}

type Candidate = readonly [id: string, value: string]

function otherSettings(ids: readonly string[], settings: Settings): Candidate[] {
  return ids.flatMap((id) =>
    Object.keys(policies[id as PolicyId]?.values ?? {})
      .filter((value) => value !== 'integer' && value !== settings[id])
      .map((value): Candidate => [id, value]),
  )
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
    return Object.entries(needed).map(([id, value]) => ({
      ...toDecidingPolicy(trial.settings, id, value),
      alone: false,
    }))
  }
  return []
}

/** Whether the step passes if some policies are set. @param from the step before which they are set */
async function passesWith(
  { scenario, index, open }: PolicyTrial,
  settings: Settings,
  from: number = index,
): Promise<boolean> {
  const target = await open()
  try {
    const range = { first: index, last: index }
    const { steps } = await runSteps(scenario, target, range, {
      before: (at) => at === from && target.change({ policies: settings }),
    })
    return steps.at(-1)?.outcome === 'passed'
  } finally {
    await target.close()
  }
}

function toDecidingPolicy(
  settings: Settings,
  id: string,
  would_be: string | number,
): DecidingPolicy {
  const setting = settings[id] as string | number
  const { values } = policies[id as PolicyId]
  const { evidence, source } = values[setting] ??
    values.integer ?? { evidence: 'assumed', source: '' }
  return { id, setting, would_be, alone: true, evidence, source }
}
