import { expect, test } from 'vitest'
import { toExpress } from '../../src/adapters/express/express.ts'
import { connect } from '../../src/admin/connect.ts'
import { runAt } from '../../src/admin/run-at.ts'
import { startInBrowser } from '../../src/integrations/browser/start-in-browser.ts'
import VitestReporter from '../../src/integrations/vitest/reporter.ts'
import { readScenario } from '../../src/scenarios/library.ts'
import { recordingOf } from '../../src/scenarios/recording/recorder.ts'
import { listen } from '../../src/server/listen.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { factories, generate } from '../../src/world/factories/factories.ts'
import { persistIn } from '../../src/world/persistence/persist-in-storage.ts'

const simulator = createSimulator()
const storage = { getItem: () => null, setItem() {} }
const steps = [{ method: 'GET', path: '/api/projects/' }]
const scenario = { title: 'One request', steps } as never
const url = 'http://127.0.0.1:1'

const calls: readonly [task: string, (options: never) => unknown, unknown: string, name: string][] =
  [
    ['listen', (options) => listen(simulator, options), 'prt', 'port'],
    ['convert handlers', (options) => toExpress([], options), 'bodyLimt', 'bodyLimit'],
    ['connect', (options) => connect(url, options), 'tokn', 'token'],
    ['run the scenario', (options) => simulator.run(scenario, options), 'in_plac', 'in_place'],
    ['run the scenario', (options) => runAt(url, scenario, options), 'allow', 'allow_writes'],
    ['persist the world', (options) => persistIn(simulator, storage, options), 'keyy', 'key'],
    ['create factories', (options) => factories(options), 'sede', 'seed'],
    ['generate rows', (options) => generate({}, options), 'sede', 'seed'],
    ['record', (options) => recordingOf([], options), 'titel', 'title'],
    ['read the scenario', (options) => readScenario('x', options), 'inlineWorl', 'inlineWorld'],
    ['read the options of the reporter', (all) => new VitestReporter(all), 'fiel', 'file'],
  ]

test.each(calls)(
  'to %s refuses an unknown option, and suggests the nearest one',
  async (task, call, unknown, name) => {
    await expect(async () => call({ [unknown]: 1 } as never)).rejects.toThrow(
      `Failed to ${task}: ${unknown}: unknown field. Did you mean "${name}"?`,
    )
  },
)

test.each<
  [task: string, call: (options: never) => unknown, options: object, wrong: readonly string[]]
>([
  [
    'start in the browser',
    (options) => startInBrowser(options),
    { key: 5, quiet: 'yes', panel: 1, persist: 'tabs', mistakes: 'fail', workerUrl: 5, onError: 5 },
    [
      'onError: expected a function, got 5',
      'persist: expected one of "tab", "none", got "tabs". Did you mean "tab"?',
      'key: expected string, got 5',
      'workerUrl: expected string, got 5',
      'quiet: expected boolean, got "yes"',
      'panel: expected boolean, got 1',
      'mistakes: expected one of "off", "print", got "fail"',
    ],
  ],
  [
    'create a simulator',
    (options) => createSimulator(options),
    { sandboxes: 'many', onError: 5 },
    ['sandboxes: expected number, got "many"', 'onError: expected a function, got 5'],
  ],
  [
    'create a simulator',
    (journal) => createSimulator({ journal }),
    { entries: -1, redact: 'x' },
    ['journal.entries: expected at least 0, got -1', 'journal.redact: expected array, got "x"'],
  ],
  [
    'listen',
    (options) => listen(simulator, options),
    { port: 65_536, host: '', token: null, bodyLimit: -1, use: [5] },
    [
      'bodyLimit: expected at least 0, got -1',
      'host: expected an address such as 127.0.0.1, got ""',
      'token: expected ASCII letters, digits and symbols, without spaces around them, got null',
      'port: expected at most 65535, got 65536',
      'use[0]: expected a function, got 5',
    ],
  ],
  [
    'close the server',
    async (options) => (await listen(simulator)).close(options),
    { timeout: '5s' },
    ['timeout: expected number, got "5s"'],
  ],
  [
    'run the scenario',
    (options) => simulator.run(scenario, options),
    { in_place: 1, onStep: 5 },
    ['onStep: expected a function, got 5', 'in_place: expected boolean, got 1'],
  ],
  [
    'run the scenario',
    (options) => runAt(url, scenario, options),
    { allow_writes: 'yes', keys: 'x' },
    ['keys: expected an object, got "x"', 'allow_writes: expected boolean, got "yes"'],
  ],
  [
    'read the options of the reporter',
    (options) => new VitestReporter(options),
    { file: 5 },
    ['file: expected a file name, or a list of them, got 5'],
  ],
])('to %s refuses values of another type: row %$', async (task, call, options, wrong) => {
  const message = wrong.length === 1 ? `: ${wrong[0]}.` : ['.', ...wrong].join('\n  ')

  await expect(async () => call(options as never)).rejects.toThrow(`Failed to ${task}${message}`)
})
