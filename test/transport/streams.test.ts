import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { createDeferred } from '../support/deferred.ts'
import { collectErrors } from '../support/errors.ts'
import { formatRequest, RawConnection } from '../support/transports/raw-connection.ts'
import { serve } from '../support/transports/start.ts'

const pattern = `*${annotationsPath}:id/`

test('a network error closes the connection without a byte', async () => {
  const handler = http.get(pattern, () => HttpResponse.error())
  const { errors, onError } = collectErrors()
  const { origin } = await serve({}, { onError, handlers: [handler] })
  const connection = await RawConnection.to(origin)

  connection.send(formatRequest('GET', `${annotationsPath}1/`))

  expect(await connection.readResponse()).toBeNull()
  expect(errors).toEqual([])
})

test('the stream of a handler arrives in the chunks that were sent', async () => {
  const chunks = ['one,', 'two,', 'three']
  // Each chunk is created only after the client has read the one before.
  const reads = chunks.map(() => createDeferred())
  const handler = http.get(pattern, () => {
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const [index, chunk] of chunks.entries()) {
          controller.enqueue(new TextEncoder().encode(chunk))
          await reads[index]?.promise
        }
        controller.close()
      },
    })
    return new HttpResponse(stream, { headers: { 'content-type': 'text/plain' } })
  })
  const client = await serve({}, { handlers: [handler] })

  const response = await client.send('GET', `${annotationsPath}1/`)
  const received: string[] = []
  for await (const chunk of response.body ?? []) {
    reads[received.length]?.resolve()
    received.push(new TextDecoder().decode(chunk))
  }

  expect(received).toEqual(chunks)
})

test.each(['ä', '🦔', 'a'])('a long list with the letter %s arrives whole', async (letter) => {
  const client = await serve()
  const content = letter.repeat(400)
  client.simulator.world.add({ annotations: Array.from({ length: 500 }, () => ({ content })) })

  const response = await client.send('GET', annotationsPath)

  const text = await response.text()
  expect(text.split(content)).toHaveLength(501)
  expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
})

test('an error of a stream cuts off the response', async () => {
  const isRead = createDeferred()
  const handler = http.get(pattern, () => {
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('one,'))
        await isRead.promise
        controller.error(new Error('broken'))
      },
    })
    return new HttpResponse(stream)
  })
  const { errors, onError } = collectErrors()
  const client = await serve({}, { onError, handlers: [handler] })

  const response = await client.send('GET', `${annotationsPath}1/`)

  const reader = response.body?.getReader()
  await reader?.read()
  isRead.resolve()

  await expect(reader?.read()).rejects.toThrow()
  expect((await client.ask('GET', annotationsPath)).status).toBe(200)
  expect(errors).toEqual([new Error('broken')])
})
