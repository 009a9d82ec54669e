import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commands } from '../model/commands.ts'
import { Driver } from '../model/driver.ts'
import { Model } from '../model/model.ts'
import { profiles } from '../model/rules/call.ts'
import { usedBytes } from '../support/collect-garbage.ts'
import { temporaryFolder } from '../support/files.ts'
import { isLong } from '../support/long.ts'

// LONG=1 npm run slow -- --project slow test/soak/model
const steps = isLong ? 30_000 : 3_000
/** How often the memory is measured, once what is held for a moment only is gone. */
const parts = 6

test.each(profiles)(
  `${steps} operations of one simulator: it answers like the model, and its memory is flat: %s`,
  async (profile) => {
    const model = new Model(profile)
    // Not over HTTP: fetch keeps something of each server that it ever reached.
    const driver = await Driver.open('fetch', profile, join(temporaryFolder(), 'state.json'))
    const run = fc.asyncProperty(commands(profile, 500), (all) =>
      fc.asyncModelRun(() => ({ model, real: driver }), all),
    )
    const used: number[] = []

    for (let seed = 1; used.length < parts; seed++) {
      await fc.assert(run, { seed, numRuns: 1, endOnFailure: true })
      if (model.steps < ((used.length + 1) * steps) / parts) continue
      await expect.poll(usedBytes, { interval: 100 }).toBeLessThan((used[0] ?? 1e9) + 1e7)
      used.push(usedBytes())
    }
    await driver.close()

    console.info(profile, model.steps, 'steps, MB:', ...used.map((bytes) => bytes / 1e6))
  },
)
