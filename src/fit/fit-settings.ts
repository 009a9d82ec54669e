import type { Profile } from '../settings/profiles.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { SettingId, SettingValues } from '../settings/setting.ts'
import { type Differences, likeness } from './answer-differences.ts'

export type TriedValue = string | number

/** By the id of a setting, and then by one of its values. */
export type ByValue<T> = ReadonlyMap<SettingId, ReadonlyMap<TriedValue, T>>

export function setByValue<T>(
  map: Map<SettingId, Map<TriedValue, T>>,
  id: SettingId,
  value: TriedValue,
  item: T,
): void {
  map.set(id, (map.get(id) ?? new Map<TriedValue, T>()).set(value, item))
}

/** Where a simulator differs from an answer of the service: as it is, and with each other value that the answer uses. */
export interface ComparedAnswer {
  /** Null if there is nothing to compare */
  readonly differences: Differences | null
  readonly withOthers: ByValue<Differences>
}

export interface Trial {
  readonly settings: SettingValues
  /** What the world of the simulator is like, by the names of `ServiceAnswers.worlds` */
  readonly world: Readonly<Record<string, string>>
}

export interface ServiceAnswers {
  readonly profiles: readonly Profile[]
  /** The worlds that are tried: the values of each of their traits */
  readonly worlds: Readonly<Record<string, readonly string[]>>
  /** Sends all requests to a simulator, each also with each other value that it used, unless `hasOthers` is false. */
  compare(trial: Trial, hasOthers?: boolean): Promise<readonly ComparedAnswer[]>
}

export interface Fit extends Trial {
  readonly answers: readonly ComparedAnswer[]
}

/** How many of the values that gain are tried alone, if all of them together gain nothing. */
const triedAlone = 6

/** Less than any difference makes. */
const epsilon = 0.001

/**
 * Finds the simulator that answers most like the service: it takes the values that make answers more alike, all at once
 * or else one at a time, and sends the requests again, until none makes them more alike.
 */
export async function fitSettings(service: ServiceAnswers): Promise<Fit> {
  const traits = Object.entries(service.worlds)
  const scoreOf = async (trial: Trial) => likenessOf(await service.compare(trial, false))
  const fitOf = async (trial: Trial): Promise<Fit> => {
    return { ...trial, answers: await service.compare(trial) }
  }
  const better = async (trials: Iterable<Trial>, least: number): Promise<Trial | null> => {
    for (const trial of trials) if ((await scoreOf(trial)) > least + epsilon) return trial
    return null
  }
  const world = Object.fromEntries(traits.map(([name, [first]]) => [name, first as string]))
  const [usual, ...others] = service.profiles.map((profile) => {
    return { settings: resolveSettings(profile), world }
  })
  let fit = await fitOf(usual as Trial)
  const isSettled = ({ answers }: Fit) =>
    answers.every(isWhollyAlike) || (traits.length === 0 && gainsOf(answers).length === 0)
  if (isSettled(fit)) return fit
  const other = await better(others, likenessOf(fit.answers))
  if (other) fit = await fitOf(other)
  while (!isSettled(fit)) {
    const score = likenessOf(fit.answers)
    const next = await better(neighboursOf(fit, service.worlds), score)
    if (!next) break
    fit = await fitOf(next)
  }
  return fit
}

/** How much of all answers a simulator explains. */
function likenessOf(answers: readonly ComparedAnswer[]) {
  return answers.reduce(
    (sum, { differences }) => sum + (differences ? likeness(differences) : 0),
    0,
  )
}

/** No other simulator can be more alike. */
function isWhollyAlike({ differences }: ComparedAnswer) {
  return differences === null || likeness(differences) === likeness(new Map())
}

/** The simulators that differ from one in all values that gain, in one of them, or in a trait of the world. */
function* neighboursOf(
  { settings, world, answers }: Fit,
  worlds: ServiceAnswers['worlds'],
): Generator<Trial> {
  const gains = gainsOf(answers)
  const groups =
    gains.length === 0 ? [] : [gains, ...gains.slice(0, triedAlone).map((gain) => [gain])]
  for (const group of groups) {
    const changed = Object.fromEntries(group.map(({ id, value }) => [id, value]))
    yield { settings: { ...settings, ...changed }, world }
  }
  for (const [trait, values] of Object.entries(worlds)) {
    for (const value of values) {
      if (value !== world[trait]) yield { settings, world: { ...world, [trait]: value } }
    }
  }
}

interface Gain {
  readonly id: SettingId
  readonly value: TriedValue
  readonly gain: number
}

/** The best other value of each setting, the one that gains most first. */
function gainsOf(answers: readonly ComparedAnswer[]) {
  const sums = new Map<string, Gain>()
  for (const { differences, withOthers } of answers) {
    if (!differences) continue
    for (const [id, byValue] of withOthers) {
      for (const [value, changed] of byValue) {
        const { gain = 0 } = sums.get(`${id}=${value}`) ?? {}
        const sum = gain + likeness(changed) - likeness(differences)
        sums.set(`${id}=${value}`, { id, value, gain: sum })
      }
    }
  }
  const best = new Map<SettingId, Gain>()
  for (const gain of [...sums.values()].sort((a, b) => b.gain - a.gain)) {
    if (gain.gain > epsilon && !best.has(gain.id)) best.set(gain.id, gain)
  }
  return [...best.values()]
}
