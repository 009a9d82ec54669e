import { createServer, request, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ResponseBatch } from '../../../../src/adapters/express/run-endpoint.ts'
import type { ApiResponse } from '../../../../src/http/messages.ts'
import { bindServer } from '../../../../src/server/bind.ts'

const createResponse = (text: string, headers: ApiResponse['headers'] = {}): ApiResponse => {
  return { status: 200, headers, body: text }
}

/** A batch, with the texts of the responses that it has sent. */
function openBatch() {
  const sent: string[] = []
  const batch = new ResponseBatch((error) => {
    throw error
  })
  const nodeResponse = { writeHead() {}, end: (text: string) => void sent.push(text) }
  const add = (text: string) => batch.add(nodeResponse as never, createResponse(text))
  return { sent, add }
}

test('the responses of one turn of the event loop are sent at its end, in order', async () => {
  const { sent, add } = openBatch()

  add('One')
  await Promise.resolve().then(() => add('Two'))
  const before = [...sent]
  await expect.poll(() => sent).not.toEqual([])
  add('Three')
  await expect.poll(() => sent).toHaveLength(3)

  expect([before, sent]).toEqual([[], ['One', 'Two', 'Three']])
})

test('fake timers do not stop the batch', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { sent, add } = openBatch()

  add('One')
  vi.useRealTimers()
  await expect.poll(() => sent).toEqual(['One'])
})

test('a response that HTTP cannot write becomes a 500, and the others of the batch are sent', async () => {
  const errors: unknown[] = []
  const batch = new ResponseBatch((error) => errors.push(error))
  const waiting: ServerResponse[] = []
  const server = createServer((_request, response) => {
    waiting.push(response)
    if (waiting.length < 3) return
    batch.add(waiting[0] as ServerResponse, createResponse('One'))
    batch.add(waiting[1] as ServerResponse, createResponse('Two', { 'x-name': 'two\nlines' }))
    batch.add(waiting[2] as ServerResponse, createResponse('Three'))
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
