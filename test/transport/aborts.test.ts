import { delay, HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { formatRequest, RawConnection } from '../support/lanes/raw-connection.ts'
import { servers, socketTest, start } from '../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const pattern = `*${list}:id/`

test.each(servers)(
  'a client that aborts gets an AbortError, and other clients get their responses, from $name',
  async ({ serving }) => {
    const handler = http.get(pattern, async () => {
      await delay(100)
      return HttpResponse.json('late')
    })
    const { ask, origin } = await start({}, { ...serving, handlers: [handler] })

    const pending = fetch(`${origin}${list}1/`, { signal: AbortSignal.timeout(20) })

    await expect(pending).rejects.toMatchObject({ name: 'TimeoutError' })
    expect((await ask('GET', list)).status).toBe(200)
  },
)

socketTest.each(servers)(
  'a handler is notified once that its client disconnected, from $name (over HTTP only)',
  async ({ serving }) => {
    let aborted = 0
    const errors: unknown[] = []
    const isAborted = new Promise<void>((resolve) => {
      const handler = http.get(pattern, async ({ request }) => {
        request.signal.addEventListener('abort', () => {
          aborted += 1
          resolve()
        })
        await delay(60_000)
      })
      void start({}, { ...serving, handlers: [handler], onError: (e) => void errors.push(e) }).then(
        async ({ origin }) => {
          const connection = await RawConnection.to(origin)
          connection.send(formatRequest('GET', `${list}1/`))
          await delay(30)
          connection.destroy()
        },
      )
    })

    await isAborted
    await delay(10)

    expect(aborted).toBe(1)
    expect(errors).toEqual([])
  },
)

socketTest.each(servers)(
  'a client that disconnects in the middle of its body has changed nothing, from $name (over HTTP only)',
  async ({ serving }) => {
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const { ask, origin, simulator } = await start({ onError }, { ...serving, onError })
    const connection = await RawConnection.to(origin)
    const headers = { 'content-length': '1000' }

    connection.send(formatRequest('POST', list, { body: '{"content":"Half"}', headers }))
    await delay(20)
    connection.destroy()
    await delay(20)

    expect(simulator.world.annotations.count).toBe(8)
    expect(errors).toEqual([])
    expect((await ask('GET', list)).status).toBe(200)
  },
)
