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
import type { Difference } from '../utils/diff.ts'
import { escapeRegExp } from '../utils/escape.ts'
import { formatJson } from '../utils/format-json.ts'
import { isObject, mapValues } from '../utils/json.ts'
import { Clock } from '../world/clock/clock.ts'

type JsonPath = Difference['path']

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
  let text = updateExpectations(await readScenarioText(file), result)
  const isNamed = world === 'default' || 'world' in JSON.parse(text)
  const setup = { ...(profile && { profile }), ...(!isNamed && { world }) }
  const written = Object.entries(setup)
  for (const [name, value] of written) text = setField(text, name, value)
  await writeFile(file, text)
  const accepted = !result.steps.some(
    ({ outcome, differences }) =>
      outcome === 'skipped' || differences.some(({ path }) => path[0] !== 'expect'),
  )
  const rest = accepted ? '' : ', except for differences that cannot be written'
  const fields = written.map(([name]) => name).join(' and ')
  const start = fields && ` It now has the ${fields} of this replay.`
  return { accepted, sentence: `Updated ${file} to expect the actual responses${rest}.${start}` }
}

/**
 * Changes the text of a scenario so that it expects the responses of a replay. Only values that differ are replaced:
 * matchers that hold, the order of fields and the formatting stay.
 */
export function updateExpectations(text: string, result: ReplayResult): string {
  const { steps } = result
  const scenario = JSON.parse(text.replace(/^\uFEFF/, '')) as Scenario
  const placeholders = new Placeholders(structuredClone(scenario), result)
  let updated = text
  for (const step of steps) {
    for (const difference of step.differences) {
      if (difference.path[0] !== 'expect') continue
      const path = expectActual(scenario, step, difference, placeholders)
      updated = replaceInJson(updated, path, valueAt(scenario, path))
    }
  }
  return updated
}

/** Changes the scenario so that it expects the actual value. Returns the path of the value that changed. */
function expectActual(
  scenario: unknown,
  { step, response }: StepResult,
  difference: StepDifference,
  placeholders: Placeholders,
): JsonPath {
  const stepPath = ['steps', step - 1]
  const expectPath = [...stepPath, 'expect']
  const write = (actual: unknown, written?: unknown): unknown =>
    placeholders.write(toLiteral(actual), written, step)
  if (difference.path[1] === 'broken') {
    const { status = 0, text = '' } = response ?? {}
    const body = parseTextBody(text)
    const expect =
      status === 0 ? { broken: true } : { status, ...(body !== undefined && { body: write(body) }) }
    Object.assign(valueAt(scenario, stepPath) as object, { expect })
    return expectPath
  }
  const path = [...expectPath, ...difference.path.slice(1)]
  const name = path.at(-1) as string
  const parentPath = path.slice(0, -1)
  const parent = valueAt(scenario, parentPath) as Record<string, unknown>
  const { got: actual } = difference
  const isReplaced = Object.hasOwn(parent, name)
  const written = isReplaced ? parent[name] : undefined
  const expected = actual === undefined ? actual : write(actual, written)
  if (expected !== undefined) parent[name] = expected
  else if (difference.path[1] === 'headers') parent[name] = null
  else if (parentPath.length === expectPath.length) parent[name] = { $match: 'absent' }
  else delete parent[name]
  return isReplaced && parent[name] !== undefined ? path : parentPath
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value)
}

/** Sets a field of a scenario. A new field follows the title, which every scenario has. */
function setField(text: string, name: string, value: unknown): string {
  if (Object.hasOwn(JSON.parse(text), name)) return replaceInJson(text, [name], value)
  const [start, end] = findInJson(text, ['title'])
  const [, space = ''] = /(\s*)"[^"]*"\s*:\s*$/.exec(text.slice(0, start)) ?? []
  const extended = `${text.slice(0, end)},${space}"${name}": null${text.slice(end)}`
  return replaceInJson(extended, [name], value)
}

/** Replaces one value in a JSON text. Everything else stays as it is written. */
export function replaceInJson(text: string, path: JsonPath, value: unknown): string {
  const [start, end] = findInJson(text, path)
  const lineStart = text.lastIndexOf('\n', start) + 1
  const [indent = ''] = /^\s*/.exec(text.slice(lineStart)) ?? []
  const formatted = formatJson(value, indent, start - lineStart)
  const replacement = text.includes('\r\n') ? formatted.replaceAll('\n', '\r\n') : formatted
  return text.slice(0, start) + replacement + text.slice(end)
}

function findInJson(text: string, path: JsonPath): [start: number, end: number] {
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:]+/g
  const next = (): string => tokens.exec(text)?.[0] ?? ''
  let found: [number, number] | undefined
  /** Reads a value, from its first token on. @param rest the path that leads on; null for a value beside the path */
  const read = (first: string, rest: JsonPath | null): void => {
    const start = tokens.lastIndex - first.length
    const isObject = first === '{'
    let token = isObject || first === '[' ? next() : ''
    for (let index = 0; token !== '' && token !== '}' && token !== ']'; index++) {
      const name = isObject ? JSON.parse(token) : index
      // After a name comes the colon.
      if (isObject && next()) token = next()
      read(token, rest && rest[0] === name ? rest.slice(1) : null)
      token = next()
      if (token === ',') token = next()
    }
    if (rest?.length === 0) found = [start, tokens.lastIndex]
  }
  read(next(), path)
  if (!found) throw new Error(`Failed to find ${path.join('.')} in the JSON text.`)
  return found
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
