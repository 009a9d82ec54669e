import { isSafeMethod } from '../../http/url.ts'
import {
  fieldOfOneSide,
  formatDifference,
  type StepDifference,
} from '../../scenarios/run/differences.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { numbersFor, type ShownNumbers, shownNumbers } from '../shown-numbers.ts'
import type { Hypothesis } from './hypothesis.ts'
import type { Difference, Differences, Evidence } from './judge.ts'
import type { Run } from './run.ts'
import { type Played, possibilities, type Script } from './script.ts'
import { isNumeric } from './search.ts'

/** The responses that the steps of a scenario expect. */
export class RecordedEvidence implements Evidence {
  readonly script: Script
  readonly start: readonly Hypothesis[]
  readonly worlds: Evidence['worlds']
  readonly #shown: readonly ShownNumbers[]
  readonly #differences = new WeakMap<Played, Differences>()

  constructor(script: Script) {
    this.script = script
    const names = [...new Set(script.options.possible?.values())]
    this.worlds = Object.fromEntries(names.map((name) => [name, possibilities]))
    const unchanged = Object.fromEntries(names.map((name) => [name, possibilities[0]]))
    this.start = (['documented', 'live'] as const).map((profile) => {
      return { ...resolveSettings(profile), ...unchanged }
    })
    this.#shown = script.steps.map(({ step }) => shownNumbers(step))
  }

  describeWorld(name: string, value: string): string {
    return `${name.replace(/^world\./, '')} ${value}`
  }

  numbersOf(id: string): readonly number[] {
    return [...new Set(this.#shown.flatMap((shown) => numbersFor(id, shown)))].slice(0, 20)
  }

  async differences(at: number, run: Run): Promise<Differences | null> {
    const played = await run.at(at)
    if (played.outcome === 'skipped') return null
    const known = this.#differences.get(played)
    if (known) return known
    const { differences } = played
    // With another status, the rest of a response differs of course.
    const status = differences.filter(({ where }) => where === 'status' || where === 'broken')
    const all = status.length > 0 ? status : differences
    const found = new Map(all.map((each) => [nameOf(each), toDifference(each)]))
    this.#differences.set(played, found)
    return found
  }

  subjectsOf(at: number): readonly string[] {
    const { path } = this.script.step(at)
    const below = path.replace(/^\/api\/\w+\/[^/]*\//, '')
    return [/annotations|plugins|projects/.exec(below)?.[0] ?? path]
  }

  isBelieved(): boolean {
    return true
  }

  async spoils(at: number, run: Run): Promise<boolean> {
    if (isSafeMethod(this.script.step(at).method)) return false
    return (await this.differences(at, run))?.has('status') ?? false
  }

  doubt(id: string, value: string | number): string | null {
    if (!isNumeric(id) || id === 'limits.body' || id === 'limits.retry_after') return null
    const longest = Math.max(...this.#shown.flatMap(({ rows }) => rows))
    const isMaximum = value === longest && [100, 1000].includes(Number(value))
    return isMaximum ? `${value} may be the maximum, which hides it.` : null
  }
}

/** A connection that broke is another outcome, like another status. */
function nameOf({ where }: StepDifference): string {
  return where === 'broken' ? 'status' : where
}

function toDifference(difference: StepDifference): Difference {
  const { where, got } = difference
  const field = fieldOfOneSide(difference)
  const isOfService = got === undefined
  if (field !== null) {
    const [seen, simulated] = isOfService ? ['present', 'absent'] : ['absent', 'present']
    return {
      kind: 'field',
      simulated: simulated as string,
      words: () => ({
        part: `field ${field}`,
        got: seen as string,
        simulated: simulated as string,
      }),
    }
  }
  const kind = nameOf(difference) === 'status' ? 'status' : 'part'
  return {
    kind,
    simulated: JSON.stringify(got) ?? 'nothing',
    words: () => {
      const { expected, got: simulated } = formatDifference(difference)
      const part = where.replace(/\[\d+\]/g, '[]').replace(/^body\./, 'field ')
      return { part, got: expected, simulated }
    },
  }
}
