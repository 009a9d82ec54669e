import { toLiteral } from '../scenarios/format/values.ts'
import { parseTextBody } from '../scenarios/run/compare-response.ts'
import type { ReplayResult, StepDifference, StepResult } from '../scenarios/run/result.ts'
import type { Difference } from '../utils/diff.ts'
import { formatJson } from './output/format-json.ts'

type JsonPath = Difference['path']

/**
 * Changes the text of a scenario so that it expects the responses of a replay. Only values that differ are replaced:
 * matchers that hold, the order of fields and the formatting stay.
 *
 * @param text the scenario that was replayed
 */
export function updateExpectations(text: string, { steps }: ReplayResult): string {
  const scenario: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
  let updated = text
  for (const step of steps) {
    for (const difference of step.differences) {
      if (difference.path[0] !== 'expect') continue
      const path = expectActual(scenario, step, difference)
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
): JsonPath {
  const stepPath = ['steps', step - 1]
  const expectPath = [...stepPath, 'expect']
  if (difference.path[1] === 'broken') {
    const { status = 0, text = '' } = response ?? {}
    const body = parseTextBody(text)
    const expect =
      status === 0
        ? { broken: true }
        : { status, ...(body !== undefined && { body: toLiteral(body) }) }
    Object.assign(valueAt(scenario, stepPath) as object, { expect })
    return expectPath
  }
  const path = [...expectPath, ...difference.path.slice(1)]
  const name = path.at(-1) as string
  const parentPath = path.slice(0, -1)
  const parent = valueAt(scenario, parentPath) as Record<string, unknown>
  const { got: actual } = difference
  const isReplaced = Object.hasOwn(parent, name)
  if (actual !== undefined) parent[name] = toLiteral(actual)
  else if (difference.path[1] === 'headers') parent[name] = null
  else if (parentPath.length === expectPath.length) parent[name] = { $match: 'absent' }
  else delete parent[name]
  return isReplaced && parent[name] !== undefined ? path : parentPath
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value)
}

/**
 * Replaces one value in a JSON text. Everything else stays as it is written.
 *
 * @param text valid JSON that contains the path
 * @example replaceInJson('{ "status": 200, "a": 1 }', ['status'], 404) // '{ "status": 404, "a": 1 }'
 */
export function replaceInJson(text: string, path: JsonPath, value: unknown): string {
  const start = path.reduce<number>((at, name) => findMember(text, at, name), skipSpace(text, 0))
  const lineStart = text.lastIndexOf('\n', start) + 1
  const [indent = ''] = /^\s*/.exec(text.slice(lineStart)) ?? []
  const formatted = formatJson(value, indent, start - lineStart)
  const replacement = text.includes('\r\n') ? formatted.replaceAll('\n', '\r\n') : formatted
  return text.slice(0, start) + replacement + text.slice(findEnd(text, start))
}

/** The position of the value of a member. @param start the position of its object or list */
function findMember(text: string, start: number, name: string | number): number {
  const isObject = text[start] === '{'
  let at = skipSpace(text, start + 1)
  for (let index = 0; at < text.length && !'}]'.includes(text[at] as string); index++) {
    let memberName: unknown = index
    if (isObject) {
      const end = findEnd(text, at)
      memberName = JSON.parse(text.slice(at, end))
      at = skipSpace(text, skipSpace(text, end) + 1)
    }
    if (memberName === name) return at
    at = skipSpace(text, findEnd(text, at))
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  throw new Error(`Failed to find ${name} in the JSON text.`)
}

/** The position after a value. @param start its position */
function findEnd(text: string, start: number): number {
  if (!'{['.includes(text[start] as string)) return start + scalarLength(text, start)
  let depth = 0
  for (let at = start; ; at++) {
    const character = text[at] as string
    if (character === '"') at += scalarLength(text, at) - 1
    else if ('{['.includes(character)) depth += 1
    else if ('}]'.includes(character) && --depth === 0) return at + 1
  }
}

function scalarLength(text: string, start: number): number {
  const scalar = /"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y
  scalar.lastIndex = start
  return scalar.exec(text)?.[0].length ?? 1
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (/\s/.test(text[at] ?? '')) at += 1
  return at
}
