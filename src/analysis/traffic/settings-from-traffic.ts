import {
  describeValue,
  type OtherValue,
  otherValues,
  type PolicyId,
  type PolicySettings,
  policies,
} from '../../policies/policies.ts'
import {
  overridePolicies,
  type PolicyOverrides,
  type Profile,
  profiles,
  resolvePolicies,
  toOverrides,
} from '../../policies/settings.ts'
import { type ParsedScenario, parseScenario } from '../../scenarios/format/check-scenario.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import type { StepDifference } from '../../scenarios/run/differences.ts'
import type { DecidingPolicy } from '../../scenarios/run/result.ts'
import { numbersToTry, shownByStep } from '../numbers-to-try.ts'
import { PolicySearch, type Trial } from '../policy-search.ts'
import { type ReplayedRequest, TrafficReplay } from './traffic-replay.ts'

/** The settings under which a simulator responds as the traffic shows. */
interface TrafficSettings {
  readonly profile: Profile
  /** The policies that differ from the profile */
  readonly policies: PolicyOverrides
  /** How many requests still differ */
  readonly differing: number
  /** Whether the search ended before its last difference */
  readonly isCut: boolean
}

/** How many requests the searches of one traffic may send, besides one replay for each profile. */
const searchLimit = 4_000

/** How many steps of a traffic are looked at for its settings. */
export const settingsLimit = 500

/**
 * Finds the settings under which a simulator responds as the traffic shows: the nearest profile, and the policies that
 * differ from it. Replays the first 500 steps once for each profile, and searches only where a response differs.
 *
 * @param scenario its world is the one before the first request. Its own profile and policies do not count
 * @throws UsageError for a scenario or a world with issues
 * @example const { profile, policies } = await settingsFromTraffic(scenario)
 */
export async function settingsFromTraffic(
  scenario: Scenario,
  limit: number = searchLimit,
): Promise<TrafficSettings> {
  const steps = scenario.steps.slice(0, settingsLimit)
  const parsed = parseScenario({ ...scenario, steps })
  const isLong = steps.length < scenario.steps.length
  let profile: Profile = 'documented'
  let fewest = Number.POSITIVE_INFINITY
  for (const each of profiles) {
    const count = await countDifferences(parsed, resolvePolicies(each), fewest)
    if (count < fewest) [profile, fewest] = [each, count]
    if (fewest === 0) return { profile, policies: {}, differing: 0, isCut: isLong }
  }
  const base = resolvePolicies(profile)
  const { found, differing, isCut } = await findSettings(parsed, base, limit)
  const others = [...found.values()].filter(({ id, value }) => value !== base[id])
  return { profile, policies: toOverrides(others), differing, isCut: isCut || isLong }
}

/** Counts the requests to which a simulator responds otherwise. @param until where to stop counting */
export async function countDifferences(
  scenario: ParsedScenario,
  settings: PolicySettings,
  until: number = Number.POSITIVE_INFINITY,
): Promise<number> {
  const replay = await TrafficReplay.open(scenario, settings)
  let count = 0
  while (count < until) {
    const request = await replay.next()
    if (!request) break
    if (request.outcome !== 'passed') count += 1
  }
  return count
}

/** Values that explain a difference together. */
export type Alternative = readonly OtherValue[]

/** A value that explains a difference. */
export interface FoundValue extends OtherValue {
  /** The number of the request that showed it */
  readonly number: number
  /** Other values, of this policy or of others, that explain the same difference: one, or two together */
  readonly alternatives: readonly Alternative[]
}

/** What a search found out. */
interface FoundSettings {
  readonly found: ReadonlyMap<PolicyId, FoundValue>
  readonly differing: number
  readonly isCut: boolean
}

/** Settings that are found at one request can lead to others before it. */
const maxRounds = 4

/** Searches the settings that explain the differences of a replay, and applies each from then on. */
export async function findSettings(
  scenario: ParsedScenario,
  base: PolicySettings,
  limit: number = searchLimit,
): Promise<FoundSettings> {
  const found = new Map<PolicyId, FoundValue>()
  const explainer = new ExchangeExplainer(base, limit)
  const withFound = (more: readonly FoundValue[] = []): PolicySettings =>
    overridePolicies(base, { ...toOverrides(found.values()), ...toOverrides(more) })
  /** Whether fewer requests differ with values of which some are others than those that were found. */
  const isBetter = async (values: readonly FoundValue[]): Promise<boolean> => {
    const before = await countDifferences(scenario, withFound())
    return (await countDifferences(scenario, withFound(values), before)) < before
  }
  const { length } = scenario.steps
  let differing = 0
  let left = limit
  for (let round = 0; round < maxRounds && (round === 0 || left >= length); round += 1) {
    left -= length
    const replay = await TrafficReplay.open(scenario, withFound())
    let hasFound = false
    differing = 0
    for (let request = await replay.next(); request; request = await replay.next()) {
      if (request.outcome === 'passed') continue
      const values =
        request.outcome === 'failed' ? await explainer.explain(replay, request, found) : []
      const isOther = values.some(({ id }) => found.has(id))
      const canDecide = left >= 2 * length
      if (isOther && canDecide) left -= 2 * length
      const isTaken = isOther ? canDecide && (await isBetter(values)) : values.length > 0
      if (isTaken) for (const value of values) found.set(value.id, value)
      hasFound ||= isTaken
      if (isTaken) await replay.repeat(toOverrides(values), 'from now on')
      else if (values.length > 0) await replay.repeat(toOverrides(values), 'once')
      else undoRefused(replay, request)
      differing += Number(!isTaken)
    }
    if (!hasFound) break
  }
  return { found, differing, isCut: explainer.isCut }
}

/** Takes back a write of the simulator that failed in the traffic, so that later requests see the same rows. */
export function undoRefused(replay: TrafficReplay, { step }: ReplayedRequest): void {
  const { status, broken } = step.expect ?? {}
  if (typeof status === 'number' && status >= 400 && !broken && replay.hasWritten) replay.undo()
}

/** How often a search for the same kind of difference may find nothing, before it is no longer made. */
const maxAttempts = 3

/** Finds the values with which a simulator responds as the traffic shows, difference by difference. */
export class ExchangeExplainer {
  /** Whether a difference was not searched, because the searches had sent enough requests. */
  isCut = false
  readonly #base: PolicySettings
  readonly #search: PolicySearch
  /** How often nothing was found, by the kind of the difference. */
  readonly #failures = new Map<string, number>()

  /** @param limit how many requests all searches may send */
  constructor(base: PolicySettings, limit: number) {
    this.#base = base
    this.#search = new PolicySearch(limit)
  }

  /**
   * @param known the policies that other requests have shown. A value of another policy is likelier
   * @returns one value, or several of which each is needed. Empty if no setting explains the difference
   */
  async explain(
    replay: TrafficReplay,
    request: ReplayedRequest,
    known: { has(id: PolicyId): boolean },
  ): Promise<FoundValue[]> {
    const kind = kindOfDifference(request)
    const failures = this.#failures.get(kind) ?? 0
    if (failures >= maxAttempts) return []
    const decided = await this.#find(replay, request)
    if (decided === null) this.isCut = true
    const whole = (decided ?? []).filter(({ partial }) => !partial)
    const values = whole.map(({ id, would_be }) => ({ id: id as PolicyId, value: would_be }))
    if (values.length === 0) {
      this.#failures.set(kind, failures + 1)
      return []
    }
    const { number } = request
    if (whole[0]?.alone === false) return this.#withAlternatives(values, replay, request)
    const sorted = values.sort((one, other) => this.#rank(one, known) - this.#rank(other, known))
    const [best, ...others] = sorted as [OtherValue, ...OtherValue[]]
    const pairs = await this.#findPairs(best, replay, request)
    return [{ ...best, number, alternatives: [...others.map((each) => [each]), ...pairs] }]
  }

  /** Finds a value that leads to questions of its own, with an answer to one of them, that explain a difference as well. */
  async #findPairs(
    best: OtherValue,
    replay: TrafficReplay,
    request: ReplayedRequest,
  ): Promise<Alternative[]> {
    const { consulted } = request
    const { settings } = replay
    const pairs: Alternative[] = []
    for (const first of otherValues(consulted, settings)) {
      if (first.id === best.id) continue
      const { differences, consulted: used } = await replay.attempt(toOverrides([first]))
      const further = used.filter((id) => !consulted.includes(id) && id !== best.id)
      for (const second of differences.length === 0 ? [] : otherValues(further, settings)) {
        const pair = [first, second]
        const { differences: left } = await replay.attempt(toOverrides(pair))
        if (left.length === 0) pairs.push(pair)
      }
    }
    return pairs
  }

  /** Finds the values that can stand for one of several values of which each is needed. */
  async #withAlternatives(
    values: readonly OtherValue[],
    replay: TrafficReplay,
    request: ReplayedRequest,
  ): Promise<FoundValue[]> {
    const { consulted, number, step } = request
    const { settings } = replay
    const numbers = numbersToTry(shownByStep(step), settings)
    const candidates = otherValues(consulted, settings, numbers)
    const found: FoundValue[] = []
    for (const value of values) {
      const others = toOverrides(values.filter((each) => each !== value))
      const alternatives: Alternative[] = []
      for (const { id, value: other } of candidates) {
        const isTried = !Object.hasOwn(others, id) && !(id === value.id && other === value.value)
        if (!isTried) continue
        const { differences } = await replay.attempt({ ...others, [id]: other })
        if (differences.length === 0) alternatives.push([{ id, value: other }])
      }
      found.push({ ...value, number, alternatives })
    }
    return found
  }

  #find(replay: TrafficReplay, request: ReplayedRequest): Promise<DecidingPolicy[] | null> {
    const { differences, consulted, step } = request
    const { settings } = replay
    const weight = weigh(differences)
    const run: Trial['run'] = async (changes, from) => {
      // A later round starts with all values that were found.
      if (from === 'start') return { outcome: 'different' }
      const { differences: rest, consulted: used } = await replay.attempt(changes)
      const left = weigh(rest)
      // A refusal with another status can depend on further policies, which decide its status.
      const isRelated = left < weight || used.some((id) => !consulted.includes(id))
      const outcome = left === 0 ? 'same' : isRelated ? 'similar' : 'different'
      return { outcome, left, consulted: used }
    }
    return this.#search.find({
      cost: replay.trialCost,
      consulted,
      settings,
      numbers: numbersToTry(shownByStep(step), settings),
      run,
    })
  }

  /** Of several values that explain a difference, one that is known from elsewhere is the likeliest. */
  #rank({ id, value }: OtherValue, known: { has(id: PolicyId): boolean }): number {
    if (known.has(id)) return 4
    if (value === this.#base[id]) return 0
    const { documented, live } = policies[id]
    if (value === live || value === documented) return 1
    return describeValue(id, value).evidence === 'observed' ? 2 : 3
  }
}

/** A status counts more than any field: with another one, the fields say nothing. */
function weigh(differences: readonly StepDifference[]): number {
  return differences.length + (hasOtherStatus({ differences }) ? 1_000 : 0)
}

/** Whether a response differs in its status, or in whether it arrived. */
export function hasOtherStatus({ differences }: Pick<ReplayedRequest, 'differences'>): boolean {
  return differences.some(({ where }) => where === 'status' || where === 'broken')
}

/** Names a difference without the rows that it is about. */
export function kindOfDifference({
  operation,
  step,
  status,
  differences,
}: ReplayedRequest): string {
  const places = new Set(differences.map(({ where }) => where.replace(/\[\d+\]/g, '[]')))
  return [operation ?? step.path, status, step.expect?.status, ...places].join(' ')
}

/** A value that explains differences of the traffic, compared with the others that do. */
export interface Resolved {
  readonly best: FoundValue
  /** The values that explain the whole traffic equally well, `best` included: each alone, or two together */
  readonly fits: readonly Alternative[]
  /** Whether all of them are values of one policy, so that its setting is contradicted for sure */
  readonly isCertain: boolean
}

/**
 * Decides between the values that explain the same difference, by the rest of the traffic: those stay with which the
 * fewest requests differ. A value that later ones made needless is dropped.
 *
 * @param limit how many requests may be sent. Then all values stay
 */
export async function resolveFound(
  scenario: ParsedScenario,
  base: PolicySettings,
  found: ReadonlyMap<PolicyId, FoundValue>,
  limit: number,
): Promise<Resolved[]> {
  const length = scenario.steps.length
  let left = limit
  const chosen = new Map(found)
  const count = (values: Iterable<OtherValue>, until?: number): Promise<number> => {
    left -= length
    return countDifferences(scenario, overridePolicies(base, toOverrides(values)), until)
  }
  const without = (id: PolicyId): FoundValue[] =>
    [...chosen.values()].filter((value) => value.id !== id)
  if (chosen.size === 0) return []
  let fewest = await count(chosen.values())
  for (const id of found.keys()) {
    if (left < length) break
    const differing = await count(without(id), fewest + 1)
    if (differing > fewest) continue
    chosen.delete(id)
    fewest = differing
  }
  const resolved: Resolved[] = []
  for (const value of [...chosen.values()]) {
    const { number, alternatives } = value
    let best = value
    let fits: Alternative[] = [[value]]
    for (const other of alternatives) {
      const rest = without(value.id)
      // Another found value explains the difference as well, so it is the one.
      if (rest.some(({ id }) => other.some((each) => each.id === id))) continue
      const differing = left < length ? fewest : await count([...rest, ...other], fewest + 1)
      const [single, ...more] = other
      if (differing < fewest && single && more.length === 0) {
        best = { ...single, number, alternatives }
        fits = [other]
        fewest = differing
      } else if (differing <= fewest) fits.push(other)
    }
    chosen.delete(value.id)
    chosen.set(best.id, best)
    const isCertain = fits.every(([first, ...more]) => first?.id === best.id && more.length === 0)
    resolved.push({ best, fits, isCertain })
  }
  return resolved
}
