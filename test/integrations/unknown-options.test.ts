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

const calls: readonly [string, (options: never) => unknown, object, string][] = [
  ['listen', (options) => listen(simulator, options), { prt: 1 }, 'port'],
  ['toExpress', (options) => toExpress([], options), { bodyLimt: 1 }, 'bodyLimit'],
  ['connect', (options) => connect('http://127.0.0.1:1', options), { tokn: 'x' }, 'token'],
  [
    'simulator.playback',
    (options) => simulator.run(scenario as never, options),
    { onli: 1 },
    'only',
  ],
  [
    'runAt',
    (options) => runAt('http://127.0.0.1:1', scenario as never, options),
    { allow_write: true },
    'allow_writes',
  ],
  ['persistIn', (options) => persistIn(simulator, storage, options), { keyy: 'x' }, 'key'],
  ['factories', (options) => factories(options), { sede: 1 }, 'seed'],
  ['generate', (options) => generate({}, options), { sede: 1 }, 'seed'],
  ['recordingOf', (options) => recordingOf([], options), { titel: 'x' }, 'title'],
  ['readScenario', (options) => readScenario('x.json', options), { inlineWorl: 1 }, 'inlineWorld'],
  [
    'playbackHandlers',
    (options) => playbackHandlers(scenario as never, options),
    { onlyRecord: true },
    'onlyRecorded',
  ],
]

test.each(calls)(
  '%s refuses an unknown option, and suggests the nearest one',
  async (_, call, options, name) => {
    const unknown = Object.keys(options).at(-1)

    await expect(async () => call(options as never)).rejects.toThrow(
      `: unknown option "${unknown}". Did you mean "${name}"?`,
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
