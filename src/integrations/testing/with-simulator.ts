import type { SetupServer } from 'msw/node'
import type { SimulatorOptions } from '../../sandbox/simulator-options.ts'
import { createSimulator, type Simulator } from '../../simulator.ts'
import { type As, createAs } from './fixtures.ts'

/** What a test is given. */
export interface SimulatorContext {
  /** Answers what is asked while the test runs: a new one. */
  readonly simulator: Simulator
  /** Who has the key of a label. */
  readonly as: As
  /** Takes handlers of the test's own: `server.use(…)`. They go with the test. */
  readonly server: SetupServer
}

type Run<T> = (simulated: SimulatorContext) => T | Promise<T>

/**
 * Runs a function, such as a test, while a simulator of its own answers what it asks by any client, on any origin.
 * Several may run at once, or one within another. Other requests pass to this machine, and fail elsewhere.
 *
 * @returns what the function returns
 * @throws UsageError for a bad option; else what the function throws
 * @example
 * test('rows are listed', () =>
 *   withSimulator({ world: 'empty' }, async ({ as }) => {
 *     const { headers } = as('all')
 *     const answer = await fetch('https://app.example.com/api/projects/', { headers })
 *   }))
 */
export async function withSimulator<T>(
  ...given: [run: Run<T>] | [options: SimulatorOptions, run: Run<T>]
): Promise<T> {
  const [options, run] = given.length === 1 ? [{}, given[0]] : given
  const simulator = createSimulator(options)
  // Whoever imports this for something else has no need of MSW's interceptors.
  const { interception } = await import('./interception.ts')
  const as = createAs(simulator)
  return interception.run(simulator.handlers, (server) => run({ simulator, as, server }))
}
