import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { annotation } from '../../src/world/entities/annotation.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'

function resultsOf(body: unknown): unknown[] {
  return (body as { results: unknown[] }).results
}

/** Returns the count of a list and the contents of its annotations. */
function summarize(body: unknown): [count: number, contents: unknown[]] {
  const { count, results } = body as { count: number; results: { content: string }[] }
  return [count, results.map(({ content }) => content)]
}

test('repeated requests get the same page byte by byte, until a row changes', async () => {
  const client = await start({ world: 'empty' })
  const { ask, simulator } = client
  const page = `${annotationsPath}?limit=2`
  for (const content of ['One', 'Twö']) await ask('POST', annotationsPath, { body: { content } })

  const [first, ...others] = await Promise.all(
    [1, 2, 3].map(async () => (await client.send('GET', page)).text()),
  )
  await ask('PATCH', `${annotationsPath}1/`, { body: { content: 'Eins' } })
  const changed = await ask('GET', page)
  await ask('PATCH', `${annotationsPath}2/`, { body: { deleted: true } })
  const removed = await ask('GET', page)
  simulator.reset()
  const reset = await ask('GET', page)

  expect(others).toEqual([first, first])
  expect(summarize(JSON.parse(first as string))).toEqual([2, ['Twö', 'One']])
  expect(summarize(changed.body)).toEqual([2, ['Twö', 'Eins']])
  expect(summarize(removed.body)).toEqual([1, ['Eins']])
  expect(summarize(reset.body)).toEqual([0, []])
})

test('a page changes with the rows that its own rows refer to', async () => {
  const { ask, simulator } = await start()
  const authors = (body: unknown) =>
    (body as { results: { created_by: { first_name: string } | null }[] }).results.map(
      ({ created_by }) => created_by?.first_name,
    )
  const before = await ask('GET', `${annotationsPath}?limit=1`)

  for (const { id } of simulator.world.users.list()) {
    simulator.world.users.update(id, { first_name: 'Renamed' })
  }
  const after = await ask('GET', `${annotationsPath}?limit=1`)

  expect(authors(before.body)).toEqual(['Noor'])
  expect(authors(after.body)).toEqual(['Renamed'])
  // The journal writes the rows of a page when it is read.
  expect(authors(simulator.journal.get(1)?.response?.body)).toEqual(['Noor'])
})

test('a row changes with the organization, the dashboard item and the user that it shows', async () => {
  const { ask, simulator } = await start()
  const { organizations, dashboard_items, users } = simulator.world
  const paths = [`/api/organizations/${acme}/plugins/21/`, `${annotationsPath}1/`]
  const shown = () => Promise.all(paths.map(async (path) => (await ask('GET', path)).body))
  await shown()

  organizations.update(acme, { name: 'Renamed' })
  expect(await shown()).toMatchObject([{ organization_name: 'Renamed' }, {}])
  dashboard_items.update(10, { name: 'Renamed, too' })
  expect(await shown()).toMatchObject([{}, { insight_name: 'Renamed, too' }])
  users.update(1, { email: 'new@example.com' })
  expect(await shown()).toMatchObject([{}, { created_by: { email: 'new@example.com' } }])
})

test.each([
  ['another project', '/api/projects/2/annotations/?limit=2', {}],
  ['another offset', `${annotationsPath}?limit=2&offset=1`, {}],
  ['another limit', `${annotationsPath}?limit=3`, {}],
  ['a search', `${annotationsPath}?limit=2&search=release`, {}],
  ['another version', `${annotationsPath}?limit=2`, { 'annotations.fields': 'july_2024' }],
  ['deleted rows', `${annotationsPath}?limit=2`, { 'annotations.deleted.visibility': 'listed' }],
] as const)('a cached page is not used for %s', async (_title, path, settings) => {
  const [cached, fresh] = [await start(), await start({ settings })]
  await cached.send('GET', `${annotationsPath}?limit=2`)
  cached.simulator.settings.set(settings)

  const [page, expected] = [await cached.ask('GET', path), await fresh.ask('GET', path)]

  expect(resultsOf(page.body)).toEqual(resultsOf(expected.body))
})

test('what is kept of the rows of all worlds is forgotten when it is too much', () => {
  const { tables, texts } = createSimulator().state
  const rows = () => texts.of(annotation.fields, tables, '')
  const first = rows()

  texts.take(144 * 2 ** 20)
  expect(rows()).toBe(first)
  texts.take(1)
  expect(rows()).not.toBe(first)
})
