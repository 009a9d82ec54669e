import { expect, test } from 'vitest'
import { runModel, startFromEnvironment } from './run.ts'

// model.slow.test.ts takes more steps, on every transport. These find a field that the two know differently.
test('the simulator answers like the model for some hundred steps', async () => {
  const { runs } = await runModel('fetch', startFromEnvironment(), 400)

  expect(runs).toBeGreaterThan(0)
})
