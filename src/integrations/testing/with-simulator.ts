import type { SetupServer } from 'msw/node'
import type { SimulatorOptions } from '../../sandbox/simulator-options.ts'
import { createSimulator, type Simulator } from '../../simulator.ts'
import { describeLatestRequests } from './failed-requests.ts'
import { type As, createAs } from './fixtures.ts'

/** The argument of a function that `withSimulator` runs. */
export interface SimulatorContext {
  /** Answers the requests of the function. */
  readonly simulator: Simulator
  /** Returns a client with the key of a label. */
  readonly as: As
  /** Takes your own handlers with `server.use(…)`. They are removed when the function ends. */
  readonly server: SetupServer
}

type Run<T> = (context: SimulatorContext) => T | Promise<T>

/**
 * Runs a function, such as a test, with its own simulator. It intercepts the requests of any HTTP client, to any
 * origin, and several functions can run concurrently or inside one another. Requests to other APIs go through to this
 * machine, and fail elsewhere. If the function throws, the latest requests are printed.
 *
 * @returns the result of the function
 * @throws UsageError for an invalid option, or the error of the function
 * @example
 * test('lists no rows', () =>
 *   withSimulator({ world: 'empty' }, async ({ as }) => {
 *     const { headers } = as('all')
 *     const response = await fetch('https://app.example.com/api/projects/', { headers })
 *   }))
 */
export async function withSimulator<T>(
  ...args: [run: Run<T>] | [options: SimulatorOptions, run: Run<T>]
): Promise<T> {
  const [options, run] = args.length === 1 ? [{}, args[0]] : args
  const simulator = createSimulator(options)
  // Loads MSW's interceptors on demand, since other exports of this package entry do not need them.
  const { interception } = await import('./interception.ts')
  const as = createAs(simulator)
  try {
    return await interception.run(simulator, (server) => run({ simulator, as, server }))
  } catch (error) {
    console.error(describeLatestRequests(simulator, interception.countElsewhere(simulator)))
    throw error
  }
}
