import { delay, HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { createDeferred } from '../support/deferred.ts'
import { formatRequest, RawConnection } from '../support/lanes/raw-connection.ts'
import { servers, start } from '../support/lanes/start.ts'

test.each(servers)(
  'pipelined requests get their responses in order, from $name',
  async ({ serving }) => {
    const { origin, simulator } = await start({}, serving)
    const connection = await RawConnection.to(origin)

    connection.send(
      formatRequest('POST', annotationsPath, { body: '{"content":"First"}' }) +
        formatRequest('GET', `${annotationsPath}2/`) +
        formatRequest('GET', '/api/nothing'),
    )
    const responses = [
      await connection.readResponse(),
      await connection.readResponse(),
      await connection.readResponse(),
    ]

    expect(responses.map((response) => response?.status)).toEqual([201, 200, 404])
    expect(responses.map((response) => JSON.parse(response?.text ?? '').id)).toEqual([
      9,
      2,
      undefined,
    ])
    expect(simulator.world.annotations.count).toBe(9)
  },
)

test.each(servers)(
  'a slow response delays only the next responses on its connection, from $name',
  async ({ serving }) => {
    const released = createDeferred()
    const slow = http.get('*/api/slow', async () => {
      await released.promise
      return HttpResponse.json('slow')
    })
    const { origin } = await start({}, { ...serving, handlers: [slow] })
    const first = await RawConnection.to(origin)
    const second = await RawConnection.to(origin)
    const order: string[] = []
    const note = (name: string, connection: RawConnection) =>
      connection.readResponse().then(() => order.push(name))

    first.send(formatRequest('GET', '/api/slow'), formatRequest('GET', annotationsPath))
    second.send(formatRequest('GET', annotationsPath))
    const ordered = note('slow', first).then(() => note('behind', first))
    await note('beside', second)
    released.resolve()
    await ordered

    expect(order).toEqual(['beside', 'slow', 'behind'])
  },
)

test.each(servers)(
  'a connection stays open for the next request, unless the client asks to close it, from $name',
  async ({ serving }) => {
    const connection = await RawConnection.to((await start({}, serving)).origin)

    for (const path of [
      annotationsPath,
      `${annotationsPath}1/`,
      '/api/nothing',
      '/api/projects/',
    ]) {
      const response = await connection.send(formatRequest('GET', path)).readResponse()
      expect(response?.headers.connection, path).toBe('keep-alive')
    }
    const last = await connection
      .send(formatRequest('GET', annotationsPath, { headers: { connection: 'close' } }))
      .readResponse()

    expect(last?.headers.connection).toBe('close')
    await connection.closed()
  },
)

test.each(servers)(
  'close returns at once and ends open connections, from $name',
  async ({ serving }) => {
    const entered = createDeferred()
    const stuck = http.get('*/api/stuck', () => {
      entered.resolve()
      return delay('infinite')
    })
    const { origin, close } = await start({}, { ...serving, handlers: [stuck] })
    const [idle, used, busy] = [
      await RawConnection.to(origin),
      await RawConnection.to(origin),
      await RawConnection.to(origin),
    ]
    await used.send(formatRequest('GET', annotationsPath)).readResponse()
    busy.send(formatRequest('GET', '/api/stuck'))
    await entered.promise

    // A connection that close() leaves open would never end.
    await close()

    await Promise.all([idle, used, busy].map((connection) => connection.closed()))
    await expect(RawConnection.to(origin)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  },
)

test.each(servers)('a server can be closed twice: $name', async ({ serving }) => {
  const { close } = await start({}, serving)

  await Promise.all([close(), close()])
  await close()
})

test.each(servers)('a port in use is an error with a code, for $name', async ({ serving }) => {
  const { origin } = await start({}, serving)
  const port = Number(new URL(origin).port)

  await expect(start({}, { ...serving, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test.each(servers)('an IPv6 address gives a working URL, for $name', async ({ serving }) => {
  const { ask, origin } = await start({}, { ...serving, host: '::1' })

  const { body } = await ask('GET', `${annotationsPath}?limit=1`)

  expect(origin).toMatch(/^http:\/\/\[::1\]:\d+$/)
  expect(body).toMatchObject({ next: `${origin}${annotationsPath}?limit=1&offset=1` })
})

test.each(servers)(
  'a client that waits for 100 Continue gets it, from $name',
  async ({ serving }) => {
    const { origin, simulator } = await start({}, serving)
    const connection = await RawConnection.to(origin)
    const headers = {
      expect: '100-continue',
      'content-type': 'application/json',
      'content-length': '2',
    }

    connection.send(formatRequest('POST', annotationsPath, { headers }))
    const interim = await connection.readInterim()
    const response = await connection.send('{}').readResponse()

    expect([interim, response?.status]).toEqual(['HTTP/1.1 100 Continue', 201])
    expect(simulator.world.annotations.count).toBe(9)
  },
)
