import { expect, test } from 'vitest'
import { runModel, startFromEnvironment } from './run.ts'

// model.slow.test.ts takes more steps, on every transport.
const settings = [
  { profile: 'live', transport: 'fetch', steps: 900 },
  { profile: 'documented', transport: 'fetch', steps: 500 },
  { profile: 'live', transport: 'http', steps: 60 },
] as const

test.each(settings)('the simulator answers like the model: $profile, $transport', async (value) => {
  const done = await runModel(value, startFromEnvironment(), value.steps)

  expect(done.steps).toBeGreaterThanOrEqual(value.steps)
})
