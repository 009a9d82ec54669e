import type { Scenario } from '../format/scenario.ts'
import { toLiteral } from '../format/values.ts'
import { parseTextBody } from './compare-response.ts'
import type { ReplayResult, StepDifference, StepResult } from './result.ts'

type ScenarioPath = readonly (string | number)[]

/**
 * The text of a scenario with what was answered in place of what was expected, wherever they differ; matchers that
 * hold, the order of fields, and how it is written stay.
 *
 * @param text of the scenario that was replayed
 */
export function updateExpectations(text: string, { steps }: ReplayResult): string {
  const scenario = JSON.parse(text.replace(/^\uFEFF/, '')) as Scenario
  let now = text
  for (const step of steps) {
    for (const difference of step.differences) {
      if (difference.path[0] !== 'expect') continue
      const path = acceptResponse(scenario, step, difference)
      now = replaceInJson(now, path, getAtPath(scenario, path))
    }
  }
  return now
}

/** Accepts an answer. @returns the place whose value is another one now */
function acceptResponse(
  scenario: Scenario,
  { step, answer }: StepResult,
  difference: StepDifference,
): ScenarioPath {
  const base = ['steps', step - 1, 'expect']
  if (difference.path[1] === 'broken') {
    const { status = 0, text = '' } = answer ?? {}
    const body = parseTextBody(text)
    const whole =
      status === 0
        ? { broken: true }
        : { status, ...(body !== undefined && { body: toLiteral(body) }) }
    ;(getAtPath(scenario, base.slice(0, 2)) as Record<string, unknown>).expect = whole
    return base
  }
  const path = [...base, ...difference.path.slice(1)]
  const name = path.at(-1) as string
  const parentPath = path.slice(0, -1)
  const parent = getAtPath(scenario, parentPath) as Record<string, unknown>
  const { got } = difference
  const isThere = Object.hasOwn(parent, name)
  if (got !== undefined) parent[name] = toLiteral(got)
  else if (difference.path[1] === 'headers') parent[name] = null
  else if (parentPath.length === base.length) parent[name] = { $match: 'absent' }
  else delete parent[name]
  return isThere && parent[name] !== undefined ? path : parentPath
}

function getAtPath(value: unknown, path: ScenarioPath): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], value)
}

type JsonPath = readonly (string | number)[]

/** How wide a line may be before a value is broken into several. */
const maxWidth = 100

/**
 * A JSON text with another value in one place; all else stays as it was written.
 *
 * @param text valid JSON that has the place
 * @example replacedIn('{ "status": 200, "a": 1 }', ['status'], 404) // '{ "status": 404, "a": 1 }'
 */
export function replaceInJson(text: string, path: JsonPath, value: unknown): string {
  const start = path.reduce<number>((at, step) => findChild(text, at, step), skipSpace(text, 0))
  const lineStart = text.lastIndexOf('\n', start) + 1
  const indent = /^\s*/.exec(text.slice(lineStart))?.[0] ?? ''
  const written = formatInline(value)
  const isShort = start - lineStart + written.length < maxWidth
  const lines = isShort ? written : JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`)
  const newLine = text.includes('\r\n') ? lines.replaceAll(/\r?\n/g, '\r\n') : lines
  return text.slice(0, start) + newLine + text.slice(findEnd(text, start))
}

/** Where a member of an object, or an item of a list, begins. */
function findChild(text: string, start: number, step: string | number): number {
  const isObject = text[start] === '{'
  let at = skipSpace(text, start + 1)
  for (let index = 0; at < text.length && !'}]'.includes(text[at] as string); index++) {
    let name: unknown = index
    if (isObject) {
      const end = findEnd(text, at)
      name = JSON.parse(text.slice(at, end))
      at = skipSpace(text, skipSpace(text, end) + 1)
    }
    if (name === step) return at
    at = skipSpace(text, findEnd(text, at))
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  throw new Error(`Failed to find ${step}: expected a place of the JSON text.`)
}

/** Where a value ends. */
function findEnd(text: string, start: number): number {
  if (!'{['.includes(text[start] as string)) return start + scalarLength(text, start)
  let depth = 0
  for (let at = start; ; at++) {
    const sign = text[at] as string
    if (sign === '"') at += scalarLength(text, at) - 1
    else if ('{['.includes(sign)) depth += 1
    else if ('}]'.includes(sign) && --depth === 0) return at + 1
  }
}

/** How long a text, a number, or a word is. */
function scalarLength(text: string, start: number): number {
  const pattern = /"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y
  pattern.lastIndex = start
  return pattern.exec(text)?.[0].length ?? 1
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (/\s/.test(text[at] ?? '')) at += 1
  return at
}

function formatInline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatInline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}: ${formatInline(inner)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
