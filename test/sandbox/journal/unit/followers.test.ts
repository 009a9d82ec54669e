import { expect, test } from 'vitest'
import { Journal } from '../../../../src/sandbox/journal/journal.ts'
import type { PendingRecord } from '../../../../src/sandbox/journal/record.ts'
import { createSimulator } from '../../../../src/simulator.ts'

const textOf = ({ value }: { value?: Uint8Array | undefined }) => new TextDecoder().decode(value)
const end = { done: true, value: undefined }

test('of two who wait for events at once, each is told of one', async () => {
  const simulator = createSimulator()
  const events = simulator.journal.events()[Symbol.asyncIterator]()

  const waiting = [events.next(), events.next(), events.next()]
  await simulator.fetch('/api/one/')
  await simulator.fetch('/api/two/')
  const [, first, second] = (await Promise.all(waiting)).map(textOf)

  expect(first).toMatch(/^id: 1\n.*"path":"\/api\/one\/"/s)
  expect(second).toMatch(/^id: 2\n.*"path":"\/api\/two\/"/s)
})

test('all who wait for events are told when there will be no more', async () => {
  const simulator = createSimulator()
  const { id } = simulator.sandboxes.create()
  const events = simulator.sandboxes.get(id)?.journal.events()[Symbol.asyncIterator]()

  const waiting = [events?.next(), events?.next(), events?.next()]
  simulator.sandboxes.delete(id)

  expect((await Promise.all(waiting)).slice(1)).toEqual([end, end])
  expect(await events?.next()).toEqual(end)
})

test('the events of a sandbox that has ended are none', async () => {
  const simulator = createSimulator()
  const { id } = simulator.sandboxes.create()
  const inner = simulator.sandboxes.get(id)
  simulator.sandboxes.delete(id)

  const events = []
  for await (const event of inner?.journal.events() ?? []) events.push(event)

  expect(events.length).toBeLessThanOrEqual(1)
  expect(inner?.journal.followerCount).toBe(0)
})

test('whoever asks anything ends the sandboxes whose time has come, and frees what they hold', async () => {
  const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z' })
  const inner = simulator.sandboxes.get(simulator.sandboxes.create({ ttl_s: 60 }).id)
  simulator.sandboxes.create()
  const address = '/__sandbox/sandbox-1/api/projects/'
  await simulator.fetch(address)
  inner?.journal.follow(() => {})
  const held = () => [inner?.journal.followerCount, inner?.journal.find().length]

  simulator.clock.advance({ seconds: 59 })
  await simulator.fetch('/api/projects/')
  expect(held()).toEqual([1, 1])
  simulator.clock.advance({ seconds: 1 })
  await simulator.fetch('/api/projects/')
  expect(held()).toEqual([0, 0])
})

const record = {
  target: '/',
  requestHeaders: { bytes: 0 },
  requestBody: null,
  response: { status: 200, headers: {}, text: '', ascii: true },
  fault: null,
  changes: [],
} as unknown as PendingRecord

test('a listener that throws is reported; the others are told, and so is whoever adds', () => {
  const reported: unknown[] = []
  const told: unknown[] = []
  const journal = new Journal({}, (error) => reported.push(error))
  journal.listen(() => {
    throw new RangeError('too deep')
  })
  journal.listen((kept) => told.push(kept))

  journal.add(record)

  expect(journal.records).toEqual([record])
  expect(told).toEqual([record])
  expect(reported).toEqual([new RangeError('too deep')])
})
