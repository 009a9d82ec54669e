import { describeValue, type OtherValue, otherValues } from '../policies/other-values.ts'
import { type PolicyId, policies } from '../policies/policies.ts'
import { type PolicyOverrides, profiles, resolvePolicies } from '../policies/settings.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import {
  type DecidingPolicy,
  failsAnyway,
  type ReplayResult,
  type StepResult,
} from '../scenarios/run/result.ts'
import type { ExplainStep } from '../scenarios/run/run-scenario.ts'
import { type Explanation, runSteps } from '../scenarios/run/run-steps.ts'
import type { Target } from '../scenarios/run/target.ts'
import { isSameJson } from '../world/edit/row-json.ts'

/** How many requests the searches of a replay may send. */
const maxRequests = 20_000

type Settings = Readonly<Record<string, string | number>>
type Differences = StepResult['differences']

/** Replays a scenario in a new simulator. */
export type Simulate = (options: {
  readonly only: number
  readonly policies: PolicyOverrides
  readonly decide: false
  readonly wrapTarget: (target: Target) => Target
}) => Promise<ReplayResult>

/**
 * Creates a function that finds the policies that decide why a step of a replay fails.
 *
 * @param open opens the target of the replay anew
 * @param simulate replays the scenario in a simulator, for a service that does not show its policies
 */
export function createStepExplainer(
  scenario: Scenario,
  open: () => Promise<Target>,
  simulate?: Simulate,
): ExplainStep {
  const search = new PolicySearch()
  return async (index, differences, target, consulted) => {
    if (consulted.length === 0 && simulate) {
      return explainService(search, index, differences, simulate)
    }
    if (consulted.length === 0) return unknown('the target does not show its policies')
    const settings = await target.settings()
    const run: Trial['run'] = async (changes, from) =>
      (await passesWith(scenario, index, open, changes, from)) ? 'same' : 'different'
    const describe: Trial['describe'] = ({ id, value }) => {
      const setting = settings[id] as string | number
      return { id, setting, would_be: value, alone: true, ...basisOf(id, setting) }
    }
    const decided = await search.find({ index, consulted, settings, run, describe })
    if (decided === null) return unknown(tooLong, consulted)
    const undecided = decided.length === 0 && { undecided: failsAnyway }
    return { policies: consulted, decided_by: decided, ...undecided }
  }
}

/** Finds the policies with which a simulation responds as another service did, and as expected otherwise. */
async function explainService(
  search: PolicySearch,
  index: number,
  differences: Differences,
  simulate: Simulate,
): Promise<Explanation> {
  let used: Pick<Trial, 'consulted' | 'settings'> = { consulted: [], settings: {} }
  const respondWith = async (changes: Settings): Promise<StepResult | undefined> => {
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
    const options = { only: index + 1, policies: changes, decide: false, wrapTarget } as const
    return (await simulate(options)).steps[index]
  }
  const expected = await respondWith({})
  const { consulted, settings } = used
  if (expected?.outcome !== 'passed') {
    return unknown('a simulation does not respond as expected either. It has other rows')
  }
  const run: Trial['run'] = async (changes) => {
    const simulated = await respondWith(changes)
    if (!simulated || !isSameResponse(simulated.differences, differences)) return 'different'
    return hasSameParts(simulated.differences, differences) ? 'same' : 'similar'
  }
  const describe: Trial['describe'] = ({ id, value }) => {
    const would_be = settings[id] as string | number
    return { id, setting: value, would_be, alone: true, ...basisOf(id, value), simulated: true }
  }
  const decided = await search.find({ index, consulted, settings, run, describe })
  if (decided === null) return unknown(tooLong)
  if (decided.length > 0) return { policies: [], decided_by: decided }
  return { ...unknown('a simulation responds like this with no setting'), unexplained: true }
}

/** A step that fails, and how it is tried with other settings. */
interface Trial {
  readonly index: number
  /** The ids of the policies that the response used */
  readonly consulted: readonly string[]
  readonly settings: Settings
  /**
   * Repeats the step with other settings, which are set before a step. `same`: they explain the step. `similar`: the
   * response differs in other parts, too.
   */
  readonly run: (changes: Settings, from: number) => Promise<'same' | 'similar' | 'different'>
  readonly describe: (value: OtherValue) => DecidingPolicy
}

/** Searches the policies that decide the steps of a replay that fail, one after another. */
class PolicySearch {
  #requests = 0
  /** The values that explain earlier steps. */
  readonly #found = new Map<string, OtherValue>()

  /**
   * Tries each other value of the policies that were consulted. If none explains the step alone, tries those that
   * explain earlier steps, from the start, then pairs of values, then the values of other profiles.
   *
   * @returns null if the search would send too many requests
   */
  async find(trial: Trial): Promise<DecidingPolicy[] | null> {
    const { index, consulted, settings, run, describe } = trial
    const known = consulted.filter((id): id is PolicyId => Object.hasOwn(policies, id))
    const candidates = otherValues(known, settings)
    if (!this.#reserve(candidates.length + 2 * Object.keys(settings).length, index)) return null
    const alone: OtherValue[] = []
    const similar: OtherValue[] = []
    for (const candidate of candidates) {
      const result = await run({ [candidate.id]: candidate.value }, index)
      if (result === 'same') alone.push(candidate)
      else if (result === 'similar') similar.push(candidate)
    }
    for (const found of alone.length === 0 ? this.#found.values() : []) {
      if ((await run({ [found.id]: found.value }, 0)) === 'same') alone.push(found)
    }
    for (const found of alone) this.#found.set(`${found.id}=${found.value}`, found)
    if (alone.length > 0) return alone.map(describe)
    const together =
      (await this.#findPair(trial, similar, candidates)) ?? (await findInProfiles(trial))
    if (together) return together.map((each) => ({ ...describe(each), alone: false }))
    return similar.map((each) => ({ ...describe(each), partial: true }))
  }

  async #findPair(
    { index, run }: Trial,
    similar: readonly OtherValue[],
    candidates: readonly OtherValue[],
  ): Promise<readonly OtherValue[] | null> {
    if (!this.#reserve(similar.length * candidates.length, index)) return null
    for (const first of similar) {
      for (const second of candidates.filter(({ id }) => id !== first.id)) {
        const result = await run({ [first.id]: first.value, [second.id]: second.value }, index)
        if (result === 'same') return [first, second]
      }
    }
    return null
  }

  /** @returns false if the searches would send too many requests */
  #reserve(trials: number, index: number): boolean {
    const requests = trials * (index + 1)
    if (this.#requests + requests > maxRequests) return false
    this.#requests += requests
    return true
  }
}

/** The smallest set of settings of another profile that explains the step: all of them are needed. */
async function findInProfiles({ index, settings, run }: Trial): Promise<OtherValue[] | null> {
  for (const profile of profiles) {
    let needed: Settings = Object.fromEntries(
      Object.entries(resolvePolicies(profile)).filter(
        ([id, value]) => Object.hasOwn(settings, id) && value !== settings[id],
      ),
    )
    if (Object.keys(needed).length === 0 || (await run(needed, index)) !== 'same') continue
    for (const id of Object.keys(needed)) {
      const { [id]: _, ...fewer } = needed
      if ((await run(fewer, index)) === 'same') needed = fewer
    }
    return Object.entries(needed).map(([id, value]) => ({ id: id as PolicyId, value }))
  }
  return null
}

const tooLong = `the search would send more than ${maxRequests} requests`

function unknown(undecided: string, consulted: readonly string[] = []): Explanation {
  return { policies: consulted, decided_by: [], undecided }
}

/** Whether a step passes in a fresh target if some policies are set. @param from the step before which they are set */
async function passesWith(
  scenario: Scenario,
  index: number,
  open: () => Promise<Target>,
  changes: Settings,
  from: number,
): Promise<boolean> {
  const target = await open()
  try {
    const range = { first: index, last: index }
    const { steps } = await runSteps(scenario, target, range, {
      before: (at) => at === from && target.change({ policies: changes }),
    })
    return steps.at(-1)?.outcome === 'passed'
  } finally {
    await target.close()
  }
}

/** A setting of another version has no evidence. */
function basisOf(
  id: PolicyId,
  setting: string | number,
): Pick<DecidingPolicy, 'evidence' | 'source'> {
  const { evidence, source } = describeValue(id, setting) ?? { evidence: 'assumed', source: '' }
  return { evidence, source }
}

/** Whether two responses differ from the expected one in the same parts, so that no further policy is needed. */
function hasSameParts(simulated: Differences, actual: Differences): boolean {
  const summarize = (differences: Differences) =>
    differences.map(({ where, got }) => (where === 'status' ? [where, got] : [where, typeof got]))
  return isSameJson(summarize(simulated), summarize(actual))
}

/** If the statuses differ, the same status is enough: texts and ids depend on the rows. */
function isSameResponse(simulated: Differences, actual: Differences): boolean {
  const statusOf = (differences: Differences) =>
    differences.find(({ where }) => where === 'status')?.got
  const status = statusOf(actual)
  if (status !== undefined) return statusOf(simulated) === status
  const summarize = (differences: Differences) =>
    differences.map(({ where, got = null, inLength }) => [where, inLength ? lengthOf(got) : got])
  return isSameJson(summarize(simulated), summarize(actual))
}

/** The rows of a list differ between services. */
function lengthOf(list: unknown): number | null {
  return Array.isArray(list) ? list.length : null
}
