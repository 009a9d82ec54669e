import { isSafeMethod } from '../../http/url.ts'
import type { RequestStep } from '../../scenarios/format/scenario.ts'
import { fieldsOfOneSide } from '../../scenarios/run/differences.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { numbersFor, type ShownNumbers, shownNumbers } from '../shown-numbers.ts'
import type { Judge } from './judge.ts'
import type { Hypothesis, Run } from './run.ts'
import { isNumeric } from './search.ts'
import {
  type ComparedStep,
  type PlayedStep,
  possibilities,
  type StepScript,
} from './step-script.ts'

type State =
  Awaited<ReturnType<StepScript['open']>> extends { save(): infer S } ? Exclude<S, null> : never
/** A simulator that answers steps. */
export type StepRun = Run<PlayedStep, State>

/** How many steps with the same kind of difference are explained by several values together. */
const maxSameKind = 3

/** Judges simulators by the responses that steps expect. Only where two simulators differ, they are compared. */
export class StepJudge implements Judge<PlayedStep, State> {
  readonly script: StepScript
  readonly start: readonly Hypothesis[]
  readonly worlds: Judge<PlayedStep, State>['worlds']
  readonly #shown: readonly ShownNumbers[]
  readonly #kinds = new Map<string, Set<number>>()

  constructor(script: StepScript) {
    this.script = script
    const names = [...new Set(script.options.possible.values())]
    this.worlds = Object.fromEntries(names.map((name) => [name, possibilities]))
    const unchanged = Object.fromEntries(names.map((name) => [name, possibilities[0]]))
    this.start = (['documented', 'live'] as const).map((profile) => {
      return { ...resolveSettings(profile), ...unchanged }
    })
    this.#shown = script.steps.map(({ step }) => shownNumbers(step))
  }

  numbersOf(id: string): readonly number[] {
    return [...new Set(this.#shown.flatMap((shown) => numbersFor(id, shown)))].slice(0, 20)
  }

  /** A response with another status explains nothing. Each part that differs counts, the first ones most. */
  async likeness(at: number, run: StepRun): Promise<number> {
    const { answer } = await run.at(at)
    if (answer.outcome === 'skipped') return 0
    if (answer.outcome === 'passed') return 20
    return hasOtherStatus(answer) ? 0 : 10 + 8 / (1 + answer.differences.length)
  }

  async isOther(at: number, run: StepRun): Promise<boolean> {
    const { answer } = await run.at(at)
    if (answer.outcome !== 'failed' || fieldsOfOneSide(answer).length > 0) return false
    const kind = kindOf(this.step(at), answer)
    const known = this.#kinds.get(kind) ?? new Set()
    this.#kinds.set(kind, known)
    if (known.size < maxSameKind) known.add(at)
    return known.has(at)
  }

  async favours(at: number, one: StepRun, other: StepRun): Promise<boolean> {
    const pair = await this.#differing(at, one, other)
    if (pair === null) return false
    const [mine, theirs] = pair
    if (mine.has('status') || mine.has('broken')) return false
    const worse = [...theirs.keys()].some((where) => !mine.has(where))
    return worse && [...mine.keys()].every((where) => theirs.has(where) || theirs.has('status'))
  }

  async contradicts(at: number, one: StepRun, other: StepRun): Promise<boolean> {
    const [mine, theirs] = (await this.#differing(at, one, other)) ?? []
    const status = mine?.get('status')
    return status !== undefined && theirs?.has('status') === true && theirs.get('status') !== status
  }

  /** Where two simulators respond otherwise than the service, and how. Null for the same response, or none */
  async #differing(
    at: number,
    one: StepRun,
    other: StepRun,
  ): Promise<readonly [Differing, Differing] | null> {
    const [first, second] = [(await one.at(at)).answer, (await other.at(at)).answer]
    if (first === second || first.outcome === 'skipped' || second.outcome === 'skipped') return null
    return [differing(first), differing(second)]
  }

  step(at: number): RequestStep {
    return (this.script.steps[at] as ComparedStep).step
  }

  /** After a write that the best simulator carries out otherwise, its resource has other rows, and shows nothing. */
  async usable(best: StepRun): Promise<readonly number[]> {
    const spoilt = new Set<string>()
    const usable: number[] = []
    for (let at = 0; at < best.length; at += 1) {
      const { answer } = await best.at(at)
      const resource = resourceOf(this.step(at))
      if (answer.outcome === 'skipped') continue
      if (!spoilt.has(resource)) usable.push(at)
      const isWrite = !isSafeMethod(this.step(at).method)
      if (isWrite && answer.outcome === 'failed' && hasOtherStatus(answer)) spoilt.add(resource)
    }
    return usable
  }

  earlier(at: number): readonly number[] {
    const resource = resourceOf(this.step(at))
    return this.script.steps.flatMap(({ step }, index) =>
      index < at && !isSafeMethod(step.method) && resourceOf(step) === resource ? [index] : [],
    )
  }

  describeWorld(name: string, value: string): string {
    return `${name.replace(/^world\./, '')} ${value}`
  }

  doubt(id: string, value: string | number): string | null {
    if (!isNumeric(id) || id === 'limits.body' || id === 'limits.retry_after') return null
    const longest = Math.max(...this.#shown.flatMap(({ rows }) => rows))
    const isMaximum = value === longest && [100, 1000].includes(Number(value))
    return isMaximum ? `${value} may be the maximum, which hides it.` : null
  }
}

type Differing = ReadonlyMap<string, string>

function differing({ differences }: PlayedStep): Differing {
  return new Map(differences.map(({ where, got }) => [where, JSON.stringify(got) ?? 'nothing']))
}

/** Whether a response has another status, or arrived otherwise. */
export function hasOtherStatus({ differences }: PlayedStep): boolean {
  return differences.some(({ where }) => where === 'status' || where === 'broken')
}

/** Names a difference without the rows that it is about. */
export function kindOf(step: RequestStep, { operation, status, differences }: PlayedStep): string {
  const places = new Set(differences.map(({ where }) => where.replace(/\[\d+\]/g, '[]')))
  return [operation ?? step.path, status, step.expect?.status, ...places].join(' ')
}

export function resourceOf({ path }: RequestStep): string {
  return /annotations|plugins|projects/.exec(path.replace(/^\/api\/\w+\/[^/]*\//, ''))?.[0] ?? path
}
