import { expect, test } from 'vitest'
import { connect, createSimulator, type Scenario } from '../../src/index.ts'
import { rehearse } from '../../src/node.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { serve } from '../support/transports/start.ts'

const lost = { operation: 'createAnnotation', when: { times: 1 }, effect: { drop: true } } as const
const [sent, hidden] = ['Mail ada@acme.com', 'Mail replaced-email-1@example.com']
const twice = `Expected 1 row of annotations with content "${hidden}" and deleted false (found 2)`
const scenario: Scenario = {
  title: 'A lost create',
  world: 'default',
  clock: '2024-06-15T12:00:00Z',
  steps: [{ as: 'annotations', method: 'POST', path: annotationsPath, body: { content: hidden } }],
  test: {
    faults: [{ ...lost, phase: 'before' }],
    faults_after_commit: [{ ...lost, phase: 'after-commit' }],
    expect: [
      {
        failure: 'Create annotation: lost',
        rows: { list: 'annotations', where: { content: hidden, deleted: false }, count: 1 },
      },
      { failure: 'No list', received: { operation: 'listAnnotations', at_most: 1 } },
      { failure: 'client mistake: local time', no_mistake: 'local-time' },
    ],
  },
}

type Fetch = (path: string, init: RequestInit) => Promise<Response>

const create = (key: string) => ({
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ content: sent }),
})

/** Looks before it repeats a create. */
async function careful(send: Fetch, key: string) {
  await send(annotationsPath, create(key)).catch(async () => {
    const page = await send(annotationsPath, { headers: { authorization: `Bearer ${key}` } })
    const { results } = (await page.json()) as { results: { content: string }[] }
    if (!results.some(({ content }) => content === sent)) await send(annotationsPath, create(key))
  })
}

/** Repeats a create without a look. */
async function hasty(send: Fetch, key: string) {
  await send(annotationsPath, create(key)).catch(() => send(annotationsPath, create(key)))
}

test('a client is rehearsed in both phases, with the key of the recorded one', async () => {
  const simulator = createSimulator({ world: 'empty' })
  const keys: string[] = []

  await rehearse(simulator, scenario, async ({ key }) => {
    keys.push(key)
    await careful((path, init) => simulator.fetch(path, init), key)
  })

  expect(keys).toEqual(['phx_annotations', 'phx_annotations'])
  expect(simulator.clock.iso()).toBe('2024-06-15T12:00:00Z')
})

test('a scenario without a world starts with the rows of the simulator, in both phases', async () => {
  const simulator = createSimulator()
  const { world: _, ...story } = scenario
  const counts: number[] = []

  await rehearse(simulator, story, async ({ key }) => {
    counts.push(simulator.world.annotations.count)
    await careful((path, init) => simulator.fetch(path, init), key)
  })

  expect(counts).toEqual([8, 8])
})

test.each([
  ['does too much', hasty, `${twice}, where the create that failed was carried out`],
  ['sends nothing', async () => {}, 'No request of the client has a response.'],
])('a client that %s gets a sentence', async (_what, client, message) => {
  const simulator = createSimulator()
  const send: Fetch = (path, init) => simulator.fetch(path, init)

  await expect(rehearse(simulator, scenario, ({ key }) => client(send, key))).rejects.toThrow(
    message,
  )
})

test('a scenario without a test is refused, and the world stays', async () => {
  const simulator = createSimulator()
  const { test: _, ...story } = scenario

  await expect(rehearse(simulator, { ...story, world: 'empty' }, () => {})).rejects.toThrow(
    '"A lost create" has no test. Write one with: npx understudy-api import FILE --as RUNNER',
  )
  expect(simulator.world.annotations.count).toBeGreaterThan(0)
})

test('changes before the first request are in the world that a client meets', async () => {
  const rows = { annotations: [{ content: hidden }] }
  const simulator = createSimulator()

  await rehearse(
    simulator,
    { ...scenario, steps: [{ rows }, ...scenario.steps], test: { faults: [], expect: [] } },
    () => simulator.run({ title: 'A client', steps: scenario.steps }, { in_place: true }),
  )

  expect(
    simulator.world.annotations.list().filter(({ content }) => content === hidden).length,
  ).toBe(2)
})

test.each([
  ['careful', careful, { passed: true, message: '' }],
  ['hasty', hasty, { passed: false, message: twice }],
])(
  'a sandbox of a server opens a recording for a client that is %s',
  async (_, client, verified) => {
    const { origin } = await serve()
    const { remote } = await connect(origin).sandboxes.create()

    const { key } = await remote.scenarios.open(scenario, { phase: 'after-commit' })
    await client((path, init) => remote.fetch(path, init), String(key))

    expect(await remote.scenarios.verify(scenario)).toEqual(verified)
  },
)

test('a server opens a recording without a phase with the faults of its steps, also after a reset', async () => {
  const { origin } = await serve()
  const remote = connect(origin)
  const fault = {
    operation: 'createAnnotation',
    when: { times: 1 },
    effect: { status: 503 },
  } as const

  const steps = [{ fault }, ...scenario.steps]
  const { key } = await remote.scenarios.open({ ...scenario, steps })
  await remote.world.add({ annotations: [{ content: 'B' }] })
  await remote.reset()

  const statuses = []
  for (const _ of [1, 2])
    statuses.push((await remote.fetch(annotationsPath, create(String(key)))).status)
  expect(statuses).toEqual([503, 201])
  const contents = (await remote.world.read()).annotations?.map(({ content }) => content)
  expect([contents?.includes(sent), contents?.includes('B')]).toEqual([true, false])
})
