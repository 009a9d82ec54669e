import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { isRequestStep, type Scenario } from '../format/scenario.ts'
import { applyChange } from '../run/execute-step.ts'
import { createLocalTarget } from '../run/simulator-target.ts'
import { placeholderOrigin } from './complete-recording.ts'

/** The live simulation beside a recording: what is recorded happens there too, so that it can answer the rest. */
export class Simulation {
  readonly #simulator: SimulatorBase
  readonly #scenario: Scenario
  readonly #prefix: string
  /** Changes of steps before this one are made. */
  #at: number
  /** One change after another. */
  #changing: Promise<void> = Promise.resolve()

  /** @param position the step before which its changes are made already */
  constructor(simulator: SimulatorBase, scenario: Scenario, prefix: string, position = 0) {
    this.#simulator = simulator
    this.#scenario = scenario
    this.#prefix = prefix
    this.#at = position
  }

  /** The step before which changes are made. */
  get at(): number {
    return this.#at
  }

  /** Makes the changes with which the recording begins. */
  start(saved: Map<string, unknown>): Promise<void> {
    const first = this.#scenario.steps.findIndex(isRequestStep)
    return this.applyChangesUntil(Math.max(first, 0), saved)
  }

  /** Makes the changes that were recorded before a step, those that are not made yet. @throws UsageError */
  applyChangesUntil(index: number, saved: Map<string, unknown>): Promise<void> {
    this.#changing = this.#changing
      .catch(() => {})
      .then(async () => {
        const target = await createLocalTarget(this.#simulator, placeholderOrigin)
        for (; this.#at < index; this.#at += 1) {
          const step = this.#scenario.steps[this.#at]
          if (!step || isRequestStep(step)) continue
          const { differences } = await applyChange(step, target, saved)
          const [refusal] = differences
          if (refusal) throw new UsageError(`steps[${this.#at}]: ${refusal.got}`)
        }
      })
    return this.#changing
  }

  /**
   * Answers a request as if there were no recording.
   *
   * @param target its path from where the API begins, and its query
   */
  respond(request: ApiRequest, target: string): ApiResponse | Promise<ApiResponse> {
    for (const handler of this.#simulator.endpointHandlers) {
      const match = handler.match(request.method, this.#prefix + target, request)
      if (match) return match.handle(request)
    }
    return this.#simulator.notFound(request.method, request)
  }

  /** Goes back to where the recording begins; the changes it begins with are made again. */
  rewind(): void {
    this.#at = 0
  }
}
