import { mkdtempSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { FaultEffect } from '../../../../src/sandbox/faults/rule.ts'
import { createMiddleware } from '../../../support/lanes/mount.ts'
import { formatRequest, RawConnection } from '../../../support/lanes/raw-connection.ts'
import { servers, socketTest, start } from '../../../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const row = `${list}1/`

/** What of a body arrives, and the error that ends it. */
async function received(answer: Response): Promise<{ text: string; error: unknown }> {
  let text = ''
  try {
    for await (const chunk of answer.body ?? []) text += new TextDecoder().decode(chunk)
    return { text, error: null }
  } catch (error) {
    return { text, error }
  }
}

test.each(servers)(
  'a body is cut off: its length is announced, so many bytes come, and reading it rejects, from $name',
  async ({ serving }) => {
    const client = await start({}, serving)
    const whole = await (await client.send('GET', list)).text()
    const effect = { cut_bytes: 100 }
    client.simulator.faults.add({ operation: 'listAnnotations', when: { times: 1 }, effect })

    const answer = await client.send('GET', list)
    const { text, error } = await received(answer)

    expect([answer.status, answer.headers.get('content-length')]).toEqual([
      200,
      String(new TextEncoder().encode(whole).length),
    ])
    expect([text, error]).toEqual([whole.slice(0, 100), expect.any(TypeError)])
    expect(await (await client.send('GET', list)).text()).toBe(whole)
  },
)

test.each(servers)(
  'a large body is cut off at the byte that was asked for, from $name',
  async ({ serving }) => {
    const client = await start({}, serving)
    const { simulator } = client
    for (let count = 0; count < 2_000; count++) {
      simulator.world.annotations.create({ content: 'é'.repeat(400) })
    }
    simulator.faults.add({ operation: 'listAnnotations', effect: { cut_bytes: 900_001 } })

    const answer = await client.send('GET', `${list}?limit=2000`)
    let bytes = 0
    const reading = async () => {
      for await (const chunk of answer.body ?? []) bytes += chunk.length
    }

    await expect(reading()).rejects.toThrow(TypeError)
    expect(bytes).toBe(900_001)
  },
)

test('not a byte of the body: the head alone arrives', async () => {
  const client = await start()
  client.simulator.faults.add({ operation: 'retrieveAnnotation', effect: { cut_bytes: 0 } })

  const answer = await client.send('GET', row)

  expect(answer.status).toBe(200)
  expect(await received(answer)).toEqual({ text: '', error: expect.any(TypeError) })
})

test('a connection drops halfway through the body; what was written stays', async () => {
  const client = await start()
  const { simulator } = client
  simulator.faults.add({
    operation: 'createAnnotation',
    phase: 'mid-body',
    effect: { drop: true },
  })

  const answer = await client.send('POST', list, { body: { content: 'Launch' } })
  const { text, error } = await received(answer)

  expect(answer.status).toBe(201)
  expect(text).toMatch(/^\{"id":9,/)
  expect(text.length).toBe(Math.ceil(Number(answer.headers.get('content-length')) / 2))
  expect(error).toEqual(expect.any(TypeError))
  expect(simulator.world.annotations.get(9)).toMatchObject({ content: 'Launch' })
})

test('a body that is shorter than the cut arrives whole', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'retrieveAnnotation', effect: { cut_bytes: 10_000 } })

  expect(await ask('GET', row)).toMatchObject({ status: 200, body: { id: 1 } })
})

test.each(servers)(
  'slow bytes come one after the other, and all of them, from $name',
  async ({ serving }) => {
    const client = await start({}, serving)
    const whole = await (await client.send('GET', row)).text()
    const bytesPerSecond = Math.ceil(whole.length / 0.4)
    client.simulator.faults.add({ effect: { slow_bytes_per_s: bytesPerSecond } })

    const began = performance.now()
    const answer = await client.send('GET', row)
    const chunks: string[] = []
    for await (const chunk of answer.body ?? []) chunks.push(new TextDecoder().decode(chunk))

    expect(chunks.join('')).toBe(whole)
    expect(chunks.length).toBeGreaterThan(1)
    expect(performance.now() - began).toBeGreaterThan(250)
  },
)

const bodiless: readonly [what: string, effect: FaultEffect][] = [
  ['cut off', { cut_bytes: 5 }],
  ['cut off at once', { cut_bytes: 0 }],
  ['slowed down', { slow_bytes_per_s: 1 }],
]

test.each(bodiless)(
  'an answer without a body is as it is when bodies are %s',
  async (_, effect) => {
    const { ask, simulator } = await start()
    const plugin = `/api/organizations/${simulator.defaults.organization_id}/plugins/21/`
    simulator.faults.add({ effect })

    expect(await ask('HEAD', list)).toEqual({ status: 200, body: undefined })
    expect(await ask('DELETE', plugin)).toEqual({ status: 204, body: undefined })
    expect(simulator.faults.list()).toMatchObject([{ matched: 2, applied: 2 }])
  },
)

socketTest.each(servers)(
  'on the wire a drop is a reset, without a byte, from $name (over HTTP only)',
  async ({ serving }) => {
    const { origin, simulator } = await start({}, serving)
    simulator.faults.add({ operation: 'retrieveAnnotation', effect: { drop: true } })
    const wire = await RawConnection.to(origin)

    wire.send(formatRequest('GET', row))

    expect(await wire.readResponse()).toBeNull()
    expect(wire.error).toMatchObject({ code: 'ECONNRESET' })
  },
)

socketTest.each(servers)(
  'on the wire a cut-off body is as many bytes as asked for, and the end of the connection, from $name (over HTTP only)',
  async ({ serving }) => {
    const told: unknown[] = []
    const onError = (error: unknown) => void told.push(error)
    const { origin, simulator } = await start({ onError }, { ...serving, onError })
    simulator.faults.add({ operation: 'retrieveAnnotation', effect: { cut_bytes: 10 } })
    const wire = await RawConnection.to(origin)

    const answer = await wire.send(formatRequest('GET', row)).readResponse()
    await wire.closed()

    expect(answer).toMatchObject({ status: 200, text: '{"id":1,"c' })
    expect(Number(answer?.headers['content-length'])).toBeGreaterThan(100)
    expect(told).toEqual([])
  },
)

socketTest.each(servers)(
  'on the wire HEAD with a cut leaves the connection open for the next request, from $name (over HTTP only)',
  async ({ serving }) => {
    const { origin, simulator } = await start({}, serving)
    simulator.faults.add({ when: { times: 1 }, effect: { cut_bytes: 0 } })
    const wire = await RawConnection.to(origin)

    const head = await wire.send(formatRequest('HEAD', row)).readResponse('HEAD')
    const next = await wire.send(formatRequest('GET', row)).readResponse()

    expect([head?.status, next?.status]).toEqual([200, 200])
  },
)

socketTest(
  'where there are no resets, as on a local socket, the connection just ends (over HTTP only)',
  async () => {
    const { simulator, mock } = createMiddleware()
    simulator.faults.add({ effect: { drop: true } })
    const socketPath = join(mkdtempSync(join(tmpdir(), 'understudy-')), 'socket')
    const server = http.createServer((request, response) => mock(request, response, () => {}))
    await new Promise<void>((resolve) => server.listen(socketPath, resolve))
    onTestFinished(() => void server.close())

    const given = new Promise((resolve, reject) => {
      http.get({ socketPath, path: row }, resolve).on('error', reject)
    })

    await expect(given).rejects.toMatchObject({ code: 'ECONNRESET', message: 'socket hang up' })
  },
)
