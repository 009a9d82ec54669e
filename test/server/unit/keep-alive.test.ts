import { setTimeout } from 'node:timers/promises'
import { EventSource } from 'eventsource'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'
import { KeepAlive } from '../../../src/server/control/handlers.ts'
import { AsyncQueue, encodeText } from '../../../src/utils/async-queue.ts'

afterEach(() => void vi.restoreAllMocks())

const { watch } = KeepAlive.prototype

/** Servers that start from now on send a comment every few milliseconds. */
function shortenInterval(): void {
  const keepAlive = Object.assign(new KeepAlive(), { interval: 5 })
  vi.spyOn(KeepAlive.prototype, 'watch').mockImplementation((...watched) =>
    watch.call(keepAlive, ...watched),
  )
}

/** Reads a stream until its text matches. */
async function readUntil(url: string, pattern: RegExp): Promise<string> {
  const controller = new AbortController()
  const { body } = await fetch(url, { signal: controller.signal })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (pattern.test(text)) break
  }
  controller.abort()
  return text
}

test('a silent event stream has comments, and entries are whole between them', async () => {
  shortenInterval()
  const simulator = createSimulator()
  const server = await listen(simulator)
  onTestFinished(() => server.close())
  const source = new EventSource(`${server.url}/__admin/journal/events`)
  onTestFinished(() => source.close())
  const received: unknown[] = []
  source.addEventListener('entry', ({ data }) => void received.push(JSON.parse(data)))

  const text = await readUntil(
    `${server.url}/__admin/journal/events`,
    /^: the journal.*\nid: 0\n\n(?:: keep-alive\n\n){3}/,
  )
  await fetch(`${server.url}/api/projects/`)

  expect(text).not.toContain('data')
  await expect.poll(() => received).toHaveLength(1)
  expect(received).toEqual(simulator.journal.find())
})

test('comments do not accumulate while a client reads nothing', async () => {
  const stream = new AsyncQueue({ read: () => null, close: () => {} })

  const isOpen = ['first', 'second'].map((text) => stream.offer(encodeText(text)))
  const waiting = stream.next()
  stream.offer(encodeText('third'))

  expect(isOpen).toEqual([true, true])
  expect(await waiting).toEqual({ done: false, value: encodeText('third') })
})

test('the timer stops with the last stream, and with the server', async () => {
  const open = () => new AsyncQueue({ read: () => null, close: () => {} })
  const closing = new AbortController()
  const keepAlive = Object.assign(new KeepAlive(), { interval: 1 })
  const follow = (queue: AsyncQueue) =>
    keepAlive.watch({ [Symbol.asyncIterator]: () => queue }, closing.signal, true)
  const [first, second] = [open(), open()]
  const offers = [vi.spyOn(first, 'offer'), vi.spyOn(second, 'offer')]

  for await (const _ of follow(first)) break
  await expect.poll(() => offers[0]?.mock.results.at(-1)?.value).toBe(false)
  await setTimeout(10)
  const [stopped] = offers.map(({ mock }) => mock.calls.length)
  const iterator = follow(second)[Symbol.asyncIterator]()
  await iterator.next()
  closing.abort()
  const before = offers.map(({ mock }) => mock.calls.length)
  await setTimeout(10)

  expect(offers.map(({ mock }) => mock.calls.length)).toEqual(before)
  expect(before[0]).toBe(stopped)
})
