import type { Remote } from '../../../remote/connect.ts'
import type { Scenario } from '../../../scenarios/format/scenario.ts'
import type { ReplayResult, StepResult } from '../../../scenarios/run/result.ts'
import { Store } from '../kit/hooks.ts'

/** One replay: as far as it has come. */
export interface ScenarioRun {
  readonly steps: readonly StepResult[]
  /** Null while it runs, and where it broke off */
  readonly result: ReplayResult | null
  /** Why it broke off, or never began */
  readonly error: Error | null
}

/** The latest replay of each scenario. */
export class ScenarioRuns extends Store {
  readonly #remote: Remote
  readonly #runs = new Map<string, ScenarioRun>()
  #isEnded = false
  /** How many are under way. */
  #running = 0

  constructor(remote: Remote) {
    super()
    this.#remote = remote
  }

  get(name: string): ScenarioRun | undefined {
    return this.#runs.get(name)
  }

  get isBusy(): boolean {
    return this.#running > 0
  }

  /** How those ended that were run. */
  get summary(): string {
    const runs = [...this.#runs.values()]
    const ended = runs.filter(({ result, error }) => result !== null || error !== null)
    if (ended.length === 0) return ''
    const held = ended.filter(({ result }) => result?.held).length
    return held === ended.length ? `${held} held` : `${held} of ${ended.length} held`
  }

  /** One after the other, until the page is left. */
  async runAll(names: readonly string[], profile: string): Promise<void> {
    for (const name of names) if (!this.#isEnded) await this.run(name, name, profile)
  }

  /** @param profile an empty text for the scenario's own */
  async run(name: string, scenario: string | Scenario, profile: string): Promise<void> {
    const steps: StepResult[] = []
    this.#running += 1
    this.#set(name, { steps, result: null, error: null })
    const onStep = (step: StepResult): void => {
      steps.push(step)
      this.#set(name, { steps: [...steps], result: null, error: null })
    }
    const options = profile === '' ? {} : { profile: profile as 'documented' | 'live' }
    try {
      const result = await this.#remote.scenarios.replay(scenario, { ...options, onStep })
      this.#set(name, { steps: result.steps, result, error: null })
    } catch (error) {
      this.#set(name, { steps, result: null, error: error as Error })
    }
    this.#running -= 1
    this.notify()
  }

  /** No further ones are begun. */
  stop(): void {
    this.#isEnded = true
  }

  #set(name: string, run: ScenarioRun): void {
    this.#runs.set(name, run)
    this.notify()
  }
}

interface RunOutcomeProps {
  readonly run: ScenarioRun | undefined
  /** How many steps it has. */
  readonly steps: number
}

/** How a replay ended, or how far it has come. */
export function RunOutcome({ run, steps }: RunOutcomeProps) {
  if (!run) return <span class="dim">–</span>
  const { result, error } = run
  if (error) return <span class="outcome differed">broke off</span>
  if (result === null) {
    return (
      <progress max={steps} value={run.steps.length} aria-label="Progress of the replay">
        {run.steps.length} of {steps}
      </progress>
    )
  }
  return result.held ? (
    <span class="outcome held">held</span>
  ) : (
    <span class="outcome differed">differed</span>
  )
}
