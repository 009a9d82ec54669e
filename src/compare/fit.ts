import { type Profile, resolveSettings } from '../settings/resolve.ts'
import { type SettingId, type SettingValues, settingIds } from '../settings/setting.ts'
import type { Comparison, Unexplained } from './comparison.ts'
import { contradicts, type Differences, favours, isExplained, likeness } from './differences.ts'

export type Value = string | number

/** By the id of a setting, and then by one of its values. */
export type ByValue<T> = ReadonlyMap<SettingId, ReadonlyMap<Value, T>>

/** Where a simulator differs from an answer of the service: as it is, and with each other value that the answer uses. */
export interface Answer {
  /** Null if there is nothing to compare */
  readonly own: Differences | null
  readonly others: ByValue<Differences>
}

/** A simulator that is tried. */
export interface Trial {
  readonly settings: SettingValues
  /** Which lists of others have rows */
  readonly world: Readonly<Record<string, string>>
}

/** What a service answered. */
export interface Evidence {
  readonly profiles: readonly Profile[]
  readonly worlds: Readonly<Record<string, readonly string[]>>
  /** Sends all requests to a simulator, and answers each again with each other value that it used. */
  answer(trial: Trial): Promise<readonly Answer[]>
  /** The indexes of the requests from whose answers something can be concluded. */
  usable(answers: readonly Answer[]): readonly number[]
  /** Why a value cannot be told from others although answers differ, as a sentence. */
  doubt(id: SettingId, value: Value, by: readonly number[]): string | null
}

export interface Fit extends Trial {
  readonly answers: readonly Answer[]
}

/** Finds the simulator that answers most like the service: it takes the values that make answers more alike. */
export async function fitSettings(
  evidence: Evidence,
  onTrial: () => void = () => {},
): Promise<Fit> {
  const ranges = Object.entries(evidence.worlds)
  let best: Fit | null = null
  let most = -1
  const attempt = async (trial: Trial): Promise<boolean> => {
    const answers = await evidence.answer(trial)
    onTrial()
    const score = answers.reduce((sum, { own }) => sum + (own ? likeness(own) : 0), 0)
    if (score <= most + 0.001) return false
    best = { ...trial, answers }
    most = score
    return true
  }
  const improve = async ({ settings, world, answers }: Fit): Promise<boolean> => {
    const gains = gainsOf(answers)
    for (const changes of [gains, ...gains.slice(0, 6).map((each) => [each])]) {
      const changed = Object.fromEntries(changes.map(({ id, value }) => [id, value]))
      const next = { settings: { ...settings, ...changed }, world }
      if (changes.length > 0 && (await attempt(next))) return true
    }
    for (const [id, values] of ranges) {
      for (const value of values) {
        const next = { settings, world: { ...world, [id]: value } }
        if (value !== world[id] && (await attempt(next))) return true
      }
    }
    return false
  }
  const world = Object.fromEntries(ranges.map(([id, [first]]) => [id, first as string]))
  for (const each of evidence.profiles) await attempt({ settings: resolveSettings(each), world })
  while (await improve(best as unknown as Fit));
  return best as unknown as Fit
}

interface Gain {
  readonly id: SettingId
  readonly value: Value
  readonly gain: number
}

/** The best other value of each setting, the one that gains most first. */
function gainsOf(answers: readonly Answer[]): Gain[] {
  const sums = new Map<string, Gain>()
  for (const { own, others } of answers) {
    if (!own) continue
    for (const [id, byValue] of others) {
      for (const [value, other] of byValue) {
        const { gain = 0 } = sums.get(`${id}=${value}`) ?? {}
        const sum = gain + likeness(other) - likeness(own)
        sums.set(`${id}=${value}`, { id, value, gain: sum })
      }
    }
  }
  const gains = [...sums.values()].filter(({ gain }) => gain > 0.001)
  gains.sort((one, other) => other.gain - one.gain)
  return gains.filter(({ id }, at) => gains.findIndex((each) => each.id === id) === at)
}

/** What answers say about one value. */
export interface Finding {
  readonly id: SettingId
  /** The value of the best explanation */
  readonly best: Value
  /** The requests whose answers exclude another value, by their indexes */
  readonly by: readonly number[]
  /** Values that fit as well */
  readonly or: readonly Value[]
  /** Why the value stays open, as a sentence. Null if no other value fits */
  readonly open: string | null
}

/** A value is known if some answer excludes each other one, and no answer favours another one. */
export function conclude({ settings, answers }: Fit, evidence: Evidence): Finding[] {
  const usable = evidence.usable(answers).map((at) => ({ at, ...(answers[at] as Answer) }))
  return settingIds.map((id): Finding => {
    const best = settings[id]
    const values = new Set(usable.flatMap(({ others }) => [...(others.get(id)?.keys() ?? [])]))
    const by = new Set<number>()
    const or: Value[] = []
    let isDenied = false
    for (const value of values) {
      const pairs = usable.flatMap(({ at, own, others }) => {
        const other = others.get(id)?.get(value)
        return own && other ? [{ at, own, other }] : []
      })
      const mine = pairs.filter(({ own, other }) => favours(own, other))
      const isAgainst = pairs.some(
        ({ own, other }) => favours(other, own) || contradicts(own, other),
      )
      if (mine.length === 0 || isAgainst) or.push(value)
      for (const { at } of mine) by.add(at)
      isDenied ||= isAgainst
    }
    if (by.size === 0 && !isDenied) return { id, best, by: [], or: [], open: notShown }
    const shown = [...by].sort((one, other) => one - other)
    const open = isDenied
      ? 'The answers fit none of its values.'
      : or.length > 0
        ? `${new Intl.ListFormat('en-GB').format([best, ...or].map(String))} fit.`
        : evidence.doubt(id, best, shown)
    return { id, best, by: shown, or, open }
  })
}

/** Why a value stays open that no answer depends on. */
export const notShown = 'No response shows it.'

/** Says what differs in the best explanation. @param nameOf names a request by its index */
export function review(
  { answers }: Fit,
  usable: readonly number[],
  nameOf: (at: number) => string,
): Pick<Comparison, 'compared' | 'explained' | 'unexplained'> {
  const groups = new Map<string, Unexplained & { readonly requests: string[] }>()
  let explained = 0
  for (const at of usable) {
    const differences = answers[at]?.own ?? new Map()
    explained += Number(isExplained(differences))
    for (const { words } of differences.values()) {
      if (words === null) continue
      const what = words()
      const group = groups.get(JSON.stringify(what)) ?? { ...what, requests: [] }
      groups.set(JSON.stringify(what), group)
      if (!group.requests.includes(nameOf(at))) group.requests.push(nameOf(at))
    }
  }
  return { compared: usable.length, explained, unexplained: [...groups.values()] }
}
