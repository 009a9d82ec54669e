import assert from 'node:assert'
import nodeTest from 'node:test'
import { test as pw, expect as pwExpect } from '@playwright/test'
import express from 'express'
import { HttpResponse, http } from 'msw'
import {
  connect,
  createScenarioSimulator,
  createSimulator,
  persistIn,
  RemoteError,
  recordingOf,
  runAt,
  scenarioReport,
  settings,
  UnreachableError,
  UsageError,
} from 'understudy-api'
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
  withSimulator,
} from 'understudy-api/node'
import {
  answerPages,
  type SimulatorFixtures,
  simulatorFixtures,
  simulatorMatchers,
} from 'understudy-api/playwright'
import { test as base } from 'understudy-api/vitest'
import { expect } from 'vitest'

const test = base.extend('simulatorOptions', { clock: '2024-06-15T12:00:00Z' })
test.override({ simulatorOptions: { clock: '2024-06-15T12:00:00Z', mistakes: 'fail' } })

test('client', async ({ simulator, as }) => {
  const { fetch, headers, key } = as('all')
  const response = await fetch('/api/projects/', { headers })
  const page = (await response.json()) as { results: { id: number }[] }
  expect(page.results).toHaveLength(1)
  expect(simulator).toHaveReceived({
    operation: 'listAnnotations',
    count: 1,
    query: { search: 'x' },
  })
  expect(simulator).toHaveNoClientMistakes({ except: ['swallowed-delete'] })
  await expect(simulator).toPassScenario('story.json')
  expect(key).toBe('phx_all')
  simulator.use(http.get('/flags', () => HttpResponse.json({})))
  const { faults, journal, keys, clock } = simulator
  const [fault] = faults.add({
    operation: 'createAnnotation',
    effect: { drop: true },
    when: { times: 1 },
  })
  assert.ok(fault)
  faults.remove(fault.id)
  faults.list()
  const [entry] = journal.find({ limit: 1 })
  assert.ok(entry)
  console.log(
    entry.id,
    entry.request.bytes,
    entry.reason,
    journal.get(entry.id),
    journal.verify({ operation: 'listAnnotations' }).passed,
    journal.toHar(),
  )
  journal.clear()
  keys.revoke(keys.issue({ scopes: null }))
  clock.set('2024-06-15T12:00:00Z')
  clock.freeze()
  const why = await simulator.explain(1)
  console.log(why)
  const { annotations } = simulator.world
  annotations.add({ content: 'Launch' })
  annotations.update(1, { deleted: true })
  annotations.delete(1)
  for (const row of annotations.list()) console.log(row.content?.length, row.deleted)
  const snapshot = simulator.snapshot()
  simulator.restore(snapshot)
  const fork = simulator.fork({ seed: 1 })
  const result = await fork.run(await readScenario('story.json'))
  console.log(
    result.passed,
    result.steps.map(({ title }) => title),
  )
  simulator.reset()
  simulator.replaceWorld(createSimulator().world.toJSON())
})

void nodeTest('node', async () => {
  await withSimulator({ world: 'empty' }, async ({ simulator, as }) => {
    await fetch('https://app.example.com/', { headers: as('all').headers })
    assert.deepEqual(simulator.journal.mistakes(), [])
  })
  console.log(createSweptSimulator({ profile: 'live' }).settings.values)
  const simulator = createSimulator({ world: await readWorld('odd'), handlers: [] })
  const { url, close } = await listen(simulator, { port: 0 })
  const remote = connect(url, { token: 'x' })
  const { world, journal, faults, keys, clock, sandboxes, explain, health } = remote
  console.log(
    await world.find('annotations'),
    await journal.find(),
    await faults.list(),
    await keys.list(),
    await clock.read(),
    await sandboxes.list(),
    await explain(1),
    await health(),
  )
  const stop = await journal.follow((entry) => {
    console.log(entry.id)
  })
  stop()
  const app = express()
  app.use(toExpress(simulator.handlers))
  const persisted = await persistInFile(simulator, 'world.json')
  await persisted.close()
  console.log(
    fixtureNames,
    Object.keys(settings),
    scenarioReport,
    runAt,
    recordingOf,
    createScenarioSimulator,
    persistIn,
    generate({}),
    factories({ seed: 1 }).annotation({}),
  )
  try {
    await remote.health()
  } catch (error) {
    if (error instanceof RemoteError) console.log(error.status)
    if (error instanceof UnreachableError) console.log(error.message)
    if (error instanceof UsageError) console.log(error.message)
  }
  const { stop: end } = await startInBrowser({ panel: true })
  end()
  await close()
})

const inBrowser = pw.extend<SimulatorFixtures>(simulatorFixtures)
const expectInBrowser = pwExpect.extend(simulatorMatchers)
inBrowser.use({ simulatorOptions: { world: 'default' } })
inBrowser('page', async ({ page, context, simulator, as }) => {
  await page.goto('/')
  await answerPages(context, simulator.handlers)
  await as('all').fetch('/api/projects/')
  expectInBrowser(simulator).toHaveReceived({ operation: 'createAnnotation', count: 1 })
  expectInBrowser(simulator).toHaveNoClientMistakes()
})
