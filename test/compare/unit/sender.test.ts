import { expect, test } from 'vitest'
import { ProbeSender } from '../../../src/compare/sender.ts'

/** A server that breaks the first connection of each method. */
function startSender() {
  const sent: string[] = []
  const sender = new ProbeSender({
    ...{ rate: 1_000, maxRequests: 10, wait: async () => {} },
    send: async (_url, { method = '' }) => {
      sent.push(method)
      if (sent.filter((other) => other === method).length > 1) return new Response('{}')
      throw new TypeError('fetch failed')
    },
  })
  return { sender, sent }
}

test('a read whose connection broke is sent again', async () => {
  const { sender, sent } = startSender()

  const { status } = await sender.send('http://a.test/', { method: 'GET' })

  expect([status, sent]).toEqual([200, ['GET', 'GET']])
})

test('a write whose connection broke is not sent again: it may have been carried out', async () => {
  const { sender, sent } = startSender()

  const failed = sender.send('http://a.test/', { method: 'POST' })

  await expect(failed).rejects.toMatchObject({ reason: 'The server did not respond.' })
  expect(sent).toEqual(['POST'])
})
