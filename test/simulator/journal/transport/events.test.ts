import { expect, onTestFinished, test } from 'vitest'
import { annotationsPath } from '../../../support/api/paths.ts'
import { serve } from '../../../support/transports/start.ts'

const events = '/__admin/journal/events'

/** Reads events, as EventSource does. */
async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>> | null) {
  let text = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = `${text}${piece}`.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks.filter((block) => !block.startsWith(':'))) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)))
      yield { id: fields.id, event: fields.event, data: JSON.parse(fields.data) }
    }
  }
}

/** Follows a journal. `next` returns undefined at the end of the stream. */
async function follow(origin: string, headers: Record<string, string> = {}) {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const response = await fetch(`${origin}${events}`, { headers, signal: abort.signal })
  const reader = readEvents(response.body)
  return { response, next: async () => (await reader.next()).value, abort: () => abort.abort() }
}

test('several clients follow the journal by server-sent events', async () => {
  const started = await serve()
  const readers = [await follow(started.origin), await follow(started.origin)]

  await started.ask('GET', annotationsPath)
  await started.ask('POST', annotationsPath, { body: { content: 'Launch' } })

  expect(readers[0]?.response.status).toBe(200)
  expect(readers[0]?.response.headers.get('content-type')).toBe('text/event-stream')
  expect(readers[0]?.response.headers.get('cache-control')).toBe('no-store')
  const [first, second] = started.simulator.journal.find()
  for (const reader of readers) {
    expect.soft(await reader.next()).toEqual({ id: '1', event: 'entry', data: first })
    expect.soft(await reader.next()).toEqual({ id: '2', event: 'entry', data: second })
  }
})

test('Last-Event-ID resumes after an entry, and evicted entries are counted', async () => {
  const started = await serve({ journal: { entries: 3 } })
  for (let count = 0; count < 5; count++) await started.ask('GET', annotationsPath)

  const near = await follow(started.origin, { 'last-event-id': '4' })
  const far = await follow(started.origin, { 'last-event-id': '1' })
  const latest = await follow(started.origin, { 'last-event-id': '5' })

  expect(await near.next()).toMatchObject({ id: '5' })
  expect(await far.next()).toEqual({ id: undefined, event: 'missed', data: { entries: 1 } })
  expect(await far.next()).toMatchObject({ id: '3' })
  expect(await far.next()).toMatchObject({ id: '4' })
  await started.ask('GET', annotationsPath)
  expect(await near.next()).toMatchObject({ id: '6' })
  expect(await latest.next()).toMatchObject({ id: '6' })
})

test('the event stream of a sandbox ends when it expires', async () => {
  const { simulator, origin } = await serve()
  const { id } = simulator.sandboxes.create({ ttl_s: 1 })
  const reader = await follow(`${origin}/__sandbox/${id}`)

  await expect.poll(() => simulator.sandboxes.count).toBe(0)

  expect(await reader.next()).toBeUndefined()
})

test('a client that disconnects is removed', async () => {
  const started = await serve()
  const { simulator } = started
  const reader = await follow(started.origin)
  await started.ask('GET', annotationsPath)
  await reader.next()
  const before = simulator.state.events.count('response')

  reader.abort()

  expect(before).toBe(1)
  await expect.poll(() => simulator.state.events.count('response')).toBe(0)
  await started.send('HEAD', events, { key: null })
  expect(simulator.state.events.count('response')).toBe(0)
})
