import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator.ts'

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
