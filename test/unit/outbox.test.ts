import { createServer, request, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ResponseBatch } from '../../src/adapters/express/response-batch.ts'
import { createResponseSender } from '../../src/adapters/express/run-endpoint.ts'
import type { ApiResponse } from '../../src/http/messages.ts'
import { bindServer } from '../../src/server/bind.ts'

const answer = (text: string, headers: ApiResponse['headers'] = {}): ApiResponse => {
  const own = { ...headers, 'content-length': String(text.length) }
  return { status: 200, headers: own, text, ascii: true }
}

/** Keeps what was sent in place of sending it. */
function opened() {
  const sent: string[] = []
  const outbox = new ResponseBatch((_response, { text }) => void sent.push(text))
  return { sent, put: (text: string) => outbox.add({} as ServerResponse, answer(text)) }
}

test('the answers of one turn of the event loop leave at its end, in their order', async () => {
  const { sent, put } = opened()

  put('One')
  await Promise.resolve().then(() => put('Two'))
  const before = [...sent]
  await vi.waitFor(() => expect(sent).not.toEqual([]))
  put('Three')
  await vi.waitFor(() => expect(sent).toHaveLength(3))

  expect([before, sent]).toEqual([[], ['One', 'Two', 'Three']])
})

test('fake timers do not stop them', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { sent, put } = opened()

  put('One')
  vi.useRealTimers()
  await vi.waitFor(() => expect(sent).toEqual(['One']))
})

test('one that HTTP cannot write is a 500, and those beside it leave as they are', async () => {
  const errors: unknown[] = []
  const { batch } = createResponseSender((error) => errors.push(error))
  const waiting: ServerResponse[] = []
  const server = createServer((_request, response) => {
    waiting.push(response)
    if (waiting.length < 3) return
    batch.add(waiting[0] as ServerResponse, answer('One'))
    batch.add(waiting[1] as ServerResponse, answer('Two', { 'x-name': 'two\nlines' }))
    batch.add(waiting[2] as ServerResponse, answer('Three'))
  })
  onTestFinished(() => void server.close())
  const { port } = await bindServer(server, 0, '127.0.0.1')

  const statuses = await Promise.all([1, 2, 3].map(() => statusOf(port)))

  expect(statuses.sort()).toEqual([200, 200, 500])
  expect(errors).toMatchObject([{ code: 'ERR_INVALID_CHAR' }])
})

function statusOf(port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}
