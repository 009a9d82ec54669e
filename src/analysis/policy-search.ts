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
import { type ExecutedStep, type Explanation, runSteps } from '../scenarios/run/run-steps.ts'
import type { Target } from '../scenarios/run/target.ts'
import { isObject, tryParseJson } from '../utils/json.ts'
import { isSameJson } from '../world/edit/row-json.ts'

/** How many requests the searches of a replay may send. */
const maxRequests = 20_000

type Settings = Readonly<Record<string, string | number>>
type Differences = StepResult['differences']

/** Replays a scenario in a new simulator. */
export type Simulate = (options: {
  readonly until: number
  readonly policies: PolicyOverrides
  readonly decide: false
  readonly wrapTarget: (target: Target) => Target
}) => Promise<ReplayResult>

/** How to find the policies of a service that does not show them. */
export interface ServiceSearch {
  readonly simulate: Simulate
  /** Whether other rows of the service, or its clock, may explain the differences of a step, by its index */
  readonly mayHaveOtherRows?: (index: number, differences: Differences) => boolean
  /** Knows what replays of other scenarios on the service found */
  readonly search: PolicySearch
}

/**
 * Creates a function that finds the policies that decide why a step of a replay fails.
 *
 * @param open opens the target of the replay anew
 * @param service for a service that does not show its policies
 */
export function createStepExplainer(
  scenario: Scenario,
  open: () => Promise<Target>,
  service?: ServiceSearch,
): ExplainStep {
  const search = new PolicySearch()
  return async (index, executed, target, consulted, earlier) => {
    if (consulted.length === 0 && service) {
      return explainService(service, index, executed, earlier)
    }
    if (consulted.length === 0) return unknown('the target does not show its policies')
    const settings = await target.settings()
    const run: Trial['run'] = async (changes, from) => {
      const passes = await passesWith(scenario, index, open, changes, from === 'start' ? 0 : index)
      return { outcome: passes ? 'same' : 'different' }
    }
    const describe: Trial['describe'] = ({ id, value }) => {
      const setting = settings[id] as string | number
      return { id, setting, would_be: value, alone: true, ...basisOf(id, setting) }
    }
    const decided = await search.find({ cost: index + 1, consulted, settings, run, describe })
    if (decided === null) return unknown(tooLong, consulted)
    const undecided = decided.length === 0 && { undecided: failsAnyway }
    return { policies: consulted, decided_by: decided, ...undecided }
  }
}

/**
 * Finds the policies with which a simulation responds as another service did, and as expected otherwise. Those of
 * earlier steps are tried, too, since a write may have had another effect. No step that passed on the service may differ.
 */
async function explainService(
  { simulate, search, mayHaveOtherRows }: ServiceSearch,
  index: number,
  executed: ExecutedStep,
  earlier: readonly StepResult[],
): Promise<Explanation> {
  if (mayHaveOtherRows?.(index, executed.differences)) {
    return unknown('the service may have other rows or another time than the scenario expects')
  }
  const respondWith = async (changes: Settings) => {
    /** Those of the latest request first */
    let consulted: readonly string[] = []
    let settings: Settings = {}
    const wrapTarget = (target: Target): Target => ({
      ...target,
      // The world may lack the label of a key of the service.
      key: (label) => target.key(label) ?? target.key('all'),
      labels: () => null,
      async send(request) {
        const response = await target.send(request)
        const { policies = [] } = (await target.latest()) ?? {}
        consulted = [...new Set([...policies.map(({ id }) => id), ...consulted])]
        settings = await target.settings()
        return response
      },
    })
    const options = { until: index + 1, policies: changes, decide: false, wrapTarget } as const
    const { steps } = await simulate(options)
    return { steps, consulted, settings }
  }
  const { steps: expected, consulted, settings } = await respondWith({})
  if (expected[index]?.outcome !== 'passed') {
    return unknown('a simulation does not respond as expected either. It has other rows')
  }
  const isRefuted = ({ outcome }: StepResult, at: number): boolean =>
    outcome === 'failed' && earlier[at]?.outcome === 'passed'
  const run: Trial['run'] = async (changes) => {
    const { steps, consulted } = await respondWith(changes)
    const simulated = steps[index]
    if (!simulated || steps.some(isRefuted)) return { outcome: 'different' }
    return { outcome: compareResponses(simulated, executed), consulted }
  }
  const describe: Trial['describe'] = ({ id, value }) => {
    const would_be = settings[id] as string | number
    return { id, setting: value, would_be, alone: true, ...basisOf(id, value), simulated: true }
  }
  const trial = { cost: index + 1, consulted, settings, run, describe, keepsFound: true }
  const decided = await search.find(trial)
  if (decided === null) return unknown(tooLong)
  if (decided.length > 0) return { policies: [], decided_by: decided }
  return { ...unknown('a simulation responds like this with no setting'), unexplained: true }
}

/** A step that fails, and how it is tried with other settings. */
export interface Trial {
  /** How many requests one run sends */
  readonly cost: number
  /** The ids of the policies that the response used */
  readonly consulted: readonly string[]
  readonly settings: Settings
  /** The values to try of policies of whole numbers. By default these policies are left out */
  readonly numbers?: Parameters<typeof otherValues>[2]
  /** Repeats the step with other settings, which are set before it, or before the first step. */
  readonly run: (changes: Settings, from: 'start' | 'step') => Promise<TrialResult>
  readonly describe: (value: OtherValue) => DecidingPolicy
  /** Whether a value that explains an earlier step, and that no other value could replace, is a fact about this one */
  readonly keepsFound?: boolean
}

/** What a step is with other settings. */
export interface TrialResult {
  /** `same`: they explain the step. `similar`: the response differs in other parts, too. */
  readonly outcome: 'same' | 'similar' | 'different'
  /** How much still differs, if it can be compared between trials: then more than two values are tried together */
  readonly left?: number
  /** The ids of the policies that this response used. By default those of the step */
  readonly consulted?: readonly string[]
}

/** Values with which the response is similar. */
interface PartialResult extends Pick<TrialResult, 'left' | 'consulted'> {
  readonly values: readonly OtherValue[]
}

/** How many values can explain a step together. */
const maxTogether = 5

/** From how many values a search for several values begins. */
const maxStarts = 5

/** Searches the policies that decide the steps of a replay that fail, one after another. */
export class PolicySearch {
  readonly #maxRequests: number
  #requests = 0
  /** The values that explain earlier steps. */
  readonly #found = new Map<string, OtherValue>()
  /** Those of them that no other value could replace, by their policies. */
  readonly #certain = new Map<string, OtherValue>()

  /** @param limit how many requests all searches may send */
  constructor(limit: number = maxRequests) {
    this.#maxRequests = limit
  }

  /**
   * Tries each other value of the policies that were consulted. If none explains the step alone, tries those that
   * explain earlier steps, from the start, then pairs of values, the values of other profiles, and more values together.
   *
   * @returns null if the search would send too many requests
   */
  async find(trial: Trial): Promise<DecidingPolicy[] | null> {
    const { cost, settings, run, describe, keepsFound } = trial
    const candidates = candidatesOf(trial)
    const certain = keepsFound ? [...this.#certain.values()] : []
    const more = certain.length > 0 ? candidates.length + certain.length + 1 : 0
    const trials = candidates.length + more + 2 * Object.keys(settings).length
    if (!this.#reserve(trials, cost)) return null
    if (certain.length > 0 && (await run(toSettings(certain), 'start')).outcome === 'same') {
      return describeTogether(await withoutNeedless(certain, trial), describe)
    }
    const alone: OtherValue[] = []
    const similar: PartialResult[] = []
    for (const candidate of candidates) {
      const { outcome, ...rest } = await run(toSettings([candidate]), 'step')
      if (outcome === 'same') alone.push(candidate)
      else if (outcome === 'similar') similar.push({ values: [candidate], ...rest })
    }
    for (const found of alone.length === 0 ? this.#found.values() : []) {
      if ((await run(toSettings([found]), 'start')).outcome === 'same') alone.push(found)
    }
    for (const found of alone) this.#found.set(`${found.id}=${found.value}`, found)
    const [only, ...others] = alone
    if (only && others.length === 0) this.#certain.set(only.id, only)
    if (alone.length > 0) return alone.map(describe)
    const together =
      (await this.#addToCertain(trial, certain)) ??
      (await this.#findPair(trial, similar)) ??
      (await findInProfiles(trial)) ??
      (await this.#climb(trial, similar))
    if (together) return describeTogether(together, describe)
    return similar.flatMap(({ values }) =>
      values.map((each) => ({ ...describe(each), partial: true })),
    )
  }

  /** Tries each other value with those that are certain, from the start. */
  async #addToCertain(
    trial: Trial,
    certain: readonly OtherValue[],
  ): Promise<readonly OtherValue[] | null> {
    if (certain.length === 0) return null
    const fitting: OtherValue[] = []
    for (const candidate of candidatesOf(trial)) {
      const values = [...certain.filter(({ id }) => id !== candidate.id), candidate]
      if ((await trial.run(toSettings(values), 'start')).outcome === 'same') fitting.push(candidate)
    }
    const [first, ...others] = fitting
    if (!first) return null
    if (others.length === 0) this.#certain.set(first.id, first)
    return withoutNeedless([...certain.filter(({ id }) => id !== first.id), first], trial)
  }

  async #findPair(
    trial: Trial,
    similar: readonly PartialResult[],
  ): Promise<readonly OtherValue[] | null> {
    for (const first of similar) {
      const found = await this.#addTo(first, trial)
      if (found === null || 'values' in found) continue
      return found.same
    }
    return null
  }

  /** Adds one value after another, each time the one that leaves the least difference. */
  async #climb(
    trial: Trial,
    similar: readonly PartialResult[],
  ): Promise<readonly OtherValue[] | null> {
    const starts = similar.filter(({ left }) => left !== undefined).sort(byLeft)
    for (const start of starts.slice(0, maxStarts)) {
      let latest: PartialResult = start
      while (latest.values.length < maxTogether) {
        const found = await this.#addTo(latest, trial)
        if (found && 'same' in found) return withoutNeedless(found.same, trial)
        if (!found) break
        latest = found
      }
    }
    return null
  }

  /** Tries to add each value to others. @returns values that explain the step, or those that leave the least difference */
  async #addTo(
    { values, left = 0, consulted }: PartialResult,
    trial: Trial,
  ): Promise<PartialResult | { readonly same: readonly OtherValue[] } | null> {
    const known = new Set(values.map(({ id }) => id))
    const candidates = candidatesOf(trial, consulted).filter(({ id }) => !known.has(id))
    if (!this.#reserve(candidates.length, trial.cost)) return null
    let best: PartialResult | null = null
    for (const candidate of candidates) {
      const added = [...values, candidate]
      const { outcome, ...rest } = await trial.run(toSettings(added), 'step')
      if (outcome === 'same') return { same: added }
      const isBetter = rest.left !== undefined && rest.left < (best?.left ?? left)
      if (isBetter) best = { values: added, ...rest }
    }
    return best
  }

  /** @returns false if the searches would send too many requests */
  #reserve(trials: number, cost: number): boolean {
    const requests = trials * cost
    if (this.#requests + requests > this.#maxRequests) return false
    this.#requests += requests
    return true
  }
}

function describeTogether(
  values: readonly OtherValue[],
  describe: Trial['describe'],
): DecidingPolicy[] {
  return values.map((each) => ({ ...describe(each), alone: values.length === 1 }))
}

function candidatesOf(
  { consulted, settings, numbers }: Trial,
  more: readonly string[] = [],
): OtherValue[] {
  const ids = [...new Set([...consulted, ...more])]
  const known = ids.filter((id): id is PolicyId => Object.hasOwn(policies, id))
  return otherValues(known, settings, numbers)
}

function byLeft({ left: one = 0 }: PartialResult, { left: other = 0 }: PartialResult): number {
  return one - other
}

function toSettings(values: readonly OtherValue[]): Settings {
  return Object.fromEntries(values.map(({ id, value }) => [id, value]))
}

/** Leaves out the values without which the others explain the step. */
async function withoutNeedless(
  values: readonly OtherValue[],
  { run }: Trial,
): Promise<readonly OtherValue[]> {
  let needed = values
  for (const value of values) {
    const fewer = needed.filter((each) => each !== value)
    if ((await run(toSettings(fewer), 'step')).outcome === 'same') needed = fewer
  }
  return needed
}

/** The smallest set of settings of another profile that explains the step: all of them are needed. */
async function findInProfiles(trial: Trial): Promise<readonly OtherValue[] | null> {
  for (const profile of profiles) {
    const values = Object.entries(resolvePolicies(profile)).flatMap(([id, value]) => {
      const isOther = Object.hasOwn(trial.settings, id) && value !== trial.settings[id]
      return isOther ? [{ id: id as PolicyId, value }] : []
    })
    if (values.length === 0) continue
    if ((await trial.run(toSettings(values), 'step')).outcome !== 'same') continue
    return withoutNeedless(values, trial)
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

/** How alike a simulated response and that of a service are. The body of an error has the same form, or they differ. */
function compareResponses(simulated: ExecutedStep, actual: ExecutedStep): TrialResult['outcome'] {
  if (!isSameResponse(simulated.differences, actual.differences)) return 'different'
  const hasSameForm = errorFormOf(simulated) === errorFormOf(actual)
  if (hasSameForm && hasSameParts(simulated.differences, actual.differences)) return 'same'
  const isStatus = actual.differences.some(({ where }) => where === 'status')
  return hasSameForm || isStatus ? 'similar' : 'different'
}

/** The names of the fields of an error, if it has any. Null for a success. */
function errorFormOf({ response }: ExecutedStep): string | null {
  if (response === null || response.status < 400) return null
  const body = tryParseJson(response.text)?.value
  if (isObject(body)) return Object.keys(body).sort().join()
  return body === undefined ? `text ${response.text === ''}` : typeof body
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
