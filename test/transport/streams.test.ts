import { delay, HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { formatRequest, RawConnection } from '../support/lanes/raw-connection.ts'
import { lane, servers, socketTest, start } from '../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const pattern = `*${list}:id/`

test.each(servers)(
  'HttpResponse.error() of a handler makes fetch reject, from $name',
  async ({ serving }) => {
    const handler = http.get(pattern, () => HttpResponse.error())
    const { ask } = await start({}, { ...serving, handlers: [handler] })

    await expect(ask('GET', `${list}1/`)).rejects.toThrow(TypeError)
    expect((await ask('GET', list)).status).toBe(200)
  },
)

socketTest.each(servers)(
  'a network error closes the connection without a byte, from $name (over HTTP only)',
  async ({ serving }) => {
    const handler = http.get(pattern, () => HttpResponse.error())
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const { origin } = await start({}, { ...serving, onError, handlers: [handler] })
    const connection = await RawConnection.to(origin)

    connection.send(formatRequest('GET', `${list}1/`))

    expect(await connection.readResponse()).toBeNull()
    expect(errors).toEqual([])
  },
)

test.each(servers)(
  'the stream of a handler arrives in the chunks that were sent, from $name',
  async ({ serving }) => {
    const encoder = new TextEncoder()
    let release = () => {}
    const isRead = new Promise<void>((resolve) => {
      release = resolve
    })
    const handler = http.get(pattern, () => {
      const stream = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(encoder.encode('one,'))
          // The next chunk is created only after the client has read the first one.
          await isRead
          controller.enqueue(encoder.encode('two,'))
          await delay(20)
          controller.enqueue(encoder.encode('three'))
          controller.close()
        },
      })
      return new HttpResponse(stream, { headers: { 'content-type': 'text/plain' } })
    })
    const client = await start({}, { ...serving, handlers: [handler] })

    const response = await client.send('GET', `${list}1/`)
    const chunks: string[] = []
    for await (const chunk of response.body ?? []) {
      chunks.push(new TextDecoder().decode(chunk))
      release()
    }

    expect(chunks).toEqual(['one,', 'two,', 'three'])
  },
)

test.each(servers)(
  'an error of a stream cuts off the response, from $name',
  async ({ serving }) => {
    const handler = http.get(pattern, () => {
      const stream = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode('one,'))
          await delay(20)
          controller.error(new Error('broken'))
        },
      })
      return new HttpResponse(stream)
    })
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const client = await start({}, { ...serving, onError, handlers: [handler] })

    const response = await client.send('GET', `${list}1/`)

    await expect(response.text()).rejects.toThrow()
    expect((await client.ask('GET', list)).status).toBe(200)
    expect(errors).toEqual(lane === 'in-process' ? [] : [new Error('broken')])
  },
)
