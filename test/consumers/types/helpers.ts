// Helpers of tests without annotations, as in a package whose declarations are written (`composite`, `declaration`).
import { test as playwright } from '@playwright/test'
import * as understudy from 'understudy-api'
import { startInBrowser } from 'understudy-api/browser'
import { toExpress } from 'understudy-api/express'
import { factories, generate } from 'understudy-api/factories'
import {
  createSweptSimulator,
  fixtureNames,
  listen,
  persistInFile,
  readScenario,
  readWorld,
  rehearse,
  withSimulator,
} from 'understudy-api/node'
import { answerPages, simulatorFixtures, simulatorMatchers } from 'understudy-api/playwright'
import { test as base } from 'understudy-api/vitest'

const { connect, createSimulator, persistIn, createScenarioSimulator } = understudy
const { recordingOf, RemoteError, runAt, scenarioReport, settings } = understudy
const { UnreachableError, UsageError } = understudy

export const simulator = createSimulator()
export const { clock, defaults, faults, journal, keys, sandboxes, world } = simulator
export const values = { settings, of: simulator.settings, all: simulator.settings.list() }
export const make = { fork: () => simulator.fork(), snapshot: () => simulator.snapshot() }
export const rows = {
  add: world.annotations.add,
  annotations: world.annotations.list(),
  defaults: { ...defaults },
  edit: world.edit,
  find: world.find('plugins'),
  keys: keys.list(),
  project: world.projects.get(1),
}
export const recorded = {
  entries: journal.find(),
  har: journal.toHar(),
  mistakes: journal.mistakes(),
  recording: simulator.record(),
  report: simulator.report(),
  time: clock.read(),
  verified: journal.verify({ operation: 'listAnnotations' }),
}
export const states = {
  faults: faults.list(),
  sandbox: sandboxes.create(),
}
export const explained = async () => ({ ...(await simulator.explain(1)) })
export const persisted = () => [persistIn(simulator, sessionStorage), persistInFile(simulator, 'w')]
export const errors = [RemoteError, UnreachableError, UsageError]

export const remote = connect('http://127.0.0.1:4010')
export const remoteParts = { ...remote }
export const read = async () => ({
  clock: await remote.clock.read(),
  health: await remote.health(),
  reasons: await remote.explain(1),
  rows: await remote.world.find('annotations'),
  sandbox: await remote.sandboxes.create({ from: 'empty' }),
})
export const scenario = async () => {
  const story = await readScenario('story.json')
  return {
    standIn: await createScenarioSimulator(story),
    result: await simulator.run(story),
    story,
  }
}
export const scenarios = { recordingOf, rehearse, runAt, scenarioReport }

export const start = () => listen(createSimulator())
export const page = () => startInBrowser()
export const context = () => withSimulator(async (given) => given)
export const caller = () => withSimulator(({ as }) => as('all'))
export const swept = () => createSweptSimulator()
export const middleware = toExpress(simulator.handlers)
export const made = {
  annotation: factories().annotation,
  generate,
  of: factories(),
  world: generate({}),
}
export const files = { fixtureNames, odd: () => readWorld('odd') }

export const test = base.extend('simulatorOptions', { clock: '2024-06-15T12:00:00Z' })
export const testWithKey = base.extend<{ key: string }>({
  key: ({ simulator }, use) => use(simulator.defaults.key),
})
export const inBrowser = playwright.extend(simulatorFixtures)
export const parts = {
  answerPages,
  fixtures: { ...simulatorFixtures },
  simulatorMatchers,
}
