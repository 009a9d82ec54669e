import { afterEach, expect, test, vi } from 'vitest'
import { createSimulator } from '../../../../src/index.ts'
import { mergeEvents } from '../../../../src/server/replicas/merged-events.ts'
import { encodeText } from '../../../../src/utils/async-queue.ts'
import { nextTurn } from '../../../../src/utils/wait.ts'

afterEach(() => void vi.restoreAllMocks())

async function* endlessly(text: string): AsyncGenerator<Uint8Array> {
  for (;;) yield encodeText(text)
}

const silent: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }),
}

/** A replica whose journal has one event. */
const otherReplica = (text: string) => ({
  number: 2,
  open: async () =>
    new Response(new ReadableStream({ start: (to) => to.enqueue(encodeText(text)) })),
  readInstance: async () => 'a',
})

test('entries of a quiet replica arrive beside those of a busy one, also if the client reads slowly', async () => {
  const own = { number: 1, events: endlessly('id: 1\ndata: {"id":1}\n\n') }
  const merged = mergeEvents(own, [otherReplica('id: 7\ndata: {"id":7}\n\n')])
  const chunks: string[] = []

  for await (const chunk of merged) {
    chunks.push(new TextDecoder().decode(chunk))
    if (chunks.length === 50) break
    await nextTurn()
  }

  expect(chunks).toContain('data: {"replica":1,"id":1}\n\n')
  expect(chunks).toContain('data: {"replica":2,"id":7}\n\n')
})

test('the number of a replica is added to no text within an entry', async () => {
  const data = JSON.stringify({ id: 1, body: '\u2028id: 1\u2029data: {' })
  const own = { number: 1, events: endlessly(`id: 1\ndata: ${data}\n\nid: 2\ndata: ${data}\n\n`) }

  const { value } = await mergeEvents(own, [])[Symbol.asyncIterator]().next()

  const event = `data: {"replica":1,${data.slice(1)}\n\n`
  expect(new TextDecoder().decode(value)).toBe(event + event)
})

test('the response of a replica that refuses is not left open', async () => {
  const cancel = vi.fn()
  const refusing = {
    ...otherReplica(''),
    open: async () => new Response(new ReadableStream({ cancel }), { status: 401 }),
  }
  const merged = mergeEvents({ number: 1, events: silent }, [refusing])[Symbol.asyncIterator]()

  const { value } = await merged.next()
  await merged.return?.()

  expect(new TextDecoder().decode(value)).toBe('event: unavailable\ndata: {"replica":2}\n\n')
  expect(cancel).toHaveBeenCalledTimes(1)
})

test('a client that goes away ends the streams of all replicas', async () => {
  const own = { next: () => new Promise<never>(() => {}), return: vi.fn() }
  const signals: AbortSignal[] = []
  const open = (_: number | null, signal: AbortSignal) => {
    signals.push(signal)
    return otherReplica(': comment\n\n').open()
  }
  const events = { [Symbol.asyncIterator]: () => own }
  const replica = { ...otherReplica(''), open }
  const merged = mergeEvents({ number: 1, events }, [replica])[Symbol.asyncIterator]()

  await merged.next()
  const waiting = merged.next()
  await merged.return?.()

  expect(await waiting).toEqual({ done: true, value: undefined })
  expect(own.return).toHaveBeenCalledTimes(1)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test('a connection that ends after some minutes without an entry is opened again at once', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const [first, second] = ['id: 7\ndata: {"id":7}\n\n', 'id: 8\ndata: {"id":8}\n\n']
  const opened: (number | null)[] = []
  const open = async (lastId: number | null) => {
    opened.push(lastId)
    if (opened.length > 1) return otherReplica(second).open()
    const chunks = [first]
    const pull = (to: ReadableStreamDefaultController<Uint8Array>) => {
      const chunk = chunks.pop()
      if (chunk !== undefined) return to.enqueue(encodeText(chunk))
      now += 300_000
      to.close()
    }
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }))
  }
  const replica = { ...otherReplica(''), open }
  const merged = mergeEvents({ number: 1, events: silent }, [replica])[Symbol.asyncIterator]()

  const chunks = [await merged.next(), await merged.next()]
  await merged.return?.()

  expect(chunks.map(({ value }) => new TextDecoder().decode(value))).toEqual([
    'data: {"replica":2,"id":7}\n\n',
    'data: {"replica":2,"id":8}\n\n',
  ])
  expect(opened).toEqual([null, 7])
})

test('a stream that breaks before its first entry loses no entry', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const simulator = createSimulator()
  await simulator.fetch('/api/before/')
  async function* breakBeforeFirstEntry(events: AsyncIterable<Uint8Array>) {
    for await (const comment of events) {
      yield comment
      await simulator.fetch('/api/meanwhile/')
      now += 300_000
      throw new Error('The connection was reset.')
    }
  }
  let attempts = 0
  const open = async (lastId: number | null) => {
    const events = simulator.journal.events(lastId)
    attempts += 1
    return new Response((attempts === 1 ? breakBeforeFirstEntry(events) : events) as BodyInit)
  }
  const replica = { ...otherReplica(''), open }
  const merged = mergeEvents({ number: 1, events: silent }, [replica])[Symbol.asyncIterator]()

  let text = ''
  while (!text.includes('data: {')) text += new TextDecoder().decode((await merged.next()).value)
  await merged.return?.()

  expect(text.match(/"path":"[^"]*"/g)).toEqual(['"path":"/api/meanwhile/"'])
})

test('a replica that lets a connection time out does not respond', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const open = async () => {
    now += 10_000
    throw new TypeError('fetch failed')
  }
  const replica = { ...otherReplica(''), open }
  const merged = mergeEvents({ number: 1, events: silent }, [replica])[Symbol.asyncIterator]()

  const { value } = await merged.next()
  await merged.return?.()

  expect(new TextDecoder().decode(value)).toBe('event: unavailable\ndata: {"replica":2}\n\n')
})
