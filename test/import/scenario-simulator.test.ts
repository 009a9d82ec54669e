import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importExchanges } from '../../src/import/import-exchanges.ts'
import { readHar } from '../../src/import/read-har.ts'
import { openRecording } from '../../src/import/scenario-simulator.ts'
import { createScenarioSimulator, createSimulator, type Scenario } from '../../src/index.ts'
import { isRequestStep } from '../../src/scenarios/format/scenario.ts'
import { readScenario } from '../../src/scenarios/library.ts'
import { annotationsPath, noon } from '../support/api/paths.ts'
import { root } from '../support/root.ts'
import { createStory, listStep, postStep, readStep } from '../support/scenarios/story.ts'

/** The differences of what a client gets that sends the requests of a recording to the simulator in its place. */
async function differencesOf(scenario: Scenario) {
  const simulator = await createScenarioSimulator(scenario)
  const steps = scenario.steps.filter(isRequestStep)
  const result = await simulator.run({ title: 'A client', steps }, { in_place: true })
  return result.steps.flatMap(({ differences }) => differences)
}

const refused = { type: 'server_error', code: 'error', detail: 'Down.', attr: null }
const patch = { as: 'all', method: 'PATCH', path: `${annotationsPath}1/` } as const

test.each<[what: string, steps: Scenario['steps']]>([
  ['another value', [{ ...readStep, expect: { status: 200, body: { content: 'As recorded' } } }]],
  ['another status', [{ ...readStep, expect: { status: 404, body: refused } }]],
  [
    'a status with headers and a text',
    [{ ...readStep, expect: { status: 503, headers: { 'retry-after': '3' }, text: 'Busy' } }],
  ],
  ['a whole body', [{ ...readStep, expect: { status: 200, exact_body: { id: 1 } } }]],
  ['no body', [{ ...patch, body: { content: 'a' }, expect: { status: 204 } }]],
  [
    'a link',
    [
      {
        ...listStep,
        expect: { body: { next: { $saved: `{base_url}${annotationsPath}?limit=1` } } },
      },
    ],
  ],
  [
    'the second of two equal requests',
    [
      { ...readStep, expect: { status: 200 } },
      { ...readStep, expect: { status: 500, body: refused } },
      { ...readStep, expect: { status: 200, body: { content: 'Release 1.0' } } },
    ],
  ],
  [
    'a request that needs a value which only the recorded service gave',
    [
      { ...listStep, expect: { body: { results: [{ id: 3 }] } }, save: { id: '/results/0/id' } },
      { ...readStep, path: `${annotationsPath}{id}/`, expect: { body: { id: 3 } } },
    ],
  ],
  [
    'a row that was created after what others did at the time of another answer',
    [
      { ...readStep, expect: { body: { content: 'As recorded' } } },
      { rows: { annotations: [{ content: 'By another client' }] } },
      { ...postStep, body: { content: 'a' }, expect: { status: 201 }, save: { id: '/id' } },
      { ...readStep, path: `${annotationsPath}{id}/`, expect: { body: { content: 'b' } } },
    ],
  ],
  ['a revoked key', [readStep, { revoke: 'all' }, { ...readStep, expect: { status: 401 } }]],
  [
    'a later clock',
    [
      { ...postStep, body: { content: 'a' }, expect: { status: 201 } },
      { advance: { hours: 1 } },
      {
        ...patch,
        body: { content: 'b' },
        expect: { body: { updated_at: '2024-06-15T13:00:00Z' } },
      },
    ],
  ],
])('a client gets %s as recorded', async (_what, steps) => {
  expect(await differencesOf(createStory(steps))).toEqual([])
})

test('what others did comes with the requests, and the rest is the world', async () => {
  const steps: Scenario['steps'] = [
    readStep,
    { update: { annotations: [{ id: 1, content: 'Edited' }] } },
    { ...readStep, expect: { status: 200, body: { content: 'Edited' } } },
  ]
  const simulator = await createScenarioSimulator(createStory(steps))
  const { value = '' } = simulator.keys.list().find(({ label }) => label === 'all') ?? {}
  const read = async (id: number) => {
    const init = { headers: { authorization: `Bearer ${value}` } }
    return (await simulator.fetch(`${annotationsPath}${id}/`, init)).json()
  }

  const [first, other, second] = [await read(1), await read(2), await read(1)]

  expect([first.content, other.id, second.content]).toEqual(['Release 1.0', 2, 'Edited'])
})

test('a client meets a fault whose query or body a recording hides, and earlier ones do not', async () => {
  const [ada, bob] = ['replaced-email-1@example.com', 'replaced-email-2@example.com']
  const search = { ...listStep, path: `${annotationsPath}?search=` }
  const effect = { status: 503 }
  const story = createStory([
    { ...search, path: search.path + ada },
    { fault: { operation: 'listAnnotations', query: { search: bob }, effect } },
    { ...search, path: search.path + ada },
    { ...search, path: search.path + bob, expect: { status: 503 } },
    { fault: { operation: 'createAnnotation', body: { content: `by ${bob}` }, effect } },
    { ...postStep, body: { content: `by ${bob}` }, expect: { status: 503 } },
  ])
  const simulator = await createScenarioSimulator(story)
  const steps = story.steps.filter(isRequestStep).map(({ expect: _, ...step }) => step)
  const client = JSON.stringify(steps).replaceAll(/replaced-email-(.)@example/g, 'e$1@corp')

  const run = await simulator.run({ title: '', steps: JSON.parse(client) }, { in_place: true })

  expect(run.steps.map(({ response }) => response?.status)).toEqual([200, 200, 503, 503])
})

test('a recording takes precedence over options, which hold for what it does not say', async () => {
  const [deletion, body] = ['annotations.delete.status', 'plugins.other.body'] as const
  const { world: _, ...story } = createStory([readStep], { settings: { [deletion]: '404' } })

  const { world, settings } = await createScenarioSimulator(story, {
    world: 'empty',
    settings: { [deletion]: '405', [body]: 'specific' },
  })

  expect(world.annotations.count).toBe(0)
  expect([settings.get(deletion), settings.get(body)]).toEqual(['404', 'specific'])
})

test('a recording without a request is refused', async () => {
  await expect(createScenarioSimulator(createStory([{ advance: { hours: 1 } }]))).rejects.toThrow(
    'Failed to open the recording "An annotation": expected a scenario with a request, got none.',
  )
})

test('a reset returns to the clock and the settings of the recording, without earlier faults', async () => {
  const settings = { 'annotations.delete.status': '404' } as const
  const simulator = createSimulator()
  const { clock, faults } = simulator
  faults.add({ preset: 'outage' })
  await openRecording(simulator, createStory([readStep], { settings }))
  const [start, rules] = [clock.iso(), faults.list()]

  clock.advance({ hours: 1 })
  simulator.reset()

  expect([start, clock.iso(), rules]).toEqual([noon, noon, []])
  expect(simulator.settings.values).toMatchObject(settings)
})

const archives = join(root, 'test/adapters/har/archives')

test.each(['chromium.har', 'playwright.har'])(
  'a client gets every response of the archive %s',
  async (name) => {
    const text = readFileSync(join(archives, name), 'utf8')
    const { exchanges, baseUrl } = readHar(JSON.parse(text), name, undefined, {})
    const { scenario } = await importExchanges(exchanges, { baseUrl })

    expect(await differencesOf(scenario)).toEqual([])
  },
)

const scenarios = readdirSync(join(root, 'scenarios')).filter((name) => /^[^.]+\.json$/.test(name))

test.each(scenarios)('a client gets every response of the scenario %s', async (name) => {
  const scenario = await readScenario(join(root, 'scenarios', name), { inlineWorld: true })
  // The names of rows that a scenario adds are not those of a client.
  const adds = scenario.steps.some((step) => 'rows' in step && 'save' in step)

  if (adds) await createScenarioSimulator(scenario)
  else expect(await differencesOf(scenario)).toEqual([])
})

test('a recording that needs too many faults changes nothing', async () => {
  const simulator = createSimulator()
  const faults = Array.from({ length: 1_001 }, () => ({ effect: { status: 500 } }))
  const story = createStory([readStep], { world: 'empty', test: { faults, expect: [] } })

  await expect(openRecording(simulator, story, 'recorded')).rejects.toThrow(/at most 1000 rules/)

  expect([simulator.world.annotations.count, simulator.faults.list()]).toEqual([8, []])
})
