import type { WorldJson } from '../../world/world-json.ts'
import {
  findKeyIssues,
  findScenarioIssues,
  freezeParsed,
  type ParsedScenario,
} from '../format/check-scenario.ts'
import type { Scenario } from '../format/scenario.ts'

/** A smaller version of a scenario. */
export interface Candidate<S extends Scenario = ParsedScenario> {
  readonly scenario: S
  /** The index that each step has in the original scenario */
  readonly origins: readonly number[]
}

/** Whether a candidate still has the problem of the original scenario. */
export type CandidateCheck = (candidate: Candidate) => Promise<boolean>

/** Tries candidates. Skips invalid ones, and those it has tried before. */
export class CandidateSearch {
  /** How often the check was run. */
  runs = 0
  /** How many candidates were not valid scenarios. */
  invalid = 0
  /** The smallest candidate that still has the problem. */
  smallest: Candidate
  readonly #check: CandidateCheck
  readonly #onSmaller: () => unknown
  readonly #signal: AbortSignal | undefined
  /** Hashes of the tried scenarios. Their texts would need much memory. */
  readonly #tried = new Set<string>()

  /**
   * @param onSmaller called when there is a new smallest candidate
   * @param signal stops the search
   */
  constructor(
    first: Candidate,
    check: CandidateCheck,
    onSmaller: () => unknown,
    signal?: AbortSignal,
  ) {
    this.smallest = first
    this.#check = check
    this.#onSmaller = onSmaller
    this.#signal = signal
  }

  /** Whether a candidate still has the problem. False for all candidates after the search is stopped. */
  async tryCandidate({ scenario, origins }: Candidate<Scenario>): Promise<boolean> {
    if (this.#signal?.aborted) return false
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
    await this.#onSmaller()
    return true
  }
}

/** False if a step uses a value that no step saves anymore, or a row refers to a removed one. */
function isValid(scenario: Scenario): boolean {
  if (findScenarioIssues(scenario).length > 0) return false
  const { world, steps } = scenario
  if (typeof world !== 'object') return true
  const labels = keyLabelsOf(world)
  return findKeyIssues(steps, (label) => labels.includes(label)).length === 0
}

function keyLabelsOf({ keys = [] }: WorldJson): string[] {
  return keys.map(({ label, value }) => label ?? value)
}
