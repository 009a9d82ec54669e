import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { isRequestStep, type Scenario } from '../format/scenario.ts'
import { applyChange } from '../run/execute-step.ts'
import { createLocalTarget } from '../run/simulator-target.ts'
import { placeholderOrigin } from './complete-recording.ts'

/** The live simulation of the mode `fallback`. Recorded requests and changes also run in it, so that it can answer others. */
export class Simulation {
  readonly #simulator: SimulatorBase
  readonly #scenario: Scenario
  readonly #prefix: string
  /** The changes of earlier steps were made. */
  #index: number
  /** Changes are made one after the other. */
  #pending: Promise<void> = Promise.resolve()

  /** @param index the changes of earlier steps were made already */
  constructor(simulator: SimulatorBase, scenario: Scenario, prefix: string, index = 0) {
    this.#simulator = simulator
    this.#scenario = scenario
    this.#prefix = prefix
    this.#index = index
  }

  /** The changes of steps before this index were made. */
  get index(): number {
    return this.#index
  }

  /** Makes the changes before the first recorded request. */
  start(saved: Map<string, unknown>): Promise<void> {
    const first = this.#scenario.steps.findIndex(isRequestStep)
    return this.applyChangesUntil(Math.max(first, 0), saved)
  }

  /** Makes the remaining changes before a step. @throws UsageError for an invalid change */
  applyChangesUntil(index: number, saved: Map<string, unknown>): Promise<void> {
    this.#pending = this.#pending
      .catch(() => {})
      .then(async () => {
        const target = await createLocalTarget(this.#simulator, placeholderOrigin)
        for (; this.#index < index; this.#index += 1) {
          const step = this.#scenario.steps[this.#index]
          if (!step || isRequestStep(step)) continue
          const { differences } = await applyChange(step, target, saved)
          const [refusal] = differences
          if (refusal) throw new UsageError(`steps[${this.#index}]: ${refusal.got}`)
        }
      })
    return this.#pending
  }

  /**
   * Simulates the response to a request.
   *
   * @param target its path below the base URL, and its query
   */
  respond(request: ApiRequest, target: string): ApiResponse | Promise<ApiResponse> {
    for (const handler of this.#simulator.endpointHandlers) {
      const match = handler.match(request.method, this.#prefix + target, request)
      if (match) return match.handle(request)
    }
    return this.#simulator.notFound(request.method, request)
  }

  /** Starts again from the first step. The caller restores the state of the simulator. */
  rewind(): void {
    this.#index = 0
  }
}
