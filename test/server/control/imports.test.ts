import { expect, test } from 'vitest'
import { connect } from '../../../src/remote/connect.ts'
import type { Scenario } from '../../../src/scenarios/format/scenario.ts'
import { start } from '../../support/lanes/start.ts'
import { incidentHar } from '../../support/scenarios/incident-har.ts'

const name = 'incident.har'

test('an archive becomes a scenario with its failures and a test for each runner', async () => {
  const { origin, simulator } = await start()

  const imported = await connect(origin).scenarios.import({ name, content: incidentHar })

  const { scenario, tests, assumptions, ...found } = imported
  expect(found).toEqual({
    scenario_file: 'incident.json',
    base_url: 'https://app.example.com',
    requests: [
      { step: 1, title: 'List annotations' },
      { step: 3, title: expect.stringMatching(/^Create annotation: /) },
      { step: 4, title: 'Create annotation' },
      { step: 5, title: 'List annotations' },
    ],
    left_out: {},
    warnings: [],
    title: 'Create annotation: response lost after the write, and the retry made a duplicate',
    failures: ['Create annotation: response lost after the write, and the retry made a duplicate'],
    faults: 1,
    differing: [],
  })
  expect(tests.map((test) => `${test.runner} ${test.name} ${test.command}`)).toEqual([
    'vitest incident.test.ts npx vitest run incident.test.ts',
    'playwright incident.spec.ts npx playwright test incident.spec.ts',
    'pytest test_incident.py npx understudy-api exec -- pytest test_incident.py',
    'node incident.test.mjs node --test incident.test.mjs',
  ])
  expect(assumptions.length).toBeGreaterThan(0)
  expect(await connect(origin).scenarios.replay(scenario)).toMatchObject({ passed: true })
  expect(simulator.journal.find()).toEqual([])
})

test('the key of requests without one is labelled, and a scenario stays as it is', async () => {
  const { scenarios } = connect((await start()).origin)
  const story: Scenario = {
    title: 'A story',
    world: 'odd',
    steps: [{ as: 'all', method: 'GET', path: '/api/projects/', expect: { status: 404 } }],
  }

  const labelled = await scenarios.import({ name, content: incidentHar, default_key: 'mine' })
  const { scenario, base_url, differing } = await scenarios.import({ name, content: story })

  expect(labelled.scenario.steps[0]).toMatchObject({ as: 'mine' })
  expect({ scenario, base_url, differing }).toEqual({
    scenario: story,
    base_url: null,
    differing: [1],
  })
})

test.each<[string, object, RegExp]>([
  [
    'an archive of no API',
    { log: { entries: [] } },
    /^Failed to read incident\.har: it has no entries\./,
  ],
  ['an archive without entries', { log: {} }, /log\.entries: expected a list/],
  [
    'an invalid entry',
    { log: { entries: [{ ...incidentHar.log.entries[0], startedDateTime: 'now' }] } },
    /log\.entries\[0\]\.startedDateTime/,
  ],
  [
    'a world',
    { projects: [] },
    /Failed to read the scenario incident\.har.*steps: expected a list/s,
  ],
])('an import refuses %s, and names the file', async (_, content, message) => {
  const { origin } = await start()

  await expect(connect(origin).scenarios.import({ name, content })).rejects.toThrow(message)
})

test('an archive with requests to two services needs the base URL of one', async () => {
  const { scenarios } = connect((await start()).origin)
  const [first, ...rest] = incidentHar.log.entries
  const url = 'https://other.example.com/api/projects/1/annotations/'
  const two = { ...first, request: { ...first?.request, url } }
  const content = { log: { ...incidentHar.log, entries: [two, ...rest] } }

  await expect(scenarios.import({ name, content })).rejects.toThrow(
    'incident.har: it has requests to several base URLs: 1 to https://other.example.com, 3 to https://app.example.com. Choose one with "base".',
  )
  const base = 'https://other.example.com/'
  expect(await scenarios.import({ name, content, base })).toMatchObject({
    base_url: 'https://other.example.com',
    left_out: { elsewhere: 3 },
  })
})

const toLines = (entries: readonly object[]) => entries.map((entry) => JSON.stringify(entry))

test.each<[string, (entries: readonly object[]) => object | string]>([
  ['a list', (entries) => entries],
  ['one entry', ([entry]) => entry as object],
  ['the text of a list', (entries) => JSON.stringify(entries, null, 2)],
  ['lines', (entries) => `${toLines(entries).join('\n')}\n`],
])('a journal as %s is imported as its requests, with their world', async (_, toContent) => {
  const { origin, simulator } = await start()
  const init = { headers: { authorization: 'Bearer phx_all' } }
  await simulator.fetch('/api/projects/1/annotations/1/', init)
  await simulator.fetch('/api/projects/1/annotations/', init)
  const content = toContent(simulator.journal.find())

  const imported = await connect(origin).scenarios.import({ name: 'journal.ndjson', content })

  const titles = ['Retrieve annotation', 'List annotations']
  expect(imported).toMatchObject({
    base_url: null,
    requests: (_ === 'one entry' ? titles.slice(0, 1) : titles).map((title, index) => ({
      step: index + 1,
      title,
    })),
    differing: [],
    tests: expect.arrayContaining([expect.objectContaining({ name: 'journal.test.ts' })]),
  })
})

test('a text that is not JSON is refused with the place of its first error', async () => {
  const { scenarios } = connect((await start()).origin)

  await expect(scenarios.import({ name, content: '{"log":\n {]}' })).rejects.toThrow(
    /incident\.har is not valid JSON: line 2, column 3/,
  )
})
