import { delay, HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { formatRequest, RawConnection } from '../support/lanes/raw-connection.ts'
import { servers, socketTest, start } from '../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const own = `*${list}:id/`

test.each(servers)(
  'a caller who gives up gets its AbortError, and the others their answers, from $name',
  async ({ serving }) => {
    const handler = http.get(own, async () => {
      await delay(100)
      return HttpResponse.json('late')
    })
    const { ask, origin } = await start({}, { ...serving, handlers: [handler] })

    const given = fetch(`${origin}${list}1/`, { signal: AbortSignal.timeout(20) })

    await expect(given).rejects.toMatchObject({ name: 'TimeoutError' })
    expect((await ask('GET', list)).status).toBe(200)
  },
)

socketTest.each(servers)(
  'a handler learns once that its caller went away, from $name (over HTTP only)',
  async ({ serving }) => {
    let aborted = 0
    const told: unknown[] = []
    const isAborted = new Promise<void>((resolve) => {
      const handler = http.get(own, async ({ request }) => {
        request.signal.addEventListener('abort', () => {
          aborted += 1
          resolve()
        })
        await delay(60_000)
      })
      void start({}, { ...serving, handlers: [handler], onError: (e) => void told.push(e) }).then(
        async ({ origin }) => {
          const wire = await RawConnection.to(origin)
          wire.send(formatRequest('GET', `${list}1/`))
          await delay(30)
          wire.destroy()
        },
      )
    })

    await isAborted
    await delay(10)

    expect(aborted).toBe(1)
    expect(told).toEqual([])
  },
)

socketTest.each(servers)(
  'a caller who goes away in the middle of its body has written nothing, from $name (over HTTP only)',
  async ({ serving }) => {
    const told: unknown[] = []
    const onError = (error: unknown) => void told.push(error)
    const { ask, origin, simulator } = await start({ onError }, { ...serving, onError })
    const wire = await RawConnection.to(origin)
    const headers = { 'content-length': '1000' }

    wire.send(formatRequest('POST', list, { body: '{"content":"Half"}', headers }))
    await delay(20)
    wire.destroy()
    await delay(20)

    expect(simulator.world.annotations.count).toBe(8)
    expect(told).toEqual([])
    expect((await ask('GET', list)).status).toBe(200)
  },
)
