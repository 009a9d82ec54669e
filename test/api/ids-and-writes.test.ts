import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator/simulator.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { invalid } from '../support/api/errors.ts'
import { annotationsPath } from '../support/api/paths.ts'
import type { Reply } from '../support/transports/client.ts'
import { serve, start } from '../support/transports/start.ts'

const idOf = ({ body }: Reply) => (body as { id: number }).id

test('writes that are sent at once are carried out one after the other', async () => {
  const { ask } = await serve()
  const fields = { content: 'Launch', date_marker: null, creation_type: 'GIT', scope: 'project' }

  const created = Promise.all(
    Array.from({ length: 20 }, () => ask('POST', annotationsPath, { body: {} })),
  )
  await Promise.all(
    Object.entries(fields).map(([name, value]) =>
      ask('PATCH', `${annotationsPath}1/`, { body: { [name]: value } }),
    ),
  )

  expect(new Set((await created).map(idOf)).size).toBe(20)
  expect(await ask('GET', `${annotationsPath}1/`)).toMatchObject({ body: fields })
})

test('no row gets an id that no world file can contain', async () => {
  const highest = 9_000_000_000_000_000
  const { ask, simulator } = await start()
  simulator.world.annotations.add({ id: highest - 1 })

  const last = await ask('POST', annotationsPath, { body: {} })
  const refused = await ask('POST', annotationsPath, { body: {} })

  expect([last.status, idOf(last)]).toEqual([201, highest])
  const detail =
    'No more rows can be created: the list has used up the highest id, 9000000000000000.'
  expect(refused).toEqual(invalid(null, 'invalid_input', detail))
  for (const row of [{}, { id: highest + 1 }]) {
    expect
      .soft(() => simulator.world.annotations.add(row))
      .toThrow(
        'Failed to write a row of annotations. Nothing was changed.\n  id: expected at most 9000000000000000, got 9000000000000001',
      )
  }
  const again = await start({ world: simulator.world.toJSON() })
  expect(again.simulator.world.toJSON()).toEqual(simulator.world.toJSON())
})

test('a plugin written at the highest revision can be read again', async () => {
  const { world } = createSimulator()
  const plugin = { ...world.toJSON().plugins?.[0], revision: Number.MAX_SAFE_INTEGER }
  const plugins = [plugin, ...(world.toJSON().plugins ?? []).slice(1)]
  const simulator = createSimulator({ world: { ...world.toJSON(), plugins } as WorldJson })

  simulator.world.plugins.add({ name: 'One more' })

  const saved = simulator.world.toJSON()
  expect(createSimulator({ world: saved }).world.toJSON()).toEqual(saved)
})

test('the last write wins, whatever the conditional headers say', async () => {
  const client = await start()
  const before = await client.send('GET', `${annotationsPath}1/`)

  // Neither a validator nor a version.
  expect([...before.headers.keys()]).toEqual(['content-length', 'content-type'])
  for (const [name, value] of [
    ['if-match', '"never"'],
    ['if-none-match', '*'],
    ['if-unmodified-since', 'Mon, 01 Jan 2001 00:00:00 GMT'],
  ] as const) {
    const body = { content: `In spite of ${name}` }
    const response = await client.ask('PATCH', `${annotationsPath}1/`, {
      headers: { [name]: value },
      body,
    })
    expect.soft(response).toMatchObject({ status: 200, body })
    expect
      .soft(await client.ask('GET', `${annotationsPath}1/`, { headers: { [name]: value } }))
      .toEqual(response)
  }
})
