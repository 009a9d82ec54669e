import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'

test('a response, its entry and the id of the entry are explained alike', async () => {
  const client = await start()
  const { simulator } = client
  await client.ask('DELETE', `${annotationsPath}1/`)
  const response = await client.send('DELETE', `${annotationsPath}1/`)
  await client.ask('DELETE', `${annotationsPath}2/`, { key: 'phx_annotation_read' })

  const reasons = await simulator.explain(response)

  const entry = simulator.journal.get(2)
  expect(reasons).toEqual(await simulator.explain(2))
  expect(entry && (await simulator.explain(entry))).toEqual(reasons)
  expect(reasons).toMatchObject({
    entry: 2,
    status: 405,
    sentence: '405: annotations cannot be deleted; send PATCH with {"deleted": true}',
    decided_by: {
      id: 'annotations.delete.status',
      value: '405',
      evidence: 'assumed',
      source: 'the documentation says that the caller is told to use PATCH, and shows no status',
      documentation: [
        'Status code returned by the annotation DELETE operation: not shown.',
        expect.stringContaining('hard deletion is not allowed'),
        expect.stringContaining('Delete annotation'),
      ],
    },
    would_succeed: {
      method: 'PATCH',
      path: `${annotationsPath}1/`,
      key: { label: 'all', value: 'phx_…' },
      headers: { 'content-type': 'application/json' },
      body: { deleted: true },
    },
  })
  expect(reasons.settings[0]).toEqual(reasons.decided_by)
  expect(await response.json()).toMatchObject({ attr: null })
})

test('no setting decides a success, and the least certain one that it depends on is the first', async () => {
  const client = await start()
  await client.ask('PATCH', `${annotationsPath}6/`, { body: { deleted: false } })

  const { status, decided_by, settings } = await client.simulator.explain(1)

  expect([status, decided_by]).toEqual([200, null])
  expect(settings.map(({ id }) => id)).toContain('annotations.restore')
  const order = ['assumed', 'source', 'documented']
  const ranks = settings.map(({ evidence }) => order.indexOf(evidence))
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
})

test('a response whose body was read is found by its URL and its status', async () => {
  const client = await start()
  const response = await client.send('GET', `${annotationsPath}1/`)
  await response.text()
  await client.ask('GET', `${annotationsPath}1/`, { key: 'phx_gone' })
  await client.ask('GET', `${annotationsPath}2/`)
  const head = await client.send('HEAD', `${annotationsPath}3/`)

  expect(await client.simulator.explain(response)).toMatchObject({ entry: 1, status: 200 })
  expect(await client.simulator.explain(head)).toMatchObject({ entry: 4 })
})

test('a response is found by its body, too: a later one with the same URL and status is another', async () => {
  const { simulator } = await start()
  const patch = (content: string): Promise<Response> =>
    simulator.fetch(`${annotationsPath}1/`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer phx_all', 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    })
  const first = await patch('first')
  await patch('second')

  expect(await simulator.explain(first)).toMatchObject({ entry: 1 })
  expect(await first.json()).toMatchObject({ content: 'first' })
  const refused = expect(simulator.explain(new Response('x'))).rejects
  await refused.toThrow(`Failed to explain a response: ${noneLikeIt}`)
})

test('a response in a sandbox is found in the journal of the sandbox, by its path below it', async () => {
  const client = await start()
  const { id, key } = client.simulator.sandboxes.create()
  const inner = client.simulator.sandboxes.get(id)

  const response = await client.send('GET', `/__sandbox/${id}${annotationsPath}1/`, { key })

  expect((await inner?.explain(response))?.entry).toBe(1)
  await client.ask('DELETE', `/__sandbox/${id}${annotationsPath}1/`, { key })
  expect((await inner?.explain(2))?.decided_by?.id).toBe('annotations.delete.status')
})

const noneLikeIt =
  'the journal has no response like it. Pass a response of this simulator to a path of the API, or the id of an entry.'

test('without a journal, the message says so', async () => {
  const simulator = createSimulator({ journal: { entries: 0 } })
  const headers = { authorization: 'Bearer phx_all' }
  const response = await simulator.fetch(annotationsPath, { headers })

  await expect(simulator.explain(response)).rejects.toThrow(
    'Failed to explain a response: the journal is off. Set the option journal: { entries: 1_000 }.',
  )
})

test('a suggestion stays in the sandbox that the key selected', async () => {
  const client = await start()
  const { id, keys } = client.simulator.sandboxes.create()
  const sandbox = client.simulator.sandboxes.get(id)
  const keyOf = (scope: string) => keys.find(({ scopes }) => scopes?.join() === scope)
  const readOnly = keyOf('annotation:read')?.value ?? null
  await client.ask('POST', annotationsPath, { key: readOnly, body: { content: 'Inside' } })

  const reasons = await sandbox?.explain(1)

  const { label } = reasons?.would_succeed?.key ?? {}
  const key = keys.find((key) => key.label === label)?.value ?? null
  await client.ask('POST', annotationsPath, { key, body: reasons?.would_succeed?.body })
  const { rows } = sandbox?.world.find('annotations', { limit: 100 }) ?? { rows: [] }
  expect(rows.filter(({ content }) => content === 'Inside')).toHaveLength(1)
})

test('a suggestion at the URL of a sandbox can name a key that its server has, too', async () => {
  const { ask, simulator } = await start()
  const { id, keys } = simulator.sandboxes.create()
  const sandbox = simulator.sandboxes.get(id)
  sandbox?.replaceWorld(simulator.world.toJSON())
  for (const { value } of keys) sandbox?.keys.revoke(value)
  await ask('GET', `/__sandbox/${id}${annotationsPath}`, { key: null })

  const { would_succeed } = (await sandbox?.explain(1)) ?? {}

  expect(would_succeed?.key?.label).toBe('annotation:read')
})

test.each([
  [99, 'the journal has no entry 99. It never existed, or is no longer stored.'],
  [{ id: 5 }, 'the journal has no entry 5. It never existed, or is no longer stored.'],
  ['first', 'expected a response, a journal entry or its id, got "first".'],
  [null, 'expected a response, a journal entry or its id, got null.'],
  [{}, 'expected a response, a journal entry or its id, got {}.'],
  [undefined, 'expected a response, a journal entry or its id, got undefined.'],
  [new Response('elsewhere'), noneLikeIt],
])('what the journal does not have is refused: %o', async (input, message) => {
  const { simulator } = await start()

  await expect(simulator.explain(input as never)).rejects.toThrow(
    `Failed to explain a response: ${message}`,
  )
})
