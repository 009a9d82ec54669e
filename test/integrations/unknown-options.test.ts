import { expect, test } from 'vitest'
import { toExpress } from '../../src/adapters/express/express.ts'
import { connect } from '../../src/control/connect.ts'
import { runAt } from '../../src/control/run-at.ts'
import { readScenario } from '../../src/scenarios/library.ts'
import { playbackHandlers } from '../../src/scenarios/playback/playback-handlers.ts'
import { recordingOf } from '../../src/scenarios/recording/recorder.ts'
import { listen } from '../../src/server/listen.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { factories } from '../../src/world/factories/factories.ts'
import { generate } from '../../src/world/factories/generate.ts'
import { persistIn } from '../../src/world/persistence/persist-in-storage.ts'

const simulator = createSimulator()
const storage = { getItem: () => null, setItem() {} }
const scenario = { title: 'One request', steps: [{ method: 'GET', path: '/api/projects/' }] }

const calls: readonly [task: string, (options: never) => unknown, unknown: string, name: string][] =
  [
    ['listen', (options) => listen(simulator, options), 'prt', 'port'],
    ['convert handlers', (options) => toExpress([], options), 'bodyLimt', 'bodyLimit'],
    ['connect', (options) => connect('http://127.0.0.1:1', options), 'tokn', 'token'],
    ['run the scenario', (options) => simulator.run(scenario as never, options), 'onli', 'only'],
    [
      'run the scenario',
      (options) => runAt('http://127.0.0.1:1', scenario as never, options),
      'allow_write',
      'allow_writes',
    ],
    ['persist the world', (options) => persistIn(simulator, storage, options), 'keyy', 'key'],
    ['create factories', (options) => factories(options), 'sede', 'seed'],
    ['generate rows', (options) => generate({}, options), 'sede', 'seed'],
    ['record', (options) => recordingOf([], options), 'titel', 'title'],
    [
      'read the scenario',
      (options) => readScenario('x.json', options),
      'inlineWorl',
      'inlineWorld',
    ],
    [
      'play back the scenario',
      (options) => playbackHandlers(scenario as never, options),
      'onlyRecord',
      'onlyRecorded',
    ],
  ]

test.each(calls)(
  'to %s refuses an unknown option, and suggests the nearest one',
  async (task, call, unknown, name) => {
    await expect(async () => call({ [unknown]: 1 } as never)).rejects.toThrow(
      `Failed to ${task}: unknown option "${unknown}". Did you mean "${name}"?`,
    )
  },
)

test.each([
  ['panel', ' A server shows the same dashboard at /__admin/.'],
  ['persist', ''],
])('a simulator without a page refuses the option %s, and says where it belongs', (name, more) => {
  const options = { [name]: true }

  expect(() => createSimulator(options)).toThrow(
    `Failed to create a simulator: ${name} needs a page. It is an option of startInBrowser() of understudy-api/browser.${more}`,
  )
})
