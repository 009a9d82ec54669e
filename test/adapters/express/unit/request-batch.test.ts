import { createServer, request, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { RequestBatch } from '../../../../src/adapters/express/run-endpoint.ts'
import type { ApiResponse } from '../../../../src/http/messages.ts'
import type { RequestMatch } from '../../../../src/http/route.ts'
import { bindServer } from '../../../../src/server/bind.ts'

/** A match that responds with a text. */
function matchOf(text: string, headers: ApiResponse['headers'] = {}): RequestMatch {
  return { params: {}, bodyLimit: 0, handle: () => ({ status: 200, headers, body: text }) }
}

/** A batch, with what happened to its requests. */
function openBatch() {
  const log: string[] = []
  const batch = new RequestBatch((error) => {
    throw error
  })
  const nodeResponse = { writeHead() {}, end: (text: string) => void log.push(`${text} is sent`) }
  const add = (text: string, isLate = false) => {
    const handle = () => {
      log.push(`${text} is handled`)
      const response = { status: 200, headers: {}, body: text }
      return isLate ? Promise.resolve(response) : response
    }
    batch.add({ ...matchOf(text), handle }, {} as never, nodeResponse as never)
  }
  return { log, add }
}

test('the requests of one turn of the event loop are handled at its end, in order, and then answered', async () => {
  const { log, add } = openBatch()

  add('One')
  await Promise.resolve().then(() => add('Two'))
  const before = [...log]
  await expect.poll(() => log).not.toEqual([])
  add('Three')
  await expect.poll(() => log).toHaveLength(6)

  expect([before, log]).toEqual([
    [],
    [
      ...['One is handled', 'Two is handled', 'One is sent', 'Two is sent'],
      ...['Three is handled', 'Three is sent'],
    ],
  ])
})

test('a response that comes later does not hold up the others', async () => {
  const { log, add } = openBatch()

  add('Late', true)
  add('One')
  await expect.poll(() => log).toHaveLength(4)

  expect(log).toEqual(['Late is handled', 'One is handled', 'One is sent', 'Late is sent'])
})

test('fake timers do not stop the batch', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { log, add } = openBatch()

  add('One')
  vi.useRealTimers()
  await expect.poll(() => log).toEqual(['One is handled', 'One is sent'])
})

test('a response that HTTP cannot write becomes a 500, and the others of the batch are sent', async () => {
  const errors: unknown[] = []
  const batch = new RequestBatch((error) => errors.push(error))
  const matches = [matchOf('One'), matchOf('Two', { 'x-name': 'two\nlines' }), matchOf('Three')]
  const waiting: ServerResponse[] = []
  const server = createServer((_request, response) => {
    waiting.push(response)
    if (waiting.length < 3) return
    for (const [index, match] of matches.entries()) {
      batch.add(match, {} as never, waiting[index] as ServerResponse)
    }
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
