import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { isLong } from '../support/long.ts'
import { type Command, commands } from './commands.ts'
import { Driver, type Transport } from './driver.ts'
import { Model } from './model.ts'
import type { Profile } from './rules/call.ts'

/** Where a run starts: `MODEL_SEED` replays a failure. The short runs of CI always take the same steps. */
export const startFromEnvironment = (): number =>
  Number(process.env.MODEL_SEED ?? (isLong ? Date.now() & 0x7fffffff : 1))

/** What a run compares: a profile, and the way in which requests reach the simulator. */
interface Setting {
  readonly transport: Transport
  readonly profile: Profile
}

/** Between the seeds of rounds, so that runs from neighbouring seeds share none. */
const stride = 0x9e3779b9

/**
 * Runs commands against the model and the simulator until there were enough steps.
 *
 * @returns the number of steps and runs
 * @throws Error with the shortest commands that differ, and how to replay them
 */
export async function runModel(
  { transport, profile }: Setting,
  seed: number,
  enough: number,
): Promise<{ readonly steps: number; readonly runs: number }> {
  let [steps, runs] = [0, 0]
  const folder = mkdtempSync(join(tmpdir(), 'understudy-model-'))
  const property = fc.asyncProperty(commands(profile), async (all) => {
    const model = new Model(profile)
    runs += 1
    const driver = await Driver.open(transport, profile, join(folder, `state-${runs}.json`))
    try {
      await fc.asyncModelRun(() => ({ model, real: driver }), all)
    } finally {
      steps += model.steps
      await driver.close()
    }
  })
  try {
    for (let round = seed; steps < enough; round = (round + stride) | 0) {
      // A run has about 60 steps.
      const numRuns = Math.min(10, Math.ceil((enough - steps) / 60))
      const details = await fc.check(property, { seed: round, numRuns })
      if (details.failed) throw new Error(failureText({ transport, profile }, round, details))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { steps, runs }
}

function failureText(
  { transport, profile }: Setting,
  seed: number,
  { counterexample, errorInstance }: fc.RunDetails<[Iterable<Command>]>,
): string {
  const variables = `MODEL_TRANSPORT=${transport} MODEL_PROFILE=${profile} MODEL_SEED=${seed}`
  return [
    `The simulator and the model differ after: ${counterexample?.[0]}`,
    (errorInstance as Error | null)?.message,
    `Replay: ${variables} npm run slow -- --project slow test/model`,
    'test/model/README.md says how to decide who is right, and how to add a field or an operation.',
  ].join('\n')
}
