import { delay, HttpResponse, http } from 'msw'
import { expect } from 'vitest'
import { overHttp, servers, start } from './support/start.ts'
import { requestText, Wire } from './support/wire.ts'

const list = '/api/projects/1/annotations/'

overHttp.each(servers)(
  'three requests sent at once on one connection are answered in order, from $name (over HTTP only)',
  async ({ serving }) => {
    const { origin, simulator } = await start({}, serving)
    const wire = await Wire.to(origin)

    wire.send(
      requestText('POST', list, { body: '{"content":"First"}' }) +
        requestText('GET', `${list}2/`) +
        requestText('GET', '/api/nothing'),
    )
    const answers = [await wire.answer(), await wire.answer(), await wire.answer()]

    expect(answers.map((answer) => answer?.status)).toEqual([201, 200, 404])
    expect(answers.map((answer) => JSON.parse(answer?.text ?? '').id)).toEqual([9, 2, undefined])
    expect(simulator.world.annotations.count).toBe(9)
  },
)

overHttp.each(servers)(
  'a slow answer holds up those behind it on its connection, and no other, from $name (over HTTP only)',
  async ({ serving }) => {
    const slow = http.get('*/api/slow', async () => {
      await delay(60)
      return HttpResponse.json('slow')
    })
    const { origin } = await start({}, { ...serving, handlers: [slow] })
    const first = await Wire.to(origin)
    const second = await Wire.to(origin)
    const order: string[] = []
    const note = (name: string, wire: Wire) => wire.answer().then(() => order.push(name))

    first.send(requestText('GET', '/api/slow'), requestText('GET', list))
    second.send(requestText('GET', list))
    const ordered = note('slow', first).then(() => note('behind', first))
    await Promise.all([ordered, note('beside', second)])

    expect(order).toEqual(['beside', 'slow', 'behind'])
  },
)

overHttp.each(servers)(
  'a connection is kept for the next request, unless the caller asks to close it, from $name (over HTTP only)',
  async ({ serving }) => {
    const wire = await Wire.to((await start({}, serving)).origin)

    for (const path of [list, `${list}1/`, '/api/nothing', '/api/projects/']) {
      const answer = await wire.send(requestText('GET', path)).answer()
      expect(answer?.headers.connection, path).toBe('keep-alive')
    }
    const last = await wire
      .send(requestText('GET', list, { headers: { connection: 'close' } }))
      .answer()

    expect(last?.headers.connection).toBe('close')
    await wire.closed()
  },
)

overHttp.each(servers)(
  'close returns at once with open connections, which end with it, from $name (over HTTP only)',
  async ({ serving }) => {
    const stuck = http.get('*/api/stuck', () => delay('infinite'))
    const { origin, close } = await start({}, { ...serving, handlers: [stuck] })
    const [idle, used, busy] = [await Wire.to(origin), await Wire.to(origin), await Wire.to(origin)]
    await used.send(requestText('GET', list)).answer()
    busy.send(requestText('GET', '/api/stuck'))
    await delay(20)

    // What it left open would never end by itself.
    await close()

    await Promise.all([idle, used, busy].map((wire) => wire.closed()))
    await expect(Wire.to(origin)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  },
)

overHttp.each(servers)(
  'a server can be closed twice: $name (over HTTP only)',
  async ({ serving }) => {
    const { close } = await start({}, serving)

    await Promise.all([close(), close()])
    await close()
  },
)

overHttp.each(servers)(
  'a port that is taken is an error with its code, for $name (over HTTP only)',
  async ({ serving }) => {
    const { origin } = await start({}, serving)
    const port = Number(new URL(origin).port)

    await expect(start({}, { ...serving, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  },
)

overHttp.each(servers)(
  'an address of IPv6 is a URL that works, for $name (over HTTP only)',
  async ({ serving }) => {
    const { ask, origin } = await start({}, { ...serving, host: '::1' })

    const { body } = await ask('GET', `${list}?limit=1`)

    expect(origin).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect(body).toMatchObject({ next: `${origin}${list}?limit=1&offset=1` })
  },
)
