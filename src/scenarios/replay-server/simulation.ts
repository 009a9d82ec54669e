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
  readonly #restoreState: () => void
  /** The changes of earlier steps were made. */
  #index: number
  /** Changes are made one after the other. */
  #pending: Promise<void> = Promise.resolve()

  /** @param former the simulation of the former version of the recording, in the same simulator */
  constructor(
    simulator: SimulatorBase,
    scenario: Scenario,
    prefix: string,
    former: Simulation | null,
  ) {
    this.#simulator = simulator
    this.#scenario = scenario
    this.#prefix = prefix
    this.#restoreState = former ? former.#restoreState : captureState(simulator)
    this.#index = former ? former.#index : 0
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

  /** Restores the initial state of the simulator, and starts again from the first step. */
  rewind(): void {
    this.#restoreState()
    this.#index = 0
  }
}

function captureState(simulator: SimulatorBase): () => void {
  const { clock, policies, faults, actors } = simulator
  const { mode, now } = clock.read()
  const rows = simulator.snapshot()
  const settings = { ...policies.settings }
  const initialIds = new Set([...faults.list(), ...actors.list()].map(({ id }) => id))
  return () => {
    simulator.restore(rows)
    if (mode === 'real') clock.release()
    else clock.set({ mode, time: now })
    policies.set(settings)
    for (const { id } of faults.list()) if (!initialIds.has(id)) faults.remove(id)
    for (const { id } of actors.list()) if (!initialIds.has(id)) actors.remove(id)
  }
}
