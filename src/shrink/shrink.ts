import type { Scenario } from '../scenarios/scenario.ts'
import type { WorldJson } from '../world/world-json.ts'
import { type Candidate, type CandidateCheck, CandidateSearch } from './candidates.ts'
import { ddmin } from './fewest.ts'
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
