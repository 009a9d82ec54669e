import { expect, test } from 'vitest'
import defaultWorld from '../fixtures/default.json' with { type: 'json' }
import { start } from './support/start.ts'

const list = '/api/projects/1/annotations/'

/** No text of Unicode: half a character, which no header and no address can hold. */
const half = 'phx_half\ud800'

test('a key that is no well-formed text is refused, wherever it comes from', async () => {
  const { simulator } = await start()
  const expected = 'expected well-formed Unicode, without half of a surrogate pair'
  const world = { ...defaultWorld, keys: [{ value: half, user: 1, scopes: ['*'] }] }

  expect(() => simulator.keys.issue({ value: half })).toThrow(expected)
  expect(() => simulator.addRows({ keys: [{ value: half }] })).toThrow(expected)
  expect(() => simulator.replaceWorld(world as never)).toThrow(expected)
  expect(() => simulator.sandboxes.create({ keys: { all: half } })).toThrow('choose a key')
  expect(simulator.keys.issue({ value: 'phx_🦔' })).toBe('phx_🦔')
})

test('what is no well-formed text harms no entry: in a label, a body or a key that is shown in part', async () => {
  const { ask, simulator } = await start()
  const key = simulator.keys.issue({ value: 'key🦔 of more than sixteen 🦔end', label: half })
  await ask('GET', `${list}?search=${encodeURIComponent(key)}`)
  await ask('POST', list, { body: { content: half, personal_api_key: half } })

  const entries = simulator.journal.find()

  expect(entries[0]?.query).toEqual({ search: 'key🦔…🦔end' })
  expect(entries[1]?.request.body).toEqual({ content: half, personal_api_key: 'phx_…' })
  expect(simulator.journal.toHar().log.entries).toHaveLength(2)
})

test('a body that ends within a character is kept byte by byte, also what the service drops of it', async () => {
  const { ask, simulator } = await start()
  const whole = new TextEncoder().encode('{"content":"Größe"}')
  const raw = new Uint8Array([...whole, 0xc3])
  const headers = { 'content-type': 'application/json' }

  const created = await ask('POST', list, { raw, headers })
  const alike = await ask('POST', list, { raw: whole, headers })

  expect([created, alike]).toMatchObject([
    { status: 201, body: { content: 'Größe' } },
    { status: 201, body: { content: 'Größe' } },
  ])
  expect(simulator.journal.find().map(({ request }) => request.bytes)).toEqual([
    raw.length,
    whole.length,
  ])
})
