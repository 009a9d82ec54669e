import { type SimulatorOptions, simulatorOptions } from '../../simulator/options.ts'
import { createSimulator, type Simulator } from '../../simulator/simulator.ts'
import { traceClient } from '../../sweep/client-trace.ts'
import { type Dependence, findDependences } from '../../sweep/dependences.ts'
import {
  type Baseline,
  type SweepClient,
  sweepClient,
  type VariantOutcome,
} from '../../sweep/sweep.ts'
import { settingVariants } from '../../sweep/variant.ts'
import { UsageError } from '../../utils/errors.ts'
import { checkOptions, option, optionsSchema } from '../../utils/options.ts'
import { inTime } from '../../utils/wait.ts'
import { createAs, type SimulatorContext } from './fixtures.ts'
import type { Interception } from './interception.ts'

/** Options of `sweep`. */
export interface SweepOptions extends SimulatorOptions {
  /** Milliseconds after which a run counts as failed. Defaults to 5,000. */
  readonly timeout?: number
}

const sweepSchema = optionsSchema<SweepOptions>({ ...simulatorOptions, timeout: option.count })

/** What a sweep found out. */
export interface Sweep {
  /** What the function depends on. Empty if it passes with every plausible service. */
  readonly dependences: readonly Dependence[]
  /** How the function fared against each plausible service */
  readonly outcomes: readonly VariantOutcome[]
}

/** Throws if it does not work with the service that it gets. */
type RunContext = (context: SimulatorContext) => unknown

/**
 * Runs a function against each plausible service: under each other value of each setting that its responses depended on.
 * Each run has its own simulator, as in `withSimulator`. The function fails against a service if it throws, or if it
 * does not end.
 *
 * @throws UsageError if the function fails, or sends no requests, with the service as it is
 * @example
 * const { dependences } = await sweep(({ as }) => importAnnotations(as('all').fetch))
 * expect(dependences.map(({ sentence }) => sentence)).toEqual([])
 */
export async function sweep(
  ...args: [run: RunContext] | [options: SweepOptions, run: RunContext]
): Promise<Sweep> {
  const [allOptions, run] = args.length === 1 ? [{} as SweepOptions, args[0]] : args
  checkOptions(sweepSchema, allOptions, 'sweep')
  const { timeout = 5_000, ...options } = allOptions
  const origin = createSimulator(options)
  const settings = origin.settings.values
  // Loads MSW's interceptors on demand, as `withSimulator` does.
  const { interception } = await import('./interception.ts')
  const client = { run: createRunner(origin, run, timeout, interception) }
  // Intercepts during the whole sweep, so that the network is patched once.
  const { baseline, outcomes } = await interception.run(origin, () =>
    sweepClient(client, ({ trace }) => settingVariants(trace.consulted, settings)),
  )
  const { verdict, runs } = baseline
  if (verdict !== 'steady') {
    const failure = runs.find((run) => run.failure !== null)?.failure ?? ''
    throw new UsageError(`Failed to sweep: ${problems[verdict]}${failure && `: ${failure}`}.`)
  }
  return { dependences: findDependences(outcomes, settings), outcomes }
}

const problems: Readonly<Record<Exclude<Baseline['verdict'], 'steady'>, string>> = {
  failing: 'the function fails with the service as it is',
  flaky: 'the function fails in some of several equal runs',
  no_requests: 'the function sends no requests',
  interrupted: 'it was interrupted',
}

function createRunner(
  origin: Simulator,
  run: RunContext,
  timeout: number,
  interception: Interception,
): SweepClient['run'] {
  return async (variant) => {
    const simulator = origin.fork({ settings: variant?.settings })
    const trace = traceClient(simulator)
    const startedAt = performance.now()
    let isLate = false
    // A client that goes on, such as one that requests the same page for ever, gets no further responses.
    const stop = (): void => {
      isLate = true
      simulator.faults.add({ effect: { drop: true } })
    }
    // Such a client can keep timers from firing.
    simulator.journal.followWritten(() => {
      if (!isLate && performance.now() - startedAt > timeout) stop()
    })
    const ended: Promise<string | null> = interception
      .run(simulator, () => run({ simulator, as: createAs(simulator) }))
      .then(
        () => null,
        (error: unknown) =>
          `the client fails (${String((error as Error)?.message ?? error).split('\n', 1)[0]})`,
      )
    const result = await inTime(ended, timeout, () => {
      if (!isLate) stop()
      return null
    })
    const failure = isLate ? `the client does not end within ${timeout} ms` : result
    return { ...trace(), failure, ms: performance.now() - startedAt }
  }
}
