import { expect, test } from 'vitest'
import { MistakeFollower } from '../../../src/mistakes/follow-mistakes.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { annotationsPath, noon as clock } from '../../support/api/paths.ts'
import { usedBytes } from '../../support/collect-garbage.ts'
import { initOf } from '../../support/transports/client.ts'

const get = (simulator: Simulator, path = annotationsPath) =>
  simulator.fetch(path, initOf('GET', {}))
const send = (simulator: Simulator, body: unknown, headers = {}) =>
  simulator.fetch(`${annotationsPath}1/`, initOf('PATCH', { body, headers }))

test('the journal limits the bytes of bodies and headers', async () => {
  const storedCount = async (body: unknown, headers = {}) => {
    const simulator = createSimulator({ clock, journal: { bytes: 100_000 } })
    for (let count = 0; count < 200; count++) await send(simulator, body, headers)
    return simulator.journal.find().length
  }

  const plain = await storedCount({ content: 'x' })
  const headed = await storedCount({ content: 'x' }, { 'x-note': 'n'.repeat(5_000) })
  const large = await storedCount({ content: 'x', ignored: 'y'.repeat(5_000) })

  expect(plain).toBeGreaterThan(30)
  expect(headed).toBeGreaterThan(10)
  expect(headed).toBeLessThan(20)
  expect(large).toBeLessThan(20)
})

test('without options the journal has a thousand requests and 16 MiB', async () => {
  const simulator = createSimulator({ clock })
  for (let count = 0; count <= 1_000; count++) await get(simulator)
  const small = simulator.journal.find({ bodies: false }).length

  for (let count = 0; count < 300; count++) await send(simulator, { x: long.slice(0, 60_000) })

  const large = simulator.journal.find({ bodies: false }).length
  expect([small, large]).toEqual([1_000, 271])
})

const long = 'x'.repeat(100_000)
/** Equal names would share their memory. */
const namesOf = (count: number) =>
  Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`${count} ${index}${long.slice(0, 5_000)}`, 1]),
  )

const sentOnce: readonly [body: (count: number) => unknown, headers?: Record<string, string>][] = [
  // The value that a refusal quotes, the name and the field that are ignored, and many such names
  [(count) => ({ scope: long + count })],
  [(count) => ({ [long + count]: 1 })],
  [(count) => ({ content: 'x', ignored: long + count })],
  [namesOf],
  // A body that is no JSON, and one of another type
  [(count) => long + count],
  [(count) => long + count, { 'content-type': 'text/plain' }],
]

test('neither the journal nor the rules about clients keep long values, names and bodies', async () => {
  const simulator = createSimulator({ clock })
  const mistakes = new MistakeFollower(simulator)
  const sendAll = async (count: number) => {
    for (const [body, headers] of sentOnce) await send(simulator, body(count), headers)
  }
  await sendAll(0)
  const before = usedBytes()

  for (let count = 1; count <= 10; count++) await sendAll(count)

  // Each of them has a million characters.
  await expect.poll(usedBytes, { interval: 100 }).toBeLessThan(before + 900_000)
  mistakes.finish()
})

test('of a page the journal keeps no row that is not on it, also after rows have changed', async () => {
  const content = 'x'.repeat(390)
  const simulator = createSimulator({ clock, world: 'empty' })
  simulator.world.add({ annotations: Array.from({ length: 120 }, () => ({ content })) })
  const change = async (count: number) => {
    await send(simulator, { content: content + count })
    await get(simulator, `${annotationsPath}?limit=1&offset=119`)
  }
  await change(0)
  const before = usedBytes()

  for (let count = 1; count <= 200; count++) await change(count)

  // The bytes of all rows would be ten times as much.
  await expect.poll(usedBytes, { interval: 100 }).toBeLessThan(before + 2_000_000)
})

test('the journal omits a body over its limit, of which followers see all', async () => {
  const simulator = createSimulator({ clock, journal: { body: 20_000 } })
  const followed: unknown[] = []
  simulator.journal.follow(({ request }) => followed.push(request))
  await send(simulator, { content: 'x', ignored: 'y'.repeat(20_000) })

  expect(simulator.journal.find()).toMatchObject([
    {
      id: 1,
      request: { body: null, bytes: 20_028, omitted: true },
      response: { status: 200, body: { content: 'x' }, omitted: false },
    },
  ])
  expect(
    simulator.journal.verify({ operation: 'updateAnnotation', body: { content: 'x' } }).message,
  ).toContain('body: expected {"content":"x"}, got 20028 bytes, too many for the journal')
  expect(followed).toMatchObject([
    { omitted: false, body: { content: 'x', ignored: 'y'.repeat(20_000) } },
  ])
})

test.each([
  [65_536, false],
  [65_537, true],
])('a body of %i bytes is omitted by default: %s', async (bytes, isOmitted) => {
  const simulator = createSimulator({ clock })
  const head = JSON.stringify({ content: 'x', ignored: '' }).length
  await send(simulator, { content: 'x', ignored: 'y'.repeat(bytes - head) })

  expect(simulator.journal.get(1)?.request).toMatchObject({ bytes, omitted: isOmitted })
})

test('the journal holds as many bytes of ASCII bodies as its limit says', async () => {
  const bytes = 1_000_000
  const simulator = createSimulator({ clock, journal: { bytes } })
  const ignored = 'y'.repeat(20_000)
  for (let count = 0; count < 60; count++) await send(simulator, { content: 'x', ignored })

  const bodies = simulator.journal.find().map(({ request }) => request.bytes)

  expect(bodies.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(0.85 * bytes)
})

test('a page counts as the text of all its rows, and shows them as they were', async () => {
  const simulator = createSimulator({ clock, journal: { bytes: 100_000 } })
  const rows = simulator.world.annotations
  for (let index = 0; index < 50; index++) rows.add({ content: 'x'.repeat(400) })
  const responses: unknown[] = []
  for (let count = 0; count < 5; count++) {
    responses.push(await (await get(simulator)).json())
    rows.update(1, { content: `written ${count}` })
  }

  const entries = simulator.journal.find()

  expect(entries.map(({ response }) => response.body)).toEqual(responses.slice(-2))
})

test('the entry of a body over the limit shows its length', async () => {
  const simulator = createSimulator({ clock, settings: { 'limits.body': 100 } })
  await send(simulator, { content: 'x'.repeat(200) }, { 'content-length': '214' })

  expect(simulator.journal.find()).toMatchObject([
    { request: { body: null, bytes: 214, omitted: true }, response: { status: 413 } },
  ])
})
