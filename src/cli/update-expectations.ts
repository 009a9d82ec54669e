import { writeFile } from 'node:fs/promises'
import { diffWithMatchers } from '../scenarios/format/compare.ts'
import { isRequestStep, type Scenario, type Step } from '../scenarios/format/scenario.ts'
import {
  escapeBraces,
  fillValue,
  findNames,
  type SavedValues,
  toLiteral,
  toSpecialValue,
} from '../scenarios/format/values.ts'
import { readScenarioText } from '../scenarios/library.ts'
import { isTime, timeKey } from '../scenarios/recording/generalize.ts'
import type { StepDifference } from '../scenarios/run/differences.ts'
import type { ReplayResult, StepResult } from '../scenarios/run/result.ts'
import type { ReplayOptions } from '../scenarios/run/run-scenario.ts'
import { parseTextBody, saveValues } from '../scenarios/run/run-steps.ts'
import { escapeRegExp } from '../utils/escape.ts'
import { formatJson } from '../utils/format-json.ts'
import { isObject, mapValues } from '../utils/json.ts'
import { Clock } from '../world/clock/clock.ts'

/**
 * Writes the actual responses to a file, and the profile and the world that they come from.
 *
 * @returns whether the file then has no difference, and a sentence that says what was written
 */
export async function updateFile(
  file: string,
  result: ReplayResult,
  { profile, world }: Pick<ReplayOptions, 'profile' | 'world'>,
): Promise<{ accepted: boolean; sentence: string }> {
  const text = (await readScenarioText(file)).replace(/^\uFEFF/, '')
  const before = JSON.parse(text) as Scenario
  const { title, ...scenario } = updateExpectations(before, result)
  const isNamed = world === 'default' || scenario.world !== undefined
  const setup = { ...(profile && { profile }), ...(!isNamed && { world }) }
  const { $schema, format_version, ...rest } = scenario
  const head = { ...($schema && { $schema }), ...(format_version && { format_version }), title }
  const format = formats.find((each) => each(before).trim() === text.trim())
  const after = { ...head, ...setup, ...rest, ...setup } as Scenario
  await writeFile(file, `${(format ?? formatJson)(after)}\n`)
  const accepted = !result.steps.some(
    ({ outcome, differences }) =>
      outcome === 'skipped' || differences.some(({ path }) => path[0] !== 'expect'),
  )
  const exception = accepted ? '' : ', except for differences that cannot be written'
  const fields = Object.keys(setup).join(' and ')
  const start = fields && ` It now has the ${fields} of this replay.`
  const layout = format ? '' : ' Its lines are formatted anew.'
  return {
    accepted,
    sentence: `Updated ${file} to expect the actual responses${exception}.${start}${layout}`,
  }
}

/** The layouts that an update keeps: that of this package, and those of other formatters. */
const formats: readonly ((scenario: Scenario) => string)[] = [
  (scenario) => formatJson(scenario),
  ...[2, 4, '\t'].map((indent) => (scenario: Scenario) => JSON.stringify(scenario, null, indent)),
]

/** Makes a scenario expect the responses of a replay. Only values that differ are replaced: matchers that hold stay. */
export function updateExpectations(before: Scenario, result: ReplayResult): Scenario {
  const scenario = structuredClone(before)
  const placeholders = new Placeholders(before, result)
  for (const step of result.steps) {
    for (const difference of step.differences) {
      if (difference.path[0] === 'expect') expectActual(scenario, step, difference, placeholders)
    }
  }
  return scenario
}

/** Changes the scenario so that it expects the actual value. */
function expectActual(
  { steps }: Scenario,
  { step, response }: StepResult,
  difference: StepDifference,
  placeholders: Placeholders,
): void {
  const changed = steps[step - 1] as object
  const write = (actual: unknown, written?: unknown): unknown =>
    placeholders.write(toLiteral(actual), written, step)
  if (difference.path[1] === 'broken') {
    const { status = 0, text = '' } = response ?? {}
    const body = parseTextBody(text)
    const expect =
      status === 0 ? { broken: true } : { status, ...(body !== undefined && { body: write(body) }) }
    Object.assign(changed, { expect })
    return
  }
  const [name = '', ...outer] = difference.path.toReversed()
  const parent = outer.reduceRight<unknown>(
    (value, field) => (value as Record<string, unknown>)[field],
    changed,
  ) as Record<string, unknown>
  const { got: actual } = difference
  const written = Object.hasOwn(parent, name) ? parent[name] : undefined
  const expected = actual === undefined ? actual : write(actual, written)
  if (expected !== undefined) parent[name] = expected
  else if (difference.path[1] === 'headers') parent[name] = null
  else if (outer.length === 1) parent[name] = { $match: 'absent' }
  else delete parent[name]
}

/**
 * Writes actual values as the scenario wrote them: with `{base_url}` and the names of saved values. Without a frozen clock,
 * a time that nothing in the scenario set becomes a matcher, as it differs in each replay.
 */
class Placeholders {
  readonly #baseUrl: string
  readonly #steps: readonly Step[]
  readonly #results: ReplayResult['steps']
  /** The times that the scenario names. Null if its clock is frozen, so that each replay shows the same times */
  readonly #knownTimes: ReadonlySet<string> | null

  constructor(
    { world, clock, steps }: Pick<Scenario, 'world' | 'clock' | 'steps'>,
    { base_url, steps: results }: ReplayResult,
  ) {
    this.#baseUrl = base_url
    this.#steps = steps
    this.#results = results
    const clocks = [{ clock }, ...steps].flatMap((step) => ('clock' in step && step.clock) || [])
    const isFrozen = clocks.some((value) => new Clock(value).mode === 'frozen')
    const sources = steps.map((step) => ({ ...step, expect: null }))
    this.#knownTimes = isFrozen ? null : collectTimes([world, sources])
  }

  /**
   * Writes a value in place of another one. Items of a list that are as expected stay as they are written.
   *
   * @param written what the scenario expects, with matchers and names. Undefined for a new value
   * @param step its number, from 1
   */
  write(actual: unknown, written: unknown, step: number): unknown {
    return this.#write(actual, written, this.#savedBefore(step))
  }

  #write(actual: unknown, written: unknown, saved: SavedValues): unknown {
    if (typeof actual === 'string') {
      const isNew = isTime(actual) && this.#knownTimes?.has(timeKey(actual)) === false
      return isNew ? { $match: 'time' } : this.#writeText(actual, written, saved)
    }
    if (typeof actual !== 'object' || actual === null) return actual
    if (toSpecialValue(actual)) return actual
    if (Array.isArray(actual)) {
      return this.#writeItems(actual, Array.isArray(written) ? written : [], saved)
    }
    const fields = isObject(written) ? written : {}
    return mapValues(actual as Record<string, unknown>, (value, name) =>
      this.#write(value, fields[name], saved),
    )
  }

  #writeItems(
    actual: readonly unknown[],
    written: readonly unknown[],
    saved: SavedValues,
  ): unknown[] {
    let next = 0
    return actual.map((item) => {
      const at = written.findIndex(
        (one, index) =>
          index >= next && diffWithMatchers(fillValue(one, saved), item, false).length === 0,
      )
      if (at < 0) return this.#write(item, undefined, saved)
      next = at + 1
      return written[at]
    })
  }

  #writeText(actual: string, written: unknown, saved: SavedValues): unknown {
    const names = findNames(written, []).map(({ name }) => name)
    const start = `${this.#baseUrl}/`
    const parts = actual.split(start).map((part) => {
      let text = escapeBraces(part)
      for (const name of names) {
        const value = saved.get(name)
        if (name === 'base_url' || value === undefined || value === '') continue
        const whole = new RegExp(`(?<![\\w{-])${escapeRegExp(String(value))}(?![\\w}-])`, 'g')
        text = text.replace(whole, `{${name}}`)
      }
      return text
    })
    const text = parts.join('{base_url}/')
    return text === escapeBraces(actual) ? actual : { $text: text }
  }

  /** The values that earlier steps saved. Ids of rows that a step added are not among them. */
  #savedBefore(step: number): SavedValues {
    const saved = new Map<string, unknown>()
    for (const { step: number, response } of this.#results) {
      const earlier = this.#steps[number - 1]
      if (number >= step || !response || !earlier || !isRequestStep(earlier)) continue
      if (earlier.save) saveValues(earlier.save, parseTextBody(response.text), saved)
    }
    return saved
  }
}

function collectTimes(value: unknown): Set<string> {
  if (isTime(value)) return new Set([timeKey(value)])
  if (typeof value !== 'object' || value === null) return new Set()
  return new Set(Object.values(value).flatMap((inner) => [...collectTimes(inner)]))
}
