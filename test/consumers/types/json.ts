// JSON modules are worlds, scenarios and settings as they are.
import { connect, createScenarioSimulator, createSimulator } from 'understudy-api'
import odd from 'understudy-api/fixtures/odd.json' with { type: 'json' }
import faults from 'understudy-api/scenarios/response-lost-after-create.json' with { type: 'json' }
import edits from 'understudy-api/scenarios/two-editors-last-write-wins.json' with { type: 'json' }
import { test } from 'understudy-api/vitest'
import { expect } from 'vitest'
import saved from './saved.json' with { type: 'json' }
import found from './settings.json' with { type: 'json' }
import twoPlugins from './two-plugins.json' with { type: 'json' }

const { settings } = found
const remote = connect('http://127.0.0.1:4010')

test.override({ simulatorOptions: { world: odd, settings } })
test('takes JSON modules', async ({ simulator }) => {
  createSimulator({ world: saved }).replaceWorld(twoPlugins)
  simulator.settings.set(settings)
  simulator.sandboxes.create({ settings })
  await simulator.run(faults)
  await expect(simulator).toPassScenario(edits)
  await createScenarioSimulator(edits)
  await remote.scenarios.run(edits)
  await remote.world.replace(saved)
  await remote.settings.set(settings)
})
