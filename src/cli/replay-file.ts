import { writeFile } from 'node:fs/promises'
import { replayAt } from '../remote/replay-at.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import { readScenarioText } from '../scenarios/read-scenario.ts'
import { recordTarget } from '../scenarios/recording/record-target.ts'
import { UnreachableError } from '../scenarios/run/http-target.ts'
import type { ReplayResult, StepResult } from '../scenarios/run/result.ts'
import type { ReplayOptions } from '../scenarios/run/run-scenario.ts'
import { createSimulator } from '../simulator.ts'
import { UsageError } from '../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { removeTemporaryFiles } from '../world/persistence/atomic-write.ts'
import { partialFileSuffix } from './bundle/bundle-file.ts'
import { ReplayBundle } from './bundle/record-bundle.ts'
import type { CommandContext } from './command-context.ts'
import type { KeyFlags } from './flag-values.ts'
import type { ConsoleReport } from './reports/console.ts'
import { updateExpectations } from './update-expectations.ts'

/** How files are replayed. */
export interface ReplayFlags
  extends Pick<ReplayOptions, 'only' | 'until' | 'profile' | 'onExchange'> {
  readonly target?: string
  readonly key?: KeyFlags
  readonly token?: string
  readonly update?: boolean
  readonly allowWrites?: boolean
  readonly bundle?: string
}

/**
 * Replays one file, and reports each step when it has run.
 *
 * @throws UsageError for a scenario that cannot run on the target
 */
export async function replayFile(
  file: string,
  scenario: Scenario,
  flags: ReplayFlags,
  report: ConsoleReport,
  context: CommandContext,
): Promise<ReplayedFile> {
  report.title(file, scenario.title)
  const bundle = flags.bundle === undefined ? null : new ReplayBundle(flags.bundle)
  if (flags.bundle !== undefined) await removeTemporaryFiles(flags.bundle, partialFileSuffix)
  try {
    const onStep = (step: StepResult): void => report.step(step)
    const wrapTarget: ReplayOptions['wrapTarget'] = (target, currentStep) =>
      bundle ? recordTarget(target, scenario, (start) => bundle.start(start), currentStep) : target
    const result = await runReplay(scenario, flags, { onStep, wrapTarget })
    for (const message of (await bundle?.finish(result.passed)) ?? []) context.printError(message)
    report.summary(result)
    const accepted =
      flags.update && !result.passed
        ? await updateScenarioFile(file, result, report)
        : result.passed
    return { file, result, accepted, error: null }
  } catch (error) {
    bundle?.discard()
    if (error instanceof UnreachableError) {
      context.printError(`${file}: ${error.message}`)
      return { file, result: null, accepted: false, error: error.message }
    }
    throw error instanceof UsageError ? new UsageError(`${file}: ${error.message}`) : error
  }
}

async function runReplay(
  scenario: Scenario,
  { target, key, token, allowWrites, only, until, profile, onExchange }: ReplayFlags,
  listeners: Pick<ReplayOptions, 'onStep' | 'wrapTarget'>,
): Promise<ReplayResult> {
  const options: ReplayOptions = {
    ...listeners,
    ...(only !== undefined && { only }),
    ...(until !== undefined && { until }),
    ...(profile !== undefined && { profile }),
    ...(onExchange && { onExchange }),
  }
  if (target === undefined) return replayInSimulator(scenario, options)
  return replayAt(target, scenario, {
    ...options,
    ...key,
    ...(token !== undefined && { token }),
    ...(allowWrites !== undefined && { allow_writes: allowWrites }),
  })
}

/** Replays in a simulator of its own. A fixture is read from its file only if the scenario names it. */
async function replayInSimulator(
  scenario: Scenario,
  options: ReplayOptions,
): Promise<ReplayResult> {
  const { world } = scenario
  const simulator = createSimulator()
  if (typeof world === 'string' && fixtureNames.includes(world)) {
    simulator.sandboxes.addFixture(world, await readWorld(world))
  }
  return simulator.replay(scenario, options)
}

/** Writes the actual responses to a file. @returns whether the file then has no difference */
async function updateScenarioFile(
  file: string,
  result: ReplayResult,
  report: ConsoleReport,
): Promise<boolean> {
  await writeFile(file, updateExpectations(await readScenarioText(file), result))
  const hasDifferences = result.steps.some(
    ({ outcome, differences }) =>
      outcome === 'skipped' || differences.some(({ path }) => path[0] !== 'expect'),
  )
  const rest = hasDifferences ? ', except for differences that cannot be written' : ''
  report.line(`  Updated ${file} to expect the actual responses${rest}.`)
  return !hasDifferences
}

/** The result of a file. */
export interface ReplayedFile {
  readonly file: string
  /** Null if the target did not respond */
  readonly result: ReplayResult | null
  /** Whether all steps passed, or were updated */
  readonly accepted: boolean
  /** Why the target did not respond */
  readonly error: string | null
}

/** Whether all steps passed. */
export function hasPassed({ result }: ReplayedFile): boolean {
  return result?.passed ?? false
}
