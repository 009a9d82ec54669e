import type { Profile } from '../../../policies/settings.ts'
import type { Remote } from '../../../remote/connect.ts'
import type { Scenario } from '../../../scenarios/format/scenario.ts'
import type { ReplayResult, StepResult } from '../../../scenarios/run/result.ts'
import { Store } from '../kit/hooks.ts'

/** The progress or the result of a replay. */
export interface ScenarioRun {
  readonly steps: readonly StepResult[]
  /** Null while the replay is running, and after an error */
  readonly result: ReplayResult | null
  /** The error that prevented or stopped the replay */
  readonly error: Error | null
}

/** The latest replay of each scenario. */
export class ScenarioRuns extends Store {
  readonly #remote: Remote
  readonly #runs = new Map<string, ScenarioRun>()
  #isStopped = false

  constructor(remote: Remote) {
    super()
    this.#remote = remote
  }

  get(name: string): ScenarioRun | undefined {
    return this.#runs.get(name)
  }

  get isBusy(): boolean {
    return [...this.#runs.values()].some(({ result, error }) => !result && !error)
  }

  /** @example '27 passed', '3 of 27 passed' */
  get summary(): string {
    const runs = [...this.#runs.values()]
    const finished = runs.filter(({ result, error }) => result !== null || error !== null)
    if (finished.length === 0) return ''
    const passed = finished.filter(({ result }) => result?.passed).length
    return passed === finished.length
      ? `${passed} passed`
      : `${passed} of ${finished.length} passed`
  }

  /** Runs scenarios one after the other, until stop() is called. */
  async runAll(names: readonly string[], profile: Profile | ''): Promise<void> {
    for (const name of names) if (!this.#isStopped) await this.run(name, name, profile)
  }

  /**
   * Runs a scenario. Never throws: errors become part of the run.
   *
   * @param scenario the name of a scenario on the server, or a scenario itself
   * @param profile an empty string for the scenario's own profile
   */
  async run(name: string, scenario: string | Scenario, profile: Profile | ''): Promise<void> {
    const steps: StepResult[] = []
    this.#set(name, { steps, result: null, error: null })
    const onStep = (step: StepResult): void => {
      steps.push(step)
      this.#set(name, { steps: [...steps], result: null, error: null })
    }
    const options = profile === '' ? {} : { profile }
    try {
      const result = await this.#remote.scenarios.replay(scenario, { ...options, onStep })
      this.#set(name, { steps: result.steps, result, error: null })
    } catch (error) {
      this.#set(name, { steps, result: null, error: error as Error })
    }
  }

  /** Prevents runAll() from starting further scenarios. */
  stop(): void {
    this.#isStopped = true
  }

  #set(name: string, run: ScenarioRun): void {
    this.#runs.set(name, run)
    this.notify()
  }
}

/** The outcome of a replay, or a progress bar while it is running. */
export function RunOutcome({
  run,
  stepCount,
}: {
  run: ScenarioRun | undefined
  stepCount: number
}) {
  if (!run) return <span class="dim">–</span>
  const { result, error } = run
  if (error) return <span class="outcome failed">error</span>
  if (result === null) {
    return (
      <progress max={stepCount} value={run.steps.length} aria-label="Replay progress">
        {run.steps.length} of {stepCount}
      </progress>
    )
  }
  const outcome = result.passed ? 'passed' : 'failed'
  return <span class={`outcome ${outcome}`}>{outcome}</span>
}
