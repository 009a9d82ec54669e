import { isObject } from '../../utils/json.ts'
import type { Scenario } from '../format/scenario.ts'

/** The names and positions that lead to a member of an object, or an item of a list. */
export type MemberPath = readonly (string | number)[]

/** The places of a value at a depth: 1 for its own members. */
export function pathsAtDepth(value: unknown, depth: number): MemberPath[] {
  if (depth === 0) return [[]]
  return membersOf(value).flatMap(([name, inner]) =>
    pathsAtDepth(inner, depth - 1).map((path) => [name, ...path]),
  )
}

/** How many places a value has, at any depth. */
function countMembers(value: unknown): number {
  return membersOf(value).reduce((sum, [, inner]) => sum + 1 + countMembers(inner), 0)
}

/** A value without some of its places. */
export function omitPaths(value: unknown, places: readonly MemberPath[]): unknown {
  if (places.length === 0) return value
  const gone = new Set(places.filter(({ length }) => length === 1).map(([name]) => name))
  const deeper = new Map<string | number, MemberPath[]>()
  for (const [name, ...rest] of places) {
    if (rest.length === 0) continue
    deeper.set(name as string | number, [...(deeper.get(name as string | number) ?? []), rest])
  }
  const kept = membersOf(value)
    .filter(([name]) => !gone.has(name))
    .map(([name, inner]) => [name, omitPaths(inner, deeper.get(name) ?? [])] as const)
  return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept)
}

function membersOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((inner, index) => [index, inner])
  return isObject(value) ? Object.entries(value) : []
}

/** How large a scenario is. */
export interface ScenarioSize {
  readonly steps: number
  /** Of the world that it begins with */
  readonly rows: number
  /** Members and items of all that is in it, steps and rows included */
  readonly fields: number
}

export function measureScenario(scenario: Scenario): ScenarioSize {
  const { steps, world } = scenario
  const lists = typeof world === 'object' ? Object.values(world).filter(Array.isArray) : []
  const rows = lists.reduce((sum, list) => sum + list.length, 0)
  return { steps: steps.length, rows, fields: countMembers(scenario) }
}
