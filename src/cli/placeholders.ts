import { diffWithMatchers } from '../scenarios/format/compare.ts'
import { isRequestStep, type Scenario, type Step } from '../scenarios/format/scenario.ts'
import {
  escapeBraces,
  fillValue,
  findNames,
  type SavedValues,
  toSpecialValue,
} from '../scenarios/format/values.ts'
import { eachLeaf, isTime, timeKey } from '../scenarios/recording/saved-ids.ts'
import type { ReplayResult } from '../scenarios/run/result.ts'
import { parseTextBody, saveValues } from '../scenarios/run/run-steps.ts'
import { escapeRegExp } from '../utils/escape.ts'
import { isObject, mapValues } from '../utils/json.ts'
import { Clock } from '../world/clock/clock.ts'

/**
 * Writes actual values as the scenario wrote them: with `{base_url}` and the names of saved values. Without a frozen clock,
 * a time that nothing in the scenario set becomes a matcher, as it differs in each replay.
 */
export class Placeholders {
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
    const isFrozen = clocks.some((setting) => new Clock(setting).mode === 'frozen')
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
  const keys = new Set<string>()
  eachLeaf(value, (leaf) => {
    if (isTime(leaf)) keys.add(timeKey(leaf))
  })
  return keys
}
