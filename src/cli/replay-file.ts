import { writeFile } from 'node:fs/promises'
import type { RecordedStart } from '../bundles/beginning.ts'
import { removeTemporaryFiles } from '../persistence/write-whole.ts'
import { readScenarioText } from '../read-scenario.ts'
import { fixtureNames, readWorld } from '../read-world.ts'
import type { ReplayOptions } from '../scenarios/replay.ts'
import { replayAt } from '../scenarios/replay-at.ts'
import type { ReplayResult, StepResult } from '../scenarios/result.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { UnreachableError } from '../scenarios/unreachable.ts'
import { updateExpectations } from '../scenarios/update.ts'
import { createSimulator } from '../simulator.ts'
import { UsageError } from '../usage-error.ts'
import { partialFileSuffix } from './bundle/bundle-file.ts'
import { ReplayBundle } from './bundle/replay-bundle.ts'
import type { KeyFlags } from './key-flag.ts'
import type { ReplayedFile } from './reports/replayed.ts'
import type { ConsoleReport } from './reports/teller.ts'

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
): Promise<ReplayedFile> {
  teller.title(file, scenario.title)
  const recording = flags.bundle === undefined ? null : new ReplayBundle(flags.bundle)
  if (flags.bundle !== undefined) await removeTemporaryFiles(flags.bundle, partialFileSuffix)
  try {
    const onStep = (step: StepResult): void => teller.step(step)
    const record = recording && ((beginning: RecordedStart) => recording.start(beginning))
    const result = await runReplay(scenario, flags, { onStep, ...(record && { record }) })
    for (const said of (await recording?.finish(result.held)) ?? []) console.error(said)
    teller.summary(result)
    const accepted =
      flags.update && !result.held ? await updateScenarioFile(file, result, teller) : result.held
    return { file, result, accepted, error: null }
  } catch (error) {
    recording?.discard()
    if (error instanceof UnreachableError) {
      console.error(`${file}: ${error.message}`)
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
