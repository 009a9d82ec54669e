import { delay, HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { formatRequest, RawConnection } from '../support/lanes/raw-connection.ts'
import { lane, servers, socketTest, start } from '../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const own = `*${list}:id/`

test.each(servers)(
  'HttpResponse.error() of a handler is a network error: fetch rejects, from $name',
  async ({ serving }) => {
    const handler = http.get(own, () => HttpResponse.error())
    const { ask } = await start({}, { ...serving, handlers: [handler] })

    await expect(ask('GET', `${list}1/`)).rejects.toThrow(TypeError)
    expect((await ask('GET', list)).status).toBe(200)
  },
)

socketTest.each(servers)(
  'on the wire a network error is a closed connection without a byte, from $name (over HTTP only)',
  async ({ serving }) => {
    const handler = http.get(own, () => HttpResponse.error())
    const told: unknown[] = []
    const onError = (error: unknown) => void told.push(error)
    const { origin } = await start({}, { ...serving, onError, handlers: [handler] })
    const wire = await RawConnection.to(origin)

    wire.send(formatRequest('GET', `${list}1/`))

    expect(await wire.readResponse()).toBeNull()
    expect(told).toEqual([])
  },
)

test.each(servers)(
  'a stream of a handler arrives in the chunks in which it is sent, from $name',
  async ({ serving }) => {
    const encoder = new TextEncoder()
    let release = () => {}
    const isRead = new Promise<void>((resolve) => {
      release = resolve
    })
    const handler = http.get(own, () => {
      const stream = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(encoder.encode('one,'))
          // The rest is not even made before the first chunk is read at the other end.
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

    const answer = await client.send('GET', `${list}1/`)
    const chunks: string[] = []
    for await (const chunk of answer.body ?? []) {
      chunks.push(new TextDecoder().decode(chunk))
      release()
    }

    expect(chunks).toEqual(['one,', 'two,', 'three'])
  },
)

test.each(servers)(
  'a stream that breaks off breaks the answer off, from $name',
  async ({ serving }) => {
    const handler = http.get(own, () => {
      const stream = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode('one,'))
          await delay(20)
          controller.error(new Error('broken'))
        },
      })
      return new HttpResponse(stream)
    })
    const told: unknown[] = []
    const onError = (error: unknown) => void told.push(error)
    const client = await start({}, { ...serving, onError, handlers: [handler] })

    const answer = await client.send('GET', `${list}1/`)

    await expect(answer.text()).rejects.toThrow()
    expect((await client.ask('GET', list)).status).toBe(200)
    expect(told).toEqual(lane === 'in-process' ? [] : [new Error('broken')])
  },
)
