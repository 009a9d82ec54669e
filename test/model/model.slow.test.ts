import { expect, inject, test } from 'vitest'
import { transports } from './driver.ts'
import { runModel, startFromEnvironment } from './run.ts'

const { MODEL_TRANSPORT, MODEL_STEPS } = process.env
const steps = Number(MODEL_STEPS ?? (inject('isLong') ? 100_000 : 2_000))
const chosen = transports.filter((one) => one === (MODEL_TRANSPORT ?? one))

test.each(chosen)('the simulator answers like the model, through %s', async (transport) => {
  const start = startFromEnvironment()
  let reported = 0
  const done = await runModel(transport, start, steps, (count) => {
    if (count < reported + 5_000) return
    reported = count
    console.log(`${transport}: ${count} steps`)
  })
  console.log(`${transport}: ${done.steps} steps in ${done.runs} runs from seed ${start.seed}`)
  expect(done.runs).toBeGreaterThan(0)
})
