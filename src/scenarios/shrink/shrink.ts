import { isObject } from '../../utils/json.ts'
import type { WorldJson } from '../../world/world-json.ts'
import {
  findKeyIssues,
  findScenarioIssues,
  freezeParsed,
  type ParsedScenario,
} from '../format/check-scenario.ts'
import type { Scenario, Step } from '../format/scenario.ts'

interface ShrinkResult {
  readonly scenario: ParsedScenario
  readonly runs: number
  /** How many candidates were not valid scenarios. They were not checked */
  readonly invalid: number
  /** False if the search was stopped: there may be a smaller scenario */
  readonly isMinimal: boolean
}

/** The order in which the lists of a world are shrunk: rows come before the rows they refer to. */
const listsInOrder = [
  ...['activity', 'annotations', 'plugin_configs', 'plugins', 'repository', 'dashboard_items'],
  ...['keys', 'users', 'projects', 'organizations'],
] as const

/**
 * Makes a scenario smaller while a check says that it still has its problem. Removes steps, then rows of the world,
 * then fields, and repeats this until every step, row and field is needed.
 */
export async function shrink(
  scenario: ParsedScenario,
  check: CandidateCheck,
  options: ShrinkOptions = {},
): Promise<ShrinkResult> {
  const { signal } = options
  const first = { scenario, origins: scenario.steps.map((_, index) => index) }
  const search = new CandidateSearch(first, check, options)
  try {
    for (let before: Candidate | null = null; before !== search.smallest; ) {
      before = search.smallest
      await removeSteps(search)
      for (const list of listsInOrder) await removeRows(search, list)
      await removeFields(search)
    }
  } catch (error) {
    // Thrown at once: merely to create the other candidates of a large world takes minutes.
    if (!signal?.aborted) throw error
  }
  const { smallest, runs, invalid } = search
  return { scenario: smallest.scenario, runs, invalid, isMinimal: !signal?.aborted }
}

async function removeSteps(search: CandidateSearch): Promise<void> {
  const { scenario, origins } = search.smallest
  const indexes = origins.map((_, index) => index)
  await ddmin(indexes, (rest) =>
    search.tryCandidate({
      scenario: { ...scenario, steps: rest.map((index) => scenario.steps[index] as Step) },
      origins: rest.map((index) => origins[index] as number),
    }),
  )
}

async function removeRows(search: CandidateSearch, list: keyof WorldJson): Promise<void> {
  const { scenario, origins } = search.smallest
  const { world } = scenario
  const rows = typeof world === 'object' ? world[list] : undefined
  if (!Array.isArray(rows)) return
  await ddmin(rows, (rest) =>
    search.tryCandidate({
      scenario: { ...scenario, world: { ...(world as WorldJson), [list]: rest } },
      origins,
    }),
  )
}

/** From the outermost fields inwards: removing a field removes everything in it. */
async function removeFields(search: CandidateSearch): Promise<void> {
  for (let depth = 1; ; depth++) {
    const { scenario, origins } = search.smallest
    const allPaths = pathsAtDepth(scenario, depth)
    if (allPaths.length === 0) return
    const paths = allPaths.filter((path) => !isRequired(path))
    await ddmin(paths, (rest) => {
      const remaining = new Set(rest)
      const removed = paths.filter((path) => !remaining.has(path))
      return search.tryCandidate({ scenario: omitPaths(scenario, removed) as Scenario, origins })
    })
  }
}

/** Whether a field is required in every scenario, or was already tried as a step. */
function isRequired([first, ...rest]: MemberPath): boolean {
  if (rest.length === 0) return ['title', 'steps', 'world'].includes(first as string)
  return first === 'steps' && rest.length === 1
}

/**
 * Finds a minimal sublist that still has a property, by delta debugging (Zeller, Hildebrandt: Simplifying and Isolating
 * Failure-Inducing Input, 2002). It removes large parts first, then smaller ones, then single items. Without any one of
 * the remaining items, the property is lost. The whole list must have the property.
 */
async function ddmin<T>(
  items: readonly T[],
  test: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let remaining = items
  let size = items.length
  while (size > 0 && remaining.length > 0) {
    const before = remaining.length
    for (let at = 0; at < remaining.length; ) {
      const rest = [...remaining.slice(0, at), ...remaining.slice(at + size)]
      if (await test(rest)) remaining = rest
      else at += size
    }
    // Single items are tried again as long as one is removed: another item may only have been needed for that one.
    if (size > 1) size = Math.min(Math.ceil(size / 2), Math.max(1, remaining.length))
    else if (remaining.length === before) size = 0
  }
  return remaining
}

interface Candidate<S extends Scenario = ParsedScenario> {
  readonly scenario: S
  /** The index that each step has in the original scenario */
  readonly origins: readonly number[]
}

export type CandidateCheck = (candidate: Candidate) => Promise<boolean>

interface ShrinkOptions {
  readonly signal?: AbortSignal
  /** Called with each smaller scenario, and with how often the check was run. */
  readonly onSmaller?: (scenario: Scenario, runs: number) => unknown
}

/** Tries candidates. Skips invalid ones, and those it has tried before. */
class CandidateSearch {
  runs = 0
  invalid = 0
  smallest: Candidate
  readonly #check: CandidateCheck
  readonly #options: ShrinkOptions
  /** Hashes of the tried scenarios. Their texts would need much memory. */
  readonly #tried = new Set<string>()

  constructor(first: Candidate, check: CandidateCheck, options: ShrinkOptions) {
    this.smallest = first
    this.#check = check
    this.#options = options
  }

  /** Whether a candidate still has the problem. @throws the reason of the signal after the search is stopped */
  async tryCandidate({ scenario, origins }: Candidate<Scenario>): Promise<boolean> {
    const { signal, onSmaller } = this.#options
    signal?.throwIfAborted()
    const bytes = new TextEncoder().encode(JSON.stringify(scenario))
    const digest = await crypto.subtle.digest('SHA-256', bytes)
    const hash = String.fromCharCode(...new Uint16Array(digest))
    if (this.#tried.has(hash)) return false
    this.#tried.add(hash)
    if (!isValid(scenario)) {
      this.invalid += 1
      return false
    }
    const candidate = { scenario: freezeParsed(scenario), origins }
    this.runs += 1
    if (!(await this.#check(candidate))) return false
    this.smallest = candidate
    await onSmaller?.(candidate.scenario, this.runs)
    return true
  }
}

/** False if a step uses a value that no step saves anymore, or a row refers to a removed one. */
function isValid(scenario: Scenario): boolean {
  if (findScenarioIssues(scenario).length > 0) return false
  const { world, steps } = scenario
  if (typeof world !== 'object') return true
  const labels = world.keys?.map(({ label, value }) => label ?? value) ?? []
  return findKeyIssues(steps, labels).length === 0
}

export type MemberPath = readonly (string | number)[]

/** The paths of all members at a depth. The members of the value itself have depth 1. */
export function pathsAtDepth(value: unknown, depth: number): MemberPath[] {
  if (depth === 0) return [[]]
  return membersOf(value).flatMap(([name, member]) =>
    pathsAtDepth(member, depth - 1).map((path) => [name, ...path]),
  )
}

export function omitPaths(value: unknown, paths: readonly MemberPath[]): unknown {
  if (paths.length === 0) return value
  const omitted = new Set(paths.filter(({ length }) => length === 1).map(([name]) => name))
  const innerPaths = new Map<string | number, MemberPath[]>()
  for (const [name, ...rest] of paths) {
    if (name !== undefined) innerPaths.set(name, [...(innerPaths.get(name) ?? []), rest])
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

export interface ScenarioSize {
  readonly steps: number
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
