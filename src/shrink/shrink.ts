import type { Scenario } from '../scenarios/scenario.ts'
import type { WorldJson } from '../world/world-json.ts'
import { type Candidate, Candidates, type Check } from './candidates.ts'
import { fewest } from './fewest.ts'
import { type Path, placesAt, without } from './members.ts'

/** What came of it. */
export interface Shrunk {
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
export interface Watching {
  readonly signal?: AbortSignal
  /** Told of each smaller scenario, and how often the check was run until then. */
  readonly onSmaller?: (scenario: Scenario, runs: number) => unknown
}

/** In which order lists of the world are tried: what names another row before that row. */
const lists = [
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
  check: Check,
  { signal, onSmaller }: Watching = {},
): Promise<Shrunk> {
  const first = { scenario, origins: scenario.steps.map((_, index) => index) }
  const candidates: Candidates = new Candidates(
    first,
    check,
    () => onSmaller?.(candidates.smallest.scenario, candidates.runs),
    signal,
  )
  for (let before: Candidate | null = null; before !== candidates.smallest && !signal?.aborted; ) {
    before = candidates.smallest
    await leaveOutSteps(candidates)
    for (const list of lists) await leaveOutRows(candidates, list)
    await leaveOutFields(candidates)
  }
  const { smallest, runs, invalid } = candidates
  return { scenario: smallest.scenario, runs, invalid, isMinimal: !signal?.aborted }
}

async function leaveOutSteps(candidates: Candidates): Promise<void> {
  const { scenario, origins } = candidates.smallest
  const positions = origins.map((_, index) => index)
  await fewest(positions, (kept) =>
    candidates.does({
      scenario: { ...scenario, steps: kept.map((index) => scenario.steps[index]) as never },
      origins: kept.map((index) => origins[index] as number),
    }),
  )
}

async function leaveOutRows(candidates: Candidates, list: keyof WorldJson): Promise<void> {
  const { scenario, origins } = candidates.smallest
  const { world } = scenario
  const rows = typeof world === 'object' ? world[list] : undefined
  if (!Array.isArray(rows)) return
  await fewest(rows, (kept) =>
    candidates.does({
      scenario: { ...scenario, world: { ...(world as WorldJson), [list]: kept } },
      origins,
    }),
  )
}

/** From the outside in: a field that is not needed takes along all that is in it. */
async function leaveOutFields(candidates: Candidates): Promise<void> {
  for (let depth = 1; ; depth++) {
    const { scenario, origins } = candidates.smallest
    const all = placesAt(scenario, depth)
    if (all.length === 0) return
    const places = all.filter((place) => !isWhole(place))
    await fewest(places, (kept) => {
      const left = new Set(kept)
      const gone = places.filter((place) => !left.has(place))
      return candidates.does({ scenario: without(scenario, gone) as Scenario, origins })
    })
  }
}

/** What a scenario is not one without, and what is left out as a whole before. */
function isWhole([part, ...rest]: Path): boolean {
  if (rest.length === 0) return ['title', 'steps', 'world'].includes(part as string)
  return part === 'steps' && rest.length === 1
}
