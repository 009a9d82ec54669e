import type { WorldJson } from '../../world/world-json.ts'
import { findKeyIssues, findScenarioIssues } from '../format/check-scenario.ts'
import type { Scenario, Step } from '../format/scenario.ts'

/** A scenario, and which step of the first one each of its steps was, from 0 on. */
export interface Candidate {
  readonly scenario: Scenario
  readonly origins: readonly number[]
}

/** Whether a candidate still does what the first one does. */
export type CandidateCheck = (candidate: Candidate) => Promise<boolean>

/** Tries candidates: none twice, and none that is no scenario. */
export class CandidateSearch {
  /** How often the check was run. */
  runs = 0
  /** How many were no scenarios, and so not tried. */
  invalid = 0
  /** The smallest that still does it. */
  smallest: Candidate
  readonly #check: CandidateCheck
  readonly #onSmaller: () => unknown
  readonly #signal: AbortSignal | undefined
  readonly #tried = new Set<string>()

  /**
   * @param onSmaller told when there is a smaller one
   * @param signal ends it
   */
  constructor(
    first: Candidate,
    check: CandidateCheck,
    onSmaller: () => unknown,
    signal?: AbortSignal,
  ) {
    this.#signal = signal
    this.smallest = first
    this.#check = check
    this.#onSmaller = onSmaller
  }

  /** Whether a candidate still does it; after the end, none is tried. */
  async tryCandidate(candidate: Candidate): Promise<boolean> {
    if (this.#signal?.aborted) return false
    const mark = await hashText(JSON.stringify(candidate.scenario))
    if (this.#tried.has(mark)) return false
    this.#tried.add(mark)
    if (!isScenario(candidate.scenario)) {
      this.invalid += 1
      return false
    }
    this.runs += 1
    if (!(await this.#check(candidate))) return false
    this.smallest = candidate
    await this.#onSmaller()
    return true
  }
}

/** Whether it can be replayed: a step may use a value that no step saves any more, or a row one that is gone. */
function isScenario(scenario: Scenario): boolean {
  if (findScenarioIssues(scenario).length > 0) return false
  const { world } = scenario
  if (typeof world !== 'object') return true
  const labels = new Set(keyLabelsIn(world))
  return findKeyIssues(scenario.steps as readonly Step[], (label) => labels.has(label)).length === 0
}

function keyLabelsIn({ keys = [] }: WorldJson): string[] {
  return keys.map(({ label, value }) => label ?? value)
}

/** What a text is known again by without being kept: no other one has it. */
async function hashText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return String.fromCharCode(...new Uint16Array(digest))
}
