import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { formatRequest, RawConnection } from '../support/transports/raw-connection.ts'
import { serve } from '../support/transports/start.ts'

test.each([
  ['twice at once, if its connection was open before the first response', true, ['duplicate-row']],
  ['one after the other, if its connection is opened later', false, []],
])('an equal create is sent %s', async (_, isOpen, mistakes) => {
  const { origin, simulator } = await serve()
  const create = formatRequest('POST', annotationsPath, { body: '{"content":"Launch"}' })
  const first = await RawConnection.to(origin)
  const open = isOpen && (await RawConnection.to(origin))
  await first.send(create).readResponse()

  const second = open || (await RawConnection.to(origin))
  await second.send(create).readResponse()

  expect(simulator.journal.mistakes().map(({ rule }) => rule)).toEqual(mistakes)
})

test('the journal has the headers of each request of a connection, in their order', async () => {
  const { origin, simulator } = await serve()
  const connection = await RawConnection.to(origin)
  const sent = [{ a: '1', b: '2' }, { a: '1', b: '3' }, { b: '3', a: '1' }, { b: '3' }]

  for (const headers of [...sent, ...sent])
    await connection.send(formatRequest('GET', annotationsPath, { headers })).readResponse()

  const received = simulator.journal.find().map(({ request }) => Object.entries(request.headers))
  const own = received.map((headers) => headers.filter(([name]) => /^[ab]$/.test(name)))
  expect(own).toEqual([...sent, ...sent].map((headers) => Object.entries(headers)))
})

test('a server can be closed twice', async () => {
  const { close } = await serve()

  await Promise.all([close(), close()])
  await close()
})

test('an IPv6 address gives a working URL', async () => {
  const { ask, origin } = await serve({}, { host: '::1' })

  const { body } = await ask('GET', `${annotationsPath}?limit=1`)

  expect(origin).toMatch(/^http:\/\/\[::1\]:\d+$/)
  expect(body).toMatchObject({ next: `${origin}${annotationsPath}?limit=1&offset=1` })
})

test('a client that waits for 100 Continue gets it', async () => {
  const { origin, simulator } = await serve()
  const connection = await RawConnection.to(origin)
  const headers = {
    expect: '100-continue',
    'content-type': 'application/json',
    'content-length': '2',
  }

  connection.send(formatRequest('POST', annotationsPath, { headers }))
  const interim = await connection.readHead()
  const response = await connection.send('{}').readResponse()

  expect([interim, response?.status]).toEqual(['HTTP/1.1 100 Continue', 201])
  expect(simulator.world.annotations.count).toBe(9)
})

test('a server that waits for one request of a connection reads few of those after it', async () => {
  let read = 0
  const count = (_request: unknown, _response: unknown, next: () => void) => {
    read += 1
    next()
  }
  const { origin, simulator } = await serve({}, { use: [count] })
  const connection = await RawConnection.to(origin)
  const get = formatRequest('GET', `${annotationsPath}2/`)
  simulator.faults.add({ operation: 'createAnnotation', effect: { hold: true } })

  connection.send(formatRequest('POST', annotationsPath, { body: '{}' }), get.repeat(2_000))
  await expect.poll(() => simulator.journal.waiting()).toHaveLength(1)
  await pause(200)
  const readAhead = read
  simulator.faults.clear()
  const first = await connection.readResponse()
  for (let count = 1; count < 2_000; count++) await connection.readResponse()
  const last = await connection.readResponse()

  expect(readAhead).toBeLessThan(1_000)
  expect([read, first?.status, last?.status]).toEqual([2_001, 201, 200])
})
