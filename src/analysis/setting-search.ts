import type { DecidingSetting } from '../scenarios/run/result.ts'
import { profiles, resolveSettings, toOverrides } from '../settings/resolve.ts'
import {
  describeValue,
  type OtherValue,
  otherValues,
  type SettingId,
  settingsById,
} from '../settings/setting.ts'

/** How many requests the searches of a replay may send. */
export const maxRequests = 20_000

export type Settings = Readonly<Record<string, string | number>>
/** A step that fails, and how it is tried with other settings. */
export interface Trial {
  /** How many requests one run sends */
  readonly cost: number
  /** The ids of the settings that the response used */
  readonly consulted: readonly string[]
  readonly settings: Settings
  /** The values to try of settings of whole numbers. By default these settings are left out */
  readonly numbers?: Parameters<typeof otherValues>[2]
  /** Repeats the step with other settings, which are set before it, or before the first step. */
  readonly run: (changes: Settings, from: 'start' | 'step') => Promise<TrialResult>
  /**
   * Whether the other settings are those of a service that a simulation shall respond like. Then a value that explains an
   * earlier step, and that no other value could replace, is a fact about this one
   */
  readonly isOfService?: boolean
}

/** What a step is with other settings. */
export interface TrialResult {
  /** `same`: they explain the step. `similar`: the response differs in other parts, too. */
  readonly outcome: 'same' | 'similar' | 'different'
  /** How much still differs, if it can be compared between trials: then more than two values are tried together */
  readonly left?: number
  /** The ids of the settings that this response used. By default those of the step */
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

/** Searches the settings that decide the steps of a replay that fail, one after another. */
export class SettingSearch {
  readonly #maxRequests: number
  #requests = 0
  /** The values that explain earlier steps. */
  readonly #found = new Map<string, OtherValue>()
  /** Those of them that no other value could replace, by their settings. */
  readonly #certain = new Map<string, OtherValue>()

  /** @param limit how many requests all searches may send */
  constructor(limit: number = maxRequests) {
    this.#maxRequests = limit
  }

  /**
   * Tries each other value of the settings that were consulted. If none explains the step alone, tries those that
   * explain earlier steps, from the start, then pairs of values, the values of other profiles, and more values together.
   *
   * @returns null if the search would send too many requests
   */
  async find(trial: Trial): Promise<DecidingSetting[] | null> {
    const { cost, settings, run, isOfService } = trial
    const candidates = candidatesOf(trial)
    const certain = isOfService ? [...this.#certain.values()] : []
    const more = certain.length > 0 ? candidates.length + certain.length + 1 : 0
    const trials = candidates.length + more + 2 * Object.keys(settings).length
    if (!this.#reserve(trials, cost)) return null
    if (certain.length > 0 && (await run(toOverrides(certain), 'start')).outcome === 'same') {
      return describeTogether(await withoutNeedless(certain, trial), trial)
    }
    const alone: OtherValue[] = []
    const similar: PartialResult[] = []
    for (const candidate of candidates) {
      const { outcome, ...rest } = await run(toOverrides([candidate]), 'step')
      if (outcome === 'same') alone.push(candidate)
      else if (outcome === 'similar') similar.push({ values: [candidate], ...rest })
    }
    for (const found of alone.length === 0 ? this.#found.values() : []) {
      if ((await run(toOverrides([found]), 'start')).outcome === 'same') alone.push(found)
    }
    for (const found of alone) this.#found.set(`${found.id}=${found.value}`, found)
    const [only, ...others] = alone
    if (only && others.length === 0) this.#certain.set(only.id, only)
    if (alone.length > 0) return alone.map((each) => describe(each, trial))
    const together =
      (await this.#addToCertain(trial, certain)) ??
      (await this.#findPair(trial, similar)) ??
      (await findInProfiles(trial)) ??
      (await this.#climb(trial, similar))
    if (together) return describeTogether(together, trial)
    return similar.flatMap(({ values }) =>
      values.map((each) => ({ ...describe(each, trial), partial: true })),
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
      if ((await trial.run(toOverrides(values), 'start')).outcome === 'same')
        fitting.push(candidate)
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
      const { outcome, ...rest } = await trial.run(toOverrides(added), 'step')
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

/** Describes a value. Its setting has the value of the step: of a service, the value itself. */
function describe(
  { id, value: other }: OtherValue,
  { settings, isOfService }: Trial,
): DecidingSetting {
  const own = settings[id] as string | number
  const [value, would_be] = isOfService ? [other, own] : [own, other]
  // A value of another version has no evidence.
  const { evidence, source } = describeValue(id, value) ?? { evidence: 'assumed', source: '' }
  const simulated = isOfService && { simulated: true as const }
  return { id, value, would_be, alone: true, evidence, source, ...simulated }
}

function describeTogether(values: readonly OtherValue[], trial: Trial): DecidingSetting[] {
  return values.map((each) => ({ ...describe(each, trial), alone: values.length === 1 }))
}

function candidatesOf(
  { consulted, settings, numbers }: Trial,
  more: readonly string[] = [],
): OtherValue[] {
  const ids = [...new Set([...consulted, ...more])]
  const known = ids.filter((id): id is SettingId => Object.hasOwn(settingsById, id))
  return otherValues(known, settings, numbers)
}

function byLeft({ left: one = 0 }: PartialResult, { left: other = 0 }: PartialResult): number {
  return one - other
}

/** Leaves out the values without which the others explain the step. */
async function withoutNeedless(
  values: readonly OtherValue[],
  { run }: Trial,
): Promise<readonly OtherValue[]> {
  let needed = values
  for (const value of values) {
    const fewer = needed.filter((each) => each !== value)
    if ((await run(toOverrides(fewer), 'step')).outcome === 'same') needed = fewer
  }
  return needed
}

/** The smallest set of settings of another profile that explains the step: all of them are needed. */
async function findInProfiles(trial: Trial): Promise<readonly OtherValue[] | null> {
  for (const profile of profiles) {
    const values = Object.entries(resolveSettings(profile)).flatMap(([id, value]) => {
      const isOther = Object.hasOwn(trial.settings, id) && value !== trial.settings[id]
      return isOther ? [{ id: id as SettingId, value }] : []
    })
    if (values.length === 0) continue
    if ((await trial.run(toOverrides(values), 'step')).outcome !== 'same') continue
    return withoutNeedless(values, trial)
  }
  return null
}
