import { expect, test } from 'vitest'
import { isLong } from '../support/long.ts'
import { transports } from './driver.ts'
import { profiles } from './rules/call.ts'
import { runModel, startFromEnvironment } from './run.ts'

const { MODEL_TRANSPORT, MODEL_PROFILE, MODEL_STEPS } = process.env
const steps = Number(MODEL_STEPS ?? (isLong ? 100_000 : 1_000))
const chosen = transports
  .filter((transport) => transport === (MODEL_TRANSPORT ?? transport))
  .flatMap((transport) => profiles.map((profile) => ({ transport, profile })))
  .filter(({ profile }) => profile === (MODEL_PROFILE ?? profile))

test.each(chosen)('the simulator answers like the model: $profile, $transport', async (value) => {
  const start = startFromEnvironment()
  const title = `${value.profile}, ${value.transport}`
  const done = await runModel(value, start, steps)
  console.log(`${title}: ${done.steps} steps in ${done.runs} runs from seed ${start}`)
  expect(done.runs).toBeGreaterThan(0)
})
