import { settingIds } from '../../settings/setting.ts'
import type { Hypothesis } from './hypothesis.ts'
import type { Run } from './run.ts'
import { isNumeric, type Search } from './search.ts'

/** What answers say about one value. */
export interface Finding {
  readonly id: string
  /** The value that no other one can replace. Null if the value stays open */
  readonly value: string | number | null
  /** The value of the best explanation, whether or not another one fits as well */
  readonly best: string | number
  /** The requests whose answers exclude another value, by their indexes */
  readonly by: readonly number[]
  /** Values that fit as well */
  readonly or: readonly (string | number)[]
  /** Why the value stays open, as a sentence. Null if it has a value */
  readonly open: string | null
}

/** Says for each value whether the answers that a search explained can be explained with another value. */
export async function conclude(search: Search): Promise<Finding[]> {
  const usable = await search.judge.usable(search.best)
  const conclusion = new Conclusion(search, usable)
  const findings: Finding[] = []
  for (const id of settingIds) findings.push(await conclusion.find(id))
  return findings
}

class Conclusion {
  readonly #search: Search
  readonly #usable: readonly number[]

  constructor(search: Search, usable: readonly number[]) {
    this.#search = search
    this.#usable = usable
  }

  async find(id: string): Promise<Finding> {
    const { best, judge } = this.#search
    const value = best.hypothesis[id] as string | number
    const others = this.#othersOf(id, value)
    const open = (reason: string, more: Partial<Finding> = {}): Finding => {
      return { id, value: null, best: value, by: [], or: [], ...more, open: reason }
    }
    if (others.length === 0) return open('It has only one value.')
    const by = new Set<number>()
    const or: (string | number)[] = []
    let isTold = false
    let reason: string | null = null
    for (const changes of others) {
      const other = changes[id] as string | number
      const run = await this.#search.runWith(changes)
      const mine = await this.#favouring(best, run)
      const against = await this.#against(run)
      isTold ||= mine.length > 0 || against > 0
      if (mine.length === 0 || against > 0) or.push(other)
      for (const at of mine) by.add(at)
      if (against > 0) reason ??= 'The answers fit none of its values.'
      if (mine.length === 0 || against > 0) continue
      const second = await this.#secondThatFits(changes, run, mine)
      if (second === null) continue
      or.push(other)
      reason ??= `${other} fits as well, if ${this.#describe(second)}.`
    }
    if (!isTold) return open(notShown)
    const shown = { by: [...by].sort((one, next) => one - next), or }
    reason ??= or.length > 0 ? `${listValues([value, ...or])} fit.` : null
    reason ??= judge.evidence.doubt(id, value, shown.by)
    return reason === null ? { id, value, best: value, ...shown, open: null } : open(reason, shown)
  }

  #describe(second: Hypothesis): string {
    const { judge } = this.#search
    const [[name, value] = ['', '']] = Object.entries(second)
    return name in judge.evidence.worlds
      ? judge.evidence.describeWorld(name, `${value}`)
      : `${name} is ${value}`
  }

  #othersOf(id: string, value: string | number): readonly Hypothesis[] {
    const others = this.#search.othersOf(id)
    if (!isNumeric(id)) return others
    const beside = [Number(value) - 1, Number(value) + 1].filter((number) => number > 0)
    return [...others, ...beside.map((number) => ({ [id]: number }))]
  }

  async #favouring(one: Run, other: Run): Promise<number[]> {
    const found: number[] = []
    for (const at of this.#usable) {
      if (await this.#search.judge.favours(at, one, other)) found.push(at)
    }
    return found
  }

  /** How many answers are those with another value, or not those that the best one would give. */
  async #against(other: Run): Promise<number> {
    const { best, judge } = this.#search
    let count = 0
    for (const at of this.#usable) {
      if (await judge.favours(at, other, best)) count += 1
      else if (await judge.contradicts(at, best, other)) count += 1
    }
    return count
  }

  /** A value of a second value with which another value fits as well as the best one. */
  async #secondThatFits(
    changes: Hypothesis,
    run: Run,
    mine: readonly number[],
  ): Promise<Hypothesis | null> {
    for (const id of await this.#sharedBy(mine, run)) {
      if (id in changes || isNumeric(id)) continue
      for (const second of this.#search.othersOf(id)) {
        if (await this.#isSurelyExcluded(second, run, mine)) continue
        const both = await this.#search.runWith(second, run)
        if (!(await this.#excludes(both, mine))) return second
      }
    }
    return null
  }

  /** Whether one of these answers excludes a second value, too. A value that changes no rows is tried with one request. */
  async #isSurelyExcluded(second: Hypothesis, run: Run, mine: readonly number[]): Promise<boolean> {
    const { best, judge } = this.#search
    if (Object.keys(second).some((id) => id in judge.evidence.worlds)) return false
    const alone = await this.#search.runWith(second)
    const both = run.peek(second)
    for (const at of mine) {
      if (!(await alone.hasSameState(at))) return false
      if (await judge.favours(at, best, both)) return true
    }
    return false
  }

  /** The settings that all of these answers depend on, by themselves or by earlier ones. */
  async #sharedBy(mine: readonly number[], run: Run): Promise<string[]> {
    const { judge } = this.#search
    let shared: string[] | null = null
    for (const at of mine) {
      const used = new Set<string>()
      for (const each of [at, ...judge.earlier(at)]) {
        for (const id of (await run.at(each)).used) used.add(id)
      }
      shared = shared === null ? [...used] : shared.filter((id) => used.has(id))
    }
    return [...(shared ?? []), ...Object.keys(judge.evidence.worlds)]
  }

  /** Whether an answer excludes a hypothesis. Those that are likely to do are looked at first. */
  async #excludes(other: Run, likely: readonly number[]): Promise<boolean> {
    const { best, judge } = this.#search
    for (const at of likely) if (await judge.favours(at, best, other)) return true
    for (const at of this.#usable) if (await judge.favours(at, best, other)) return true
    return false
  }
}

/** Why a value stays open that no answer depends on. */
export const notShown = 'No response shows it.'

function listValues(values: readonly (string | number)[]): string {
  return new Intl.ListFormat('en-GB').format(values.map(String))
}
