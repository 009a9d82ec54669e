import type { WorldJson } from '../../world/world-json.ts'
import type { Scenario } from '../format/scenario.ts'
import { type Candidate, type CandidateCheck, CandidateSearch } from './candidates.ts'
import { type MemberPath, omitPaths, pathsAtDepth } from './members.ts'

/** What came of it. */
export interface ShrinkResult {
  /** The smallest scenario that still does it */
  readonly scenario: Scenario
  /** How often the check was run */
  readonly runs: number
  /** How many candidates were no scenarios, and so not tried */
  readonly invalid: number
  /** Whether nothing more can be left out; else it was stopped before */
  readonly isMinimal: boolean
}

/** Who is told along the way, and who may end it. */
export interface ShrinkOptions {
  readonly signal?: AbortSignal
  /** Told of each smaller scenario, and how often the check was run until then. */
  readonly onSmaller?: (scenario: Scenario, runs: number) => unknown
}

/** In which order lists of the world are tried: what names another row before that row. */
const listsInOrder = [
  ...['activity', 'annotations', 'plugin_configs', 'plugins', 'repository', 'dashboard_items'],
  ...['keys', 'users', 'projects', 'organizations'],
] as const

/**
 * Makes a scenario small: leaves out steps, then rows of its world, then fields, while a check says that it still
 * does what it did; again from the beginning, until each single step, row and field is needed.
 *
 * @param check whether a candidate still does it; the scenario itself does
 */
export async function shrink(
  scenario: Scenario,
  check: CandidateCheck,
  { signal, onSmaller }: ShrinkOptions = {},
): Promise<ShrinkResult> {
  const first = { scenario, origins: scenario.steps.map((_, index) => index) }
  const candidates: CandidateSearch = new CandidateSearch(
    first,
    check,
    () => onSmaller?.(candidates.smallest.scenario, candidates.runs),
    signal,
  )
  for (let before: Candidate | null = null; before !== candidates.smallest && !signal?.aborted; ) {
    before = candidates.smallest
    await removeSteps(candidates)
    for (const list of listsInOrder) await removeRows(candidates, list)
    await removeFields(candidates)
  }
  const { smallest, runs, invalid } = candidates
  return { scenario: smallest.scenario, runs, invalid, isMinimal: !signal?.aborted }
}

async function removeSteps(candidates: CandidateSearch): Promise<void> {
  const { scenario, origins } = candidates.smallest
  const positions = origins.map((_, index) => index)
  await ddmin(positions, (kept) =>
    candidates.tryCandidate({
      scenario: { ...scenario, steps: kept.map((index) => scenario.steps[index]) as never },
      origins: kept.map((index) => origins[index] as number),
    }),
  )
}

async function removeRows(candidates: CandidateSearch, list: keyof WorldJson): Promise<void> {
  const { scenario, origins } = candidates.smallest
  const { world } = scenario
  const rows = typeof world === 'object' ? world[list] : undefined
  if (!Array.isArray(rows)) return
  await ddmin(rows, (kept) =>
    candidates.tryCandidate({
      scenario: { ...scenario, world: { ...(world as WorldJson), [list]: kept } },
      origins,
    }),
  )
}

/** From the outside in: a field that is not needed takes along all that is in it. */
async function removeFields(candidates: CandidateSearch): Promise<void> {
  for (let depth = 1; ; depth++) {
    const { scenario, origins } = candidates.smallest
    const all = pathsAtDepth(scenario, depth)
    if (all.length === 0) return
    const places = all.filter((place) => !isRequired(place))
    await ddmin(places, (kept) => {
      const left = new Set(kept)
      const gone = places.filter((place) => !left.has(place))
      return candidates.tryCandidate({ scenario: omitPaths(scenario, gone) as Scenario, origins })
    })
  }
}

/** What a scenario is not one without, and what is left out as a whole before. */
function isRequired([part, ...rest]: MemberPath): boolean {
  if (rest.length === 0) return ['title', 'steps', 'world'].includes(part as string)
  return part === 'steps' && rest.length === 1
}

/**
 * The fewest items that still do it, by delta debugging (Zeller, Hildebrandt: Simplifying and Isolating
 * Failure-Inducing Input, 2002): parts are left out, large ones first, down to single items. Without any single one
 * of what is left it is no longer done.
 *
 * @param does whether some of the items, in their order, still do it; all of them do
 * @example await fewest([1, 2, 3, 4], async (kept) => kept.includes(3)) // [3]
 */
export async function ddmin<T>(
  items: readonly T[],
  does: (kept: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = items
  let size = items.length
  while (size > 0 && kept.length > 0) {
    const before = kept.length
    for (let at = 0; at < kept.length; ) {
      const rest = [...kept.slice(0, at), ...kept.slice(at + size)]
      if (await does(rest)) kept = rest
      else at += size
    }
    // Single ones are tried until each of them is needed: one may have been needed for another that is gone.
    if (size > 1) size = Math.min(Math.ceil(size / 2), Math.max(1, kept.length))
    else if (kept.length === before) size = 0
  }
  return kept
}
