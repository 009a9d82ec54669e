import type { ScenarioSource } from '../../scenarios/format/scenario.ts'
import type { RunOptions } from '../../scenarios/run/options.ts'
import type { Expectation } from '../../simulator/journal/verify.ts'
import type { ClientMistakeOptions } from '../testing/matchers.ts'

/** The matchers that `understudy-api/vitest` adds to `expect`. */
export interface SimulatorMatchers {
  /**
   * Replays a scenario in a copy of the simulator, with its present rows, settings and time, without its faults, and expects
   * every step to pass. The requests of the test are not compared, and the simulator does not change. A
   * `world`, `profile` or `clock` of the scenario comes first.
   *
   * @param scenario a scenario, or the path of its file, relative to the working directory
   * @example await expect(simulator).toPassScenario('scenarios/launch.json')
   */
  toPassScenario(scenario: ScenarioSource | string, options?: RunOptions): Promise<void>
  /**
   * Expects that a request was received: at least once, or as often as it says. A simulator in another process is asked
   * by `connect(url).journal.verify(…)`.
   *
   * @example expect(simulator).toHaveReceived({ operation: 'createAnnotation', count: 1 })
   */
  toHaveReceived(expectation: Expectation): void
  /**
   * Expects that the client made no mistakes, by the rules of `simulator.journal.mistakes()`. Without a request it fails,
   * because nothing was checked. Notes are no mistakes.
   *
   * @param options `except` names the rules that are not checked
   * @example expect(simulator).toHaveNoClientMistakes({ except: ['local-time'] })
   */
  toHaveNoClientMistakes(options?: ClientMistakeOptions): void
}

// Vitest's own `Matchers` has other type parameters in each major version.
declare global {
  namespace Chai {
    interface Assertion extends SimulatorMatchers {}
  }
}
