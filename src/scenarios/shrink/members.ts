import { isObject } from '../../utils/json.ts'
import type { Scenario } from '../format/scenario.ts'

/** The names and indexes that lead to a member of a JSON value. */
export type MemberPath = readonly (string | number)[]

/** The paths of all members at a depth. The members of the value itself have depth 1. */
export function pathsAtDepth(value: unknown, depth: number): MemberPath[] {
  if (depth === 0) return [[]]
  return membersOf(value).flatMap(([name, member]) =>
    pathsAtDepth(member, depth - 1).map((path) => [name, ...path]),
  )
}

/** Copies a JSON value without some of its members. */
export function omitPaths(value: unknown, paths: readonly MemberPath[]): unknown {
  if (paths.length === 0) return value
  const omitted = new Set(paths.filter(({ length }) => length === 1).map(([name]) => name))
  const innerPaths = new Map<string | number, MemberPath[]>()
  for (const [name, ...rest] of paths) {
    if (name === undefined || rest.length === 0) continue
    innerPaths.set(name, [...(innerPaths.get(name) ?? []), rest])
  }
  const members = membersOf(value)
    .filter(([name]) => !omitted.has(name))
    .map(([name, member]) => [name, omitPaths(member, innerPaths.get(name) ?? [])] as const)
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

function membersOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((member, index) => [index, member])
  return isObject(value) ? Object.entries(value) : []
}

/** How large a scenario is. */
export interface ScenarioSize {
  readonly steps: number
  /** Rows of the world in the scenario */
  readonly rows: number
  /** All members at any depth, steps and rows included */
  readonly fields: number
}

export function measureScenario(scenario: Scenario): ScenarioSize {
  const { steps, world } = scenario
  const lists = typeof world === 'object' ? Object.values(world).filter(Array.isArray) : []
  const rows = lists.reduce((sum, list) => sum + list.length, 0)
  return { steps: steps.length, rows, fields: countMembers(scenario) }
}

function countMembers(value: unknown): number {
  return membersOf(value).reduce((sum, [, member]) => sum + 1 + countMembers(member), 0)
}
