import { expect, test } from 'vitest'
import { readServerSentEvents } from '../../../src/admin/connect.ts'

const text =
  ': hello\n\nid: 1\nevent: entry\ndata: {"content":"Größer 🦔"}\n\ndata: later\n\nid: 2\ndata: cut off'

/** A response whose body arrives in chunks of a size. */
function responseInChunks(size: number): Response {
  const bytes = new TextEncoder().encode(text)
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
  return new Response(body)
}

test.each([1, 2, 7, 1_000])('events are the same for any chunk size: %i bytes', async (size) => {
  const events = []
  for await (const event of readServerSentEvents(responseInChunks(size))) events.push(event)

  expect(events).toEqual([
    { event: 'entry', data: '{"content":"Größer 🦔"}' },
    { event: 'message', data: 'later' },
  ])
})
