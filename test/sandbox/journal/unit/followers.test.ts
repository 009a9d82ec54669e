import { expect, test } from 'vitest'
import { Journal } from '../../../../src/sandbox/journal/journal.ts'
import type { PendingRecord } from '../../../../src/sandbox/journal/record.ts'
import { createSimulator } from '../../../../src/simulator.ts'

const textOf = ({ value }: { value?: Uint8Array | undefined }) => new TextDecoder().decode(value)
const end = { done: true, value: undefined }

test('two reads that wait at once receive one event each', async () => {
  const simulator = createSimulator()
  const events = simulator.journal.events()[Symbol.asyncIterator]()

  const waiting = [events.next(), events.next(), events.next()]
  await simulator.fetch('/api/one/')
  await simulator.fetch('/api/two/')
  const [, first, second] = (await Promise.all(waiting)).map(textOf)

  expect(first).toMatch(/^id: 1\n.*"path":"\/api\/one\/"/s)
  expect(second).toMatch(/^id: 2\n.*"path":"\/api\/two\/"/s)
})

test('deleting a sandbox ends all reads of its events', async () => {
  const simulator = createSimulator()
  const { id } = simulator.sandboxes.create()
  const events = simulator.sandboxes.get(id)?.journal.events()[Symbol.asyncIterator]()

  const waiting = [events?.next(), events?.next(), events?.next()]
  simulator.sandboxes.delete(id)

  expect((await Promise.all(waiting)).slice(1)).toEqual([end, end])
  expect(await events?.next()).toEqual(end)
})

test('the event stream of an ended sandbox has no events', async () => {
  const simulator = createSimulator()
  const { id } = simulator.sandboxes.create()
  const inner = simulator.sandboxes.get(id)
  simulator.sandboxes.delete(id)

  const events = []
  for await (const value of inner?.journal.events() ?? []) events.push(textOf({ value }))

  expect(events).toEqual([': the journal, an event for each entry\n\n'])
  expect(inner?.journal.followerCount).toBe(0)
})

test('any request ends expired sandboxes and frees their memory', async () => {
  const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z' })
  const inner = simulator.sandboxes.get(simulator.sandboxes.create({ ttl_s: 60 }).id)
  simulator.sandboxes.create()
  const url = '/__sandbox/sandbox-1/api/projects/'
  await simulator.fetch(url)
  inner?.journal.follow(() => {})
  const counts = () => [inner?.journal.followerCount, inner?.journal.find().length]

  simulator.clock.advance({ seconds: 59 })
  await simulator.fetch('/api/projects/')
  expect(counts()).toEqual([1, 1])
  simulator.clock.advance({ seconds: 1 })
  await simulator.fetch('/api/projects/')
  expect(counts()).toEqual([0, 0])
})

const record = {
  target: '/',
  requestHeaders: { bytes: 0 },
  requestBody: null,
  response: { status: 200, headers: {}, text: '', ascii: true },
  fault: null,
  changes: [],
} as unknown as PendingRecord

test('an exception of a listener is reported, and the other listeners are called', () => {
  const reported: unknown[] = []
  const received: unknown[] = []
  const journal = new Journal({}, (error) => reported.push(error))
  journal.listen(() => {
    throw new RangeError('too deep')
  })
  journal.listen((added) => received.push(added))

  journal.add(record)

  expect(journal.records).toEqual([record])
  expect(received).toEqual([record])
  expect(reported).toEqual([new RangeError('too deep')])
})
