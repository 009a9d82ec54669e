import { writeFile } from 'node:fs/promises'
import { replayAt } from '../remote/replay-at.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import { readScenarioText } from '../scenarios/read-scenario.ts'
import type { RecordedStart } from '../scenarios/recording/record-target.ts'
import { UnreachableError } from '../scenarios/run/read-response.ts'
import type { ReplayResult, StepResult } from '../scenarios/run/result.ts'
import type { ReplayOptions } from '../scenarios/run/run-scenario.ts'
import { updateExpectations } from '../scenarios/run/update-expectations.ts'
import { createSimulator } from '../simulator.ts'
import { UsageError } from '../utils/usage-error.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { removeTemporaryFiles } from '../world/persistence/atomic-write.ts'
import { partialFileSuffix } from './bundle/bundle-file.ts'
import { ReplayBundle } from './bundle/record-bundle.ts'
import type { CommandContext } from './command-context.ts'
import type { KeyFlags } from './flag-values.ts'
import type { ConsoleReport } from './reports/console.ts'

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
 * Replays one file, and tells of each step when it has been run.
 *
 * @throws UsageError for what cannot be replayed at all
 */
export async function replayFile(
  file: string,
  scenario: Scenario,
  flags: ReplayFlags,
  teller: ConsoleReport,
  context: CommandContext,
): Promise<ReplayedFile> {
  teller.title(file, scenario.title)
  const recording = flags.bundle === undefined ? null : new ReplayBundle(flags.bundle)
  if (flags.bundle !== undefined) await removeTemporaryFiles(flags.bundle, partialFileSuffix)
  try {
    const onStep = (step: StepResult): void => teller.step(step)
    const record = recording && ((beginning: RecordedStart) => recording.start(beginning))
    const result = await runReplay(scenario, flags, { onStep, ...(record && { record }) })
    for (const said of (await recording?.finish(result.held)) ?? []) context.printError(said)
    teller.summary(result)
    const accepted =
      flags.update && !result.held ? await updateScenarioFile(file, result, teller) : result.held
    return { file, result, accepted, error: null }
  } catch (error) {
    recording?.discard()
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
  told: Pick<ReplayOptions, 'onStep' | 'record'>,
): Promise<ReplayResult> {
  const options: ReplayOptions = {
    ...told,
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

/** In a simulator of its own; fixtures that are files are read when a scenario begins with them. */
export async function replayInSimulator(
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

/** Writes what was answered into the file. @returns whether that settles every difference */
async function updateScenarioFile(
  file: string,
  result: ReplayResult,
  teller: ConsoleReport,
): Promise<boolean> {
  await writeFile(file, updateExpectations(await readScenarioText(file), result))
  const left = result.steps.some(
    ({ outcome, differences }) =>
      outcome === 'skipped' || differences.some(({ path }) => path[0] !== 'expect'),
  )
  const rest = left ? ', but for what cannot be written' : ''
  teller.line(`  ${file} expects now what was answered${rest}.`)
  return !left
}

/** A file that was replayed. */
export interface ReplayedFile {
  readonly file: string
  /** Null where it could not be replayed to its end */
  readonly result: ReplayResult | null
  /** Whether all is as expected, or was made to be */
  readonly accepted: boolean
  /** Why it could not; null where it could */
  readonly error: string | null
}

/** Whether all is as expected. */
export function hasPassed({ result }: ReplayedFile): boolean {
  return result?.held ?? false
}
