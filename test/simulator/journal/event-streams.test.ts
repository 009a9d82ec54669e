import { expect, onTestFinished, test, vi } from 'vitest'
import { WrittenEntry } from '../../../src/simulator/journal/written-entry.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'

const textOf = ({ value }: { value?: Uint8Array | undefined }) => new TextDecoder().decode(value)
const end = { done: true, value: undefined }

test('two reads that wait at once receive the next events in order', async () => {
  const simulator = createSimulator()
  const events = simulator.journal.events()[Symbol.asyncIterator]()

  const waiting = [events.next(), events.next(), events.next()]
  await simulator.fetch('/api/one/')
  const first = textOf(await (waiting[1] as (typeof waiting)[0]))
  await simulator.fetch('/api/two/')
  const second = textOf(await (waiting[2] as (typeof waiting)[0]))

  expect(first).toMatch(/^id: 1\n.*"path":"\/api\/one\/"/s)
  expect(second).toMatch(/^id: 2\n.*"path":"\/api\/two\/"/s)
})

test('a request does not wait for streams, which get all entries in several turns, and share what is written', async () => {
  const written = vi.spyOn(WrittenEntry.prototype, 'toJSON')
  const simulator = createSimulator()
  const ids: string[] = []
  const follow = async () => {
    for await (const value of simulator.journal.events()) {
      ids.push(...(textOf({ value }).match(/^id: [12]$/gm) ?? []))
    }
  }
  for (let count = 0; count < 30; count++) void follow()
  await simulator.fetch('/api/projects/')
  const idsAtResponse = ids.length
  await simulator.fetch('/api/projects/')

  await expect.poll(() => ids.length).toBe(60)
  expect(idsAtResponse).toBe(0)
  expect(written.mock.calls.length).toBeLessThan(10)
})

test('deleting a sandbox ends all reads of its events, and later ones have none', async () => {
  const simulator = createSimulator()
  const { id } = simulator.sandboxes.create()
  const { journal } = simulator.sandboxes.get(id) as Simulator
  const events = journal.events()[Symbol.asyncIterator]()

  const waiting = [events.next(), events.next(), events.next()]
  simulator.sandboxes.delete(id)
  const late: string[] = []
  for await (const value of journal.events()) late.push(textOf({ value }))

  expect((await Promise.all(waiting)).slice(1)).toEqual([end, end])
  expect(await events.next()).toEqual(end)
  expect(late).toEqual([': the journal, an event for each entry\nid: 0\n\n'])
})

test('a stream has the last entries of a sandbox before it ends', async () => {
  const { sandboxes } = createSimulator()
  const { id } = sandboxes.create()
  const inner = sandboxes.get(id)
  const events = inner?.journal.events()[Symbol.asyncIterator]()
  await events?.next()
  await inner?.fetch('/api/one/')
  await inner?.fetch('/api/two/')

  sandboxes.delete(id)

  const last = textOf((await events?.next()) ?? {})
  expect(last.match(/^id: \d+$/gm)).toEqual(['id: 1', 'id: 2'])
  expect(await events?.next()).toEqual(end)
})

test('a stream ends with the error of an entry that cannot be written, and later requests are answered', async () => {
  const simulator = createSimulator()
  const written = vi.spyOn(WrittenEntry.prototype, 'toJSON').mockImplementation(() => {
    throw new Error('broken')
  })
  const events = simulator.journal.events()[Symbol.asyncIterator]()
  await events.next()

  await simulator.fetch('/api/one/')
  const next = events.next()

  await expect(next).rejects.toThrow('broken')
  written.mockRestore()
  expect((await simulator.fetch('/api/two/')).status).toBe(404)
  expect(await events.next()).toEqual(end)
})

test('a stream starts with the first entry after an id that no entry has yet: the server started again', async () => {
  const simulator = createSimulator()
  await simulator.fetch('/api/one/')

  const events = simulator.journal.events(500)[Symbol.asyncIterator]()

  expect(textOf(await events.next())).toContain('id: 0\n')
  expect(textOf(await events.next())).toMatch(/^id: 1\nevent: entry\n/)
})

test('any request ends expired sandboxes and frees their memory', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const simulator = createSimulator()
  const inner = simulator.sandboxes.get(simulator.sandboxes.create({ ttl_s: 60 }).id)
  simulator.sandboxes.create()
  const url = '/__sandbox/sandbox-1/api/projects/'
  await simulator.fetch(url)
  const count = () => inner?.journal.find().length

  vi.setSystemTime(Date.now() + 59_000)
  await simulator.fetch('/api/projects/')
  expect(count()).toBe(1)
  vi.setSystemTime(Date.now() + 1_000)
  await simulator.fetch('/api/projects/')
  expect(count()).toBe(0)
})
