import { mkdtempSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { FaultEffect } from '../../../../src/simulator/faults/fault.ts'
import { annotationsPath } from '../../../support/api/paths.ts'
import { collectErrors } from '../../../support/errors.ts'
import { createMiddleware } from '../../../support/transports/express.ts'
import { formatRequest, RawConnection } from '../../../support/transports/raw-connection.ts'
import { serve } from '../../../support/transports/start.ts'

const row = `${annotationsPath}1/`

/** Reads a body. Returns its text so far, and the error that ended it. */
async function readBody(response: Response): Promise<{ text: string; error: unknown }> {
  let text = ''
  try {
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk)
    return { text, error: null }
  } catch (error) {
    return { text, error }
  }
}

test('a cut body has its content-length, the first bytes, and then an error', async () => {
  const client = await serve()
  const whole = await (await client.send('GET', annotationsPath)).text()
  const effect = { cut_bytes: 100 }
  client.simulator.faults.add({ operation: 'listAnnotations', when: { times: 1 }, effect })

  const response = await client.send('GET', annotationsPath)
  const { text, error } = await readBody(response)

  expect([response.status, response.headers.get('content-length')]).toEqual([
    200,
    String(new TextEncoder().encode(whole).length),
  ])
  expect([text, error]).toEqual([whole.slice(0, 100), expect.any(TypeError)])
  expect(await (await client.send('GET', annotationsPath)).text()).toBe(whole)
})

test('a large body is cut at exactly the requested byte', async () => {
  const client = await serve()
  const { simulator } = client
  for (let count = 0; count < 200; count++) {
    simulator.world.annotations.add({ content: 'é'.repeat(400) })
  }
  simulator.faults.add({ operation: 'listAnnotations', effect: { cut_bytes: 150_001 } })

  const response = await client.send('GET', `${annotationsPath}?limit=200`)
  let bytes = 0
  const reading = async () => {
    for await (const chunk of response.body ?? []) bytes += chunk.length
  }

  await expect(reading()).rejects.toThrow(TypeError)
  expect(bytes).toBe(150_001)
})

test('a cut at 0 bytes sends the headers only', async () => {
  const client = await serve()
  client.simulator.faults.add({ operation: 'retrieveAnnotation', effect: { cut_bytes: 0 } })

  const response = await client.send('GET', row)

  expect(response.status).toBe(200)
  expect(await readBody(response)).toEqual({ text: '', error: expect.any(TypeError) })
})

test('a write stays whose response was cut', async () => {
  const client = await serve()
  const { simulator } = client
  simulator.faults.add({
    operation: 'createAnnotation',
    effect: { cut_bytes: 8 },
  })

  const response = await client.send('POST', annotationsPath, { body: { content: 'Launch' } })
  const { text, error } = await readBody(response)

  expect(response.status).toBe(201)
  expect(text).toBe('{"id":9,')
  expect(error).toEqual(expect.any(TypeError))
  expect(simulator.world.annotations.get(9)).toMatchObject({ content: 'Launch' })
})

test('a body that is shorter than the cut arrives complete', async () => {
  const { ask, simulator } = await serve()
  simulator.faults.add({ operation: 'retrieveAnnotation', effect: { cut_bytes: 10_000 } })

  expect(await ask('GET', row)).toMatchObject({ status: 200, body: { id: 1 } })
})

const bodiless: readonly [what: string, effect: FaultEffect][] = [
  ['cut', { cut_bytes: 5 }],
  ['cut at once', { cut_bytes: 0 }],
]

test.each(bodiless)(
  'a response without a body is unchanged when bodies are %s',
  async (_, effect) => {
    const { ask, simulator } = await serve()
    const plugin = `/api/organizations/${simulator.defaults.organization_id}/plugins/21/`
    simulator.faults.add({ effect })

    expect(await ask('HEAD', annotationsPath)).toEqual({ status: 200, body: undefined })
    expect(await ask('DELETE', plugin)).toEqual({ status: 204, body: undefined })
    expect(simulator.faults.list()).toMatchObject([{ matched: 2, applied: 2 }])
  },
)

test('a drop resets the connection without a byte', async () => {
  const { origin, simulator } = await serve()
  simulator.faults.add({ operation: 'retrieveAnnotation', effect: { drop: true } })
  const wire = await RawConnection.to(origin)

  wire.send(formatRequest('GET', row))

  expect(await wire.readResponse()).toBeNull()
  expect(wire.socket.errored).toMatchObject({ code: 'ECONNRESET' })
})

test('a cut sends the requested bytes and closes the connection', async () => {
  const { errors, onError } = collectErrors()
  const { origin, simulator } = await serve({ onError }, { onError })
  simulator.faults.add({ operation: 'retrieveAnnotation', effect: { cut_bytes: 10 } })
  const wire = await RawConnection.to(origin)

  const response = await wire.send(formatRequest('GET', row)).readResponse()
  await wire.closed()

  expect(response).toMatchObject({ status: 200, text: '{"id":1,"c' })
  expect(Number(response?.headers['content-length'])).toBeGreaterThan(100)
  expect(errors).toEqual([])
})

test('a cut of a HEAD leaves the connection open', async () => {
  const { origin, simulator } = await serve()
  simulator.faults.add({ when: { times: 1 }, effect: { cut_bytes: 0 } })
  const wire = await RawConnection.to(origin)

  const head = await wire.send(formatRequest('HEAD', row)).readResponse('HEAD')
  const next = await wire.send(formatRequest('GET', row)).readResponse()

  expect([head?.status, next?.status]).toEqual([200, 200])
})

test('a drop on a local socket, which has no resets, ends the connection', async () => {
  const { simulator, mock } = createMiddleware()
  simulator.faults.add({ effect: { drop: true } })
  const socketPath = join(mkdtempSync(join(tmpdir(), 'understudy-')), 'socket')
  const server = http.createServer((request, response) => mock(request, response, () => {}))
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  onTestFinished(() => void server.close())

  const response = new Promise((resolve, reject) => {
    http.get({ socketPath, path: row }, resolve).on('error', reject)
  })

  await expect(response).rejects.toMatchObject({ code: 'ECONNRESET', message: 'socket hang up' })
})
