import { expect, test } from 'vitest'
import { socketTest, start } from '../support/lanes/start.ts'

const annotations = '/api/projects/1/annotations/'

function resultsOf(body: unknown): unknown[] {
  return (body as { results: unknown[] }).results
}

/** A simulator, and the way to the bytes of its answers. */
async function opened(options: Parameters<typeof start>[0] = {}) {
  const client = await start(options)
  const send = async (method: string, path: string) => (await client.send(method, path)).text()
  return { ask: client.ask, simulator: client.simulator, send }
}

/** What a list of the empty world says: how many there are, and what they hold. */
function contentsOf(body: unknown): [number, unknown[]] {
  const { count, results } = body as { count: number; results: { content: string }[] }
  return [count, results.map(({ content }) => content)]
}

test('a page that is asked for again and again is the same, byte by byte, until a row is written', async () => {
  const { ask, send, simulator } = await opened({ world: 'empty' })
  for (const content of ['One', 'Twö']) await ask('POST', annotations, { body: { content } })

  const pages = [1, 2, 3].map(() => send('GET', `${annotations}?limit=2`))
  const [first, ...others] = await Promise.all(pages)
  await ask('PATCH', `${annotations}1/`, { body: { content: 'Eins' } })
  const changed = await ask('GET', `${annotations}?limit=2`)
  await ask('PATCH', `${annotations}2/`, { body: { deleted: true } })
  const removed = await ask('GET', `${annotations}?limit=2`)
  simulator.reset()
  const reset = await ask('GET', `${annotations}?limit=2`)

  expect(others).toEqual([first, first])
  expect(contentsOf(JSON.parse(first as string))).toEqual([2, ['Twö', 'One']])
  expect(contentsOf(changed.body)).toEqual([2, ['Twö', 'Eins']])
  expect(contentsOf(removed.body)).toEqual([1, ['Eins']])
  expect(contentsOf(reset.body)).toEqual([0, []])
})

test('it is another one when what its rows show of others has changed', async () => {
  const { ask, simulator } = await start()
  const namesOf = (body: unknown) =>
    (body as { results: { created_by: { first_name: string } | null }[] }).results.map(
      ({ created_by }) => created_by?.first_name,
    )
  const before = await ask('GET', `${annotations}?limit=1`)

  for (const { id } of simulator.world.users.list()) {
    simulator.world.users.update(id, { first_name: 'Somebody' })
  }
  const after = await ask('GET', `${annotations}?limit=1`)

  expect(namesOf(before.body)).toEqual(['Noor'])
  expect(namesOf(after.body)).toEqual(['Somebody'])
})

test.each([
  ['another project', '/api/projects/2/annotations/?limit=2', {}],
  ['another offset', `${annotations}?limit=2&offset=1`, {}],
  ['another limit', `${annotations}?limit=3`, {}],
  ['a search', `${annotations}?limit=2&search=release`, {}],
  ['another era', `${annotations}?limit=2`, { versioning: 'july_2024' }],
  ['deleted rows', `${annotations}?limit=2`, { 'annotations.deleted.visibility': 'listed' }],
] as const)(
  'of %s it is the one that a client gets who has asked nothing before',
  async (_of, path, policies) => {
    const [asked, fresh] = [await opened(), await opened({ policies })]
    await asked.send('GET', `${annotations}?limit=2`)
    asked.simulator.policies.set(policies)

    const [page, first] = [await asked.ask('GET', path), await fresh.ask('GET', path)]

    expect(resultsOf(page.body)).toEqual(resultsOf(first.body))
  },
)

test('what it comes from is in the journal each time', async () => {
  const { ask, simulator } = await start()
  for (let count = 0; count < 3; count++) await ask('GET', annotations)

  const [first, ...others] = simulator.journal.find().map(({ policies }) => policies)

  expect(first?.map(({ id }) => id)).toContain('annotations.deleted.visibility')
  expect(others).toEqual([first, first])
})

socketTest('clients with other headers are told apart in the journal', async () => {
  const { ask, simulator } = await start()
  const headers = ['Bearer phx_all', 'Bearer phx_all', 'Bearer phx_wrong', 'Bearer phx_all']
  for (const authorization of headers) await ask('GET', annotations, { headers: { authorization } })

  const entries = simulator.journal.find()

  expect(entries.map(({ answer }) => answer.status)).toEqual([200, 200, 401, 200])
  expect(entries.map(({ key }) => key?.label ?? null)).toEqual(['all', 'all', null, 'all'])
})
