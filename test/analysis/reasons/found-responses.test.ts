import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const row = `${annotationsPath}1/`

test('of responses to the same request, the one with the same body is found', async () => {
  const client = await start()
  const first = await client.send('GET', row)
  await client.ask('PATCH', row, { body: { content: 'Changed' } })
  const second = await client.send('GET', row)
  await client.ask('GET', row)

  const entries = [await client.simulator.explain(first), await client.simulator.explain(second)]

  expect(entries.map(({ entry }) => entry)).toEqual([1, 4])
})

test('of responses whose bodies were read, the latest one is found', async () => {
  const client = await start()
  const first = await client.send('GET', row)
  await first.text()
  await client.ask('PATCH', row, { body: { content: 'Changed' } })
  await client.ask('GET', row)

  expect((await client.simulator.explain(first)).entry).toBe(3)
})

test('a response to HEAD is found without a body', async () => {
  const client = await start()
  const head = await client.send('HEAD', row)

  expect((await client.simulator.explain(head)).entry).toBe(1)
})

test('a response whose body was not stored is found by its URL', async () => {
  const client = await start({ journal: { body: 2_000 } })
  const page = await client.send('GET', annotationsPath)
  await client.ask('GET', row)

  const { entry } = await client.simulator.explain(page)

  expect(entry).toBe(1)
})

test('a response to another path, with another status or another body is not found', async () => {
  const client = await start()
  const other = await start()
  await client.ask('GET', row)
  await client.ask('GET', annotationsPath, { key: null })
  await other.ask('PATCH', row, { body: { content: 'Changed' } })
  const responses = [
    await other.send('GET', `${annotationsPath}2/`),
    await other.send('GET', row, { key: null }),
    await other.send('GET', row),
  ]

  for (const response of responses) {
    await expect(client.simulator.explain(response)).rejects.toThrow('no response like it')
  }
})

test('a response in a sandbox is found in the journal of the sandbox, by its path below it', async () => {
  const client = await start()
  const { id, key } = client.simulator.sandboxes.create()
  const inner = client.simulator.sandboxes.get(id)

  const response = await client.send('GET', `/__sandbox/${id}${row}`, { key })
  await response.text()

  expect((await inner?.explain(response))?.entry).toBe(1)
})
