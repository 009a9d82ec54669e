import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import type { Reply } from '../../support/lanes/client.ts'
import { start } from '../../support/lanes/start.ts'

const contents = ({ body }: Reply) =>
  (body as { results: { content: string }[] }).results.map(({ content }) => content)

/** Starts with the annotations A, B, C and D, A being the newest. */
async function startWithFour() {
  const started = await start({ world: 'empty' })
  for (const content of ['D', 'C', 'B', 'A'])
    started.simulator.world.annotations.create({ content })
  return started
}

/** Reads all pages by limit and offset, as simple clients do. */
async function readPages({ ask }: Awaited<ReturnType<typeof startWithFour>>): Promise<string[]> {
  const pages = [0, 2, 4].map((offset) => `${annotationsPath}?limit=2&offset=${offset}`)
  const received: string[] = []
  for (const page of pages) received.push(...contents(await ask('GET', page)))
  return received
}

test('a row that is created between two pages makes a client see another row twice', async () => {
  const started = await startWithFour()
  started.simulator.actors.add({
    after: { operation: 'listAnnotations', requests: 1 },
    steps: [{ create: 'annotations', row: { content: 'New' } }],
  })

  expect(await readPages(started)).toEqual(['A', 'B', 'B', 'C', 'D'])
})

test('a row that is deleted between two pages makes a client miss another row', async () => {
  const started = await startWithFour()
  started.simulator.actors.add({
    after: { operation: 'listAnnotations', requests: 1 },
    steps: [{ delete: 'annotations', id: { at: 0 } }],
  })

  expect(await readPages(started)).toEqual(['A', 'B', 'D'])
  expect(contents(await started.ask('GET', annotationsPath))).toEqual(['B', 'C', 'D'])
})

test('a client overwrites a field that an actor wrote after the client read it, and why names each writer', async () => {
  const { ask, simulator } = await startWithFour()
  simulator.actors.add({
    after: { operation: 'retrieveAnnotation' },
    steps: [
      { update: 'annotations', id: 1, changes: { content: 'By the actor', scope: 'project' } },
    ],
  })

  const read = await ask('GET', `${annotationsPath}1/`)
  const afterActor = simulator.world.annotations.get(1)?.content
  simulator.world.annotations.update(1, { creation_type: 'GIT' })
  const { content } = read.body as { content: string }
  const written = await ask('PATCH', `${annotationsPath}1/`, { body: { content: `${content}!` } })

  expect(read.body).toMatchObject({ content: 'D', scope: 'dashboard_item' })
  expect(afterActor).toBe('By the actor')
  expect(written.body).toMatchObject({ content: 'D!', scope: 'project' })
  const { fields = [] } = simulator.why('annotation', 1) ?? {}
  const since = Object.fromEntries(fields.map(({ field, since }) => [field, since]))
  expect(since).toMatchObject({
    content: { entry: 2, operation: 'updateAnnotation' },
    scope: { actor: 'actor-1' },
    creation_type: { edit: 'world' },
  })
})

test('writes of an actor do not appear in the journal', async () => {
  const { ask, simulator } = await startWithFour()
  simulator.actors.add({
    after: { operation: 'updateAnnotation' },
    steps: [{ delete: 'annotations', id: 2 }],
  })

  await ask('PATCH', `${annotationsPath}1/`, { body: { content: 'Of the client' } })

  const entries = simulator.journal.find()
  expect(entries.map(({ operation }) => operation)).toEqual(['updateAnnotation'])
  expect(entries.flatMap(({ changes }) => changes.map(({ id }) => id))).toEqual([1])
})

test('a row that an actor creates has the next id and the time of the clock', async () => {
  const { ask, simulator } = await startWithFour()
  simulator.clock.set('2024-06-15T12:00:00Z')
  simulator.actors.add({
    after: { method: 'POST', path: '/api/projects/:project_id/annotations' },
    steps: [
      { create: 'annotations', row: { content: 'By another user', created_by: 1 } },
      { update: 'annotations', id: 2, changes: { content: 'C, edited' } },
    ],
  })

  simulator.clock.advance({ hours: 1 })
  const created = await ask('POST', annotationsPath, { body: { content: 'Of the client' } })

  expect(created.body).toMatchObject({ id: 5, content: 'Of the client' })
  expect(await ask('GET', `${annotationsPath}6/`)).toMatchObject({
    status: 200,
    body: {
      id: 6,
      content: 'By another user',
      created_by: { id: 1 },
      created_at: '2024-06-15T13:00:00Z',
      updated_at: '2024-06-15T13:00:00Z',
    },
  })
  expect(await ask('GET', `${annotationsPath}2/`)).toMatchObject({
    body: { content: 'C, edited', updated_at: '2024-06-15T13:00:00Z' },
  })
})

test('with every: true, an actor writes again after each further number of requests', async () => {
  const started = await startWithFour()
  const { ask, simulator } = started
  simulator.actors.add({
    after: { operation: 'listAnnotations', requests: 2, every: true },
    steps: [{ create: 'annotations', row: { content: 'Again' } }],
  })

  const counts: unknown[] = []
  for (let count = 0; count < 5; count++) {
    counts.push(((await ask('GET', annotationsPath)).body as { count: number }).count)
    await ask('GET', `${annotationsPath}1/`)
  }

  expect(counts).toEqual([4, 4, 5, 5, 6])
  expect(simulator.actors.list()).toMatchObject([{ runs: 2, remaining: 1 }])
})

test('resetting the rows keeps actors and their counters', async () => {
  const { ask, simulator } = await start()
  simulator.actors.add({
    after: { operation: 'listAnnotations', requests: 2 },
    steps: [{ delete: 'annotations', id: 1 }],
  })

  await ask('GET', annotationsPath)
  simulator.reset({ only: ['rows'] })
  await ask('GET', annotationsPath)

  expect(simulator.world.annotations.get(1)?.deleted).toBe(true)
  expect(simulator.actors.list()).toMatchObject([{ runs: 1, remaining: null }])
})

test('an actor is removed by its id, and the others stay', async () => {
  const { ask, simulator } = await start()
  const { actors, world } = simulator
  const after = { operation: 'listAnnotations' } as const
  const [first, second] = [1, 2].map((id) =>
    actors.add({ after, steps: [{ update: 'annotations', id, changes: { content: 'Theirs' } }] }),
  )

  expect(actors.remove(first?.id ?? '')).toBe(true)
  expect(actors.remove(first?.id ?? '')).toBe(false)
  expect(actors.list()).toEqual([second])
  await ask('GET', annotationsPath)

  expect([1, 2].map((id) => world.annotations.get(id)?.content === 'Theirs')).toEqual([false, true])
})

test('an actor counts only requests with its key to its path', async () => {
  const { ask, simulator } = await start()
  simulator.actors.add({
    after: { method: 'GET', path: '/api/projects/1/annotations/2/', key: 'phx_annotations' },
    steps: [{ delete: 'annotations', id: 2 }],
  })
  const isDeleted = async () => simulator.world.annotations.get(2)?.deleted

  await ask('GET', `${annotationsPath}2/`)
  await ask('GET', `${annotationsPath}1/`, { key: 'phx_annotations' })
  await ask('PATCH', `${annotationsPath}2/`, { key: 'phx_annotations', body: {} })
  const before = await isDeleted()
  await ask('GET', `${annotationsPath}2/`, { key: 'phx_annotations' })

  expect([before, await isDeleted()]).toEqual([false, true])
})

test('an actor can write plugins, and removes one with its configurations', async () => {
  const { simulator, ask } = await start()
  const plugins = `/api/organizations/${simulator.defaults.organization_id}/plugins/`
  const [first] = simulator.world.plugins.list()
  simulator.actors.add({
    after: { operation: 'listPlugins' },
    steps: [
      { update: 'plugins', id: { at: -1 }, changes: { tag: '9.9.9' } },
      { create: 'plugins', row: { name: 'By another user' } },
      { delete: 'plugins', id: { at: 0 } },
    ],
  })

  const before = await ask('GET', plugins)
  const after = await ask('GET', plugins)

  const rows = (before.body as { results: { id: number }[] }).results
  expect(rows[0]).toMatchObject({ id: first?.id })
  expect((after.body as { results: object[] }).results).toMatchObject([
    ...rows.slice(1, -1),
    { id: rows.at(-1)?.id, tag: '9.9.9' },
    { name: 'By another user', url: null },
  ])
  expect(
    simulator.world.plugin_configs.list().filter(({ plugin }) => plugin === first?.id),
  ).toEqual([])
  expect(simulator.actors.list()).toMatchObject([{ errors: [] }])
})

test('an actor of a sandbox writes and counts in its sandbox only', async () => {
  const { ask, simulator } = await startWithFour()
  const { id, keys } = simulator.sandboxes.create()
  const sandbox = simulator.sandboxes.get(id)
  const key = keys[0]?.value as string
  sandbox?.actors.add({
    after: { operation: 'listAnnotations' },
    steps: [{ create: 'annotations', row: { content: 'Inside' } }],
  })

  await ask('GET', annotationsPath)
  const before = sandbox?.world.annotations.count
  await ask('GET', annotationsPath, { key })

  expect([before, sandbox?.world.annotations.count]).toEqual([0, 1])
  expect(contents(await ask('GET', annotationsPath))).toEqual(['A', 'B', 'C', 'D'])
  expect(simulator.actors.list()).toEqual([])
})
