import { otherValues, type SettingId, settingIds, settingsById } from '../../settings/setting.ts'
import { type Hypothesis, worldOf } from './hypothesis.ts'
import type { Judge } from './judge.ts'
import { Run } from './run.ts'

/** How many hypotheses are tried for one answer that no single value explains. */
const maxTogether = 600

/** How many of them are tried with all requests. */
const maxPromising = 6

/** Finds the hypothesis with which a simulator answers most like a service. */
export class Search {
  readonly judge: Judge
  readonly #runs = new Map<string, Run>()
  /** Runs in other worlds than that of the best hypothesis. */
  readonly #worlds = new Map<string, Run>()
  readonly #scores = new WeakMap<object, number>()
  readonly #onProgress: () => void
  #best: Run | null = null

  /** @param onProgress called after each hypothesis that was tried */
  constructor(judge: Judge, onProgress: () => void = () => {}) {
    this.judge = judge
    this.#onProgress = onProgress
  }

  /** The best hypothesis so far, as a run. */
  get best(): Run {
    return this.#best as Run
  }

  /** Tries values one by one, then together where an answer is another one, until nothing gets better. */
  async climb(): Promise<Run> {
    for (const hypothesis of this.judge.evidence.start) {
      const run = Run.start(this.judge.evidence.script, hypothesis)
      if (!this.#best || (await this.#score(run)) > (await this.#score(this.#best))) {
        this.#best = run
      }
    }
    const tried = new Set<number>()
    for (let isBetter = true; isBetter; ) {
      isBetter = await this.#tryAlone()
      isBetter ||= await this.#tryTogether(tried)
    }
    return this.best
  }

  /** The values to try in place of the one of a hypothesis. */
  othersOf(id: string, hypothesis: Hypothesis = this.best.hypothesis): readonly Hypothesis[] {
    const world = this.judge.evidence.worlds[id]
    if (world)
      return world.filter((each) => each !== hypothesis[id]).map((each) => ({ [id]: each }))
    const numbers = isNumeric(id) ? { [id]: this.judge.evidence.numbersOf(id) } : {}
    const others = otherValues([id as SettingId], hypothesis as never, numbers)
    return others.map(({ value }) => ({ [id]: value }))
  }

  /**
   * The run with changes of the best hypothesis.
   *
   * @param near a run that differs in few settings. By default the best one
   */
  async runWith(changes: Hypothesis, near = this.best): Promise<Run> {
    const hypothesis = { ...near.hypothesis, ...changes }
    const name = JSON.stringify(sorted(hypothesis))
    const known = this.#runs.get(name)
    if (known) return known
    const isNear = worldOf(hypothesis) === worldOf(near.hypothesis)
    const run = (isNear ? near : this.#inWorldOf(hypothesis)).with(hypothesis)
    this.#runs.set(name, run)
    this.#onProgress()
    return run
  }

  /** The best settings in another world, where all requests are sent anew. */
  #inWorldOf(hypothesis: Hypothesis): Run {
    const name = worldOf(hypothesis)
    const known = this.#worlds.get(name)
    if (known) return known
    const ids = Object.keys(this.judge.evidence.worlds)
    const world = Object.fromEntries(ids.map((id) => [id, hypothesis[id] as string]))
    const run = Run.start(this.judge.evidence.script, { ...this.best.hypothesis, ...world })
    this.#worlds.set(name, run)
    return run
  }

  async #tryAlone(): Promise<boolean> {
    let isBetter = false
    for (const id of [...settingIds, ...Object.keys(this.judge.evidence.worlds)]) {
      for (const other of this.othersOf(id)) {
        if (await this.#attempt(other)) isBetter = true
      }
    }
    return isBetter
  }

  /** Tries values that one answer depends on, two together, and all of one subject. */
  async #tryTogether(tried: Set<number>): Promise<boolean> {
    const { length } = this.judge.evidence.script
    for (let at = 0; at < length; at += 1) {
      if (tried.has(at) || !(await this.judge.isOther(at, this.best))) continue
      tried.add(at)
      const likeness = await this.judge.likeness(at, this.best)
      const promising: { readonly changes: Hypothesis; readonly gain: number }[] = []
      for (const changes of (await this.#together(at)).slice(0, maxTogether)) {
        const run = await this.runWith(changes)
        const gain = (await this.judge.likeness(at, run)) - likeness
        if (gain > 0) promising.push({ changes, gain })
      }
      promising.sort((one, other) => other.gain - one.gain)
      for (const { changes } of promising.slice(0, maxPromising)) {
        if ((await this.#attempt(changes)) || (await this.#mend(changes))) return true
      }
    }
    return false
  }

  /** Tries to mend the first answer that changes make worse, by a further value. */
  async #mend(changes: Hypothesis): Promise<boolean> {
    const run = await this.runWith(changes)
    for (let at = 0; at < run.length; at += 1) {
      const likeness = await this.judge.likeness(at, run)
      if (likeness >= (await this.judge.likeness(at, this.best))) continue
      for (const id of (await run.at(at)).used) {
        if (id in changes) continue
        for (const other of this.othersOf(id)) {
          const mended = await this.runWith({ ...changes, ...other })
          if ((await this.judge.likeness(at, mended)) <= likeness) continue
          if (await this.#attempt({ ...changes, ...other })) return true
        }
      }
      return false
    }
    return false
  }

  async #together(at: number): Promise<Hypothesis[]> {
    const ids = await this.#idsFor(at)
    const subjects = new Map<string, string[]>()
    for (const id of ids) {
      const subject = id.split('.').slice(0, 2).join('.')
      subjects.set(subject, [...(subjects.get(subject) ?? []), id])
    }
    const large = [...subjects.values()].filter((members) => members.length > 2)
    const pairs = ids.flatMap((one, index) => ids.slice(index + 1).map((other) => [one, other]))
    const single = ids.map((id) => [id])
    return [...single, ...large, ...pairs].flatMap((members) => this.#product(members))
  }

  /** The settings that an answer depends on, and those that it would depend on with another value of one of these. */
  async #idsFor(at: number): Promise<string[]> {
    const { used } = await this.best.at(at)
    const ids = new Set([...used, ...Object.keys(this.judge.evidence.worlds)])
    for (const id of used) {
      for (const other of this.othersOf(id)) {
        const run = await this.runWith(other)
        for (const further of (await run.at(at)).used) ids.add(further)
      }
    }
    return [...ids]
  }

  /** All combinations in which each member has another value than now, or any one if there are more than two. */
  #product(members: readonly string[]): Hypothesis[] {
    let all: Hypothesis[] = [{}]
    for (const id of members) {
      const values = this.othersOf(id)
      const choices = members.length > 2 ? [{}, ...values] : values
      all = all.flatMap((one) => choices.map((choice) => ({ ...one, ...choice })))
    }
    return all
  }

  async #attempt(changes: Hypothesis): Promise<boolean> {
    const run = await this.runWith(changes)
    if ((await this.#score(run)) <= (await this.#score(this.best)) + 0.001) return false
    this.#best = run
    // What is left says how it differs from the former best one.
    this.#runs.clear()
    this.#worlds.clear()
    return true
  }

  async #score(run: Run): Promise<number> {
    const known = this.#scores.get(run)
    if (known !== undefined) return known
    let score = 0
    for (let at = 0; at < run.length; at += 1) score += await this.judge.likeness(at, run)
    this.#scores.set(run, score)
    return score
  }
}

/** Whether a value is a whole number. */
export function isNumeric(id: string): boolean {
  return id in settingsById && 'integer' in settingsById[id as SettingId].values
}

function sorted(hypothesis: Hypothesis): [string, string | number][] {
  return Object.entries(hypothesis).sort(([one], [other]) => (one < other ? -1 : 1))
}
