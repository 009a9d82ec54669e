import { UsageError } from '../../utils/usage-error.ts'
import {
  findKeyIssues,
  findScenarioIssues,
  freezeParsed,
  type ParsedScenario,
} from '../format/check-scenario.ts'
import type { Scenario } from '../format/scenario.ts'
import type { ReplayResult, StepResult } from '../run/result.ts'
import type { ReplayOptions } from '../run/run-scenario.ts'

export interface Candidate<S extends Scenario = ParsedScenario> {
  readonly scenario: S
  /** The index that each step has in the original scenario */
  readonly origins: readonly number[]
}

export type CandidateCheck = (candidate: Candidate) => Promise<boolean>

export interface ShrinkOptions {
  readonly signal?: AbortSignal
  /** Called with each smaller scenario, and with how often the check was run. */
  readonly onSmaller?: (scenario: Scenario, runs: number) => unknown
}

/** Tries candidates. Skips invalid ones, and those it has tried before. */
export class CandidateSearch {
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

type Replay = (scenario: ParsedScenario, options: ReplayOptions) => Promise<ReplayResult>

const options: ReplayOptions = { decide: false }

/**
 * The default check. It finds the first step that fails in a replay. A candidate still has the problem if that step is
 * its first to fail, with the same status and a difference in the same place.
 *
 * @throws UsageError if every step of the scenario passes
 */
export async function createReplayCheck(
  scenario: ParsedScenario,
  replay: Replay,
): Promise<CandidateCheck> {
  const { steps } = await replay(scenario, options)
  const index = steps.findIndex(hasFailed)
  if (index < 0) {
    throw new UsageError(
      'Failed to shrink: every step of the replay passes, so there is no failure to keep. Describe the problem with --check.',
    )
  }
  const where = steps[index]?.differences[0]?.where
  const status = steps[index]?.response?.status
  return async (candidate) => {
    const at = candidate.origins.indexOf(index)
    if (at < 0) return false
    const trial = replay(candidate.scenario, { ...options, until: at + 1 })
    const result = await trial.catch((error: unknown) => {
      // A candidate that cannot be replayed does not have the problem.
      if (!(error instanceof UsageError)) throw error
    })
    const first = result?.steps.find(hasFailed)
    if (first?.step !== at + 1 || first.response?.status !== status) return false
    return first.differences.some((difference) => difference.where === where)
  }
}

function hasFailed({ outcome }: StepResult): boolean {
  return outcome === 'failed'
}
