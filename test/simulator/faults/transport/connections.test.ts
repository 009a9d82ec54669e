import { mkdtempSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { annotationsPath, annotationPath as row } from '../../../support/api/paths.ts'
import { collectErrors } from '../../../support/errors.ts'
import { formatRequest, RawConnection } from '../../../support/transports/raw-connection.ts'
import { serve } from '../../../support/transports/start.ts'
import { createMiddleware } from '../../../transport/express.ts'

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

test.each([0, 0.1, 1])('a body is cut after a share of %d of its bytes', async (share) => {
  const { errors, onError } = collectErrors()
  const client = await serve({ onError }, { onError })
  const whole = await (await client.send('GET', row)).text()
  const cut_bytes = Math.ceil(share * whole.length)
  client.simulator.faults.add({ when: { times: 1 }, effect: { cut_bytes } })

  const response = await client.send('GET', row)
  const { text, error } = await readBody(response)

  const length = response.headers.get('content-length')
  expect([response.status, length]).toEqual([200, String(whole.length)])
  expect(text).toBe(whole.slice(0, cut_bytes))
  expect(error).toEqual(share < 1 ? expect.any(TypeError) : null)
  const reason = client.simulator.journal.get(2)?.reason
  expect(reason).toContain(
    share < 1 ? 'fault-1` was applied: the connection drops' : 'fault-1` matched, and',
  )
  expect(await (await client.send('GET', row)).text()).toBe(whole)
  expect(errors).toEqual([])
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

test.each([0, 5])(
  'a response without a body is unchanged by a cut after %i bytes',
  async (cut_bytes) => {
    const { ask, simulator } = await serve()
    const plugin = `/api/organizations/${simulator.defaults.organization_id}/plugins/21/`
    simulator.faults.add({ effect: { cut_bytes } })

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

test('a cut of a HEAD leaves the connection open', async () => {
  const { origin, simulator } = await serve()
  simulator.faults.add({ when: { times: 1 }, effect: { cut_bytes: 0 } })
  const wire = await RawConnection.to(origin)

  const head = await wire.send(formatRequest('HEAD', row)).readResponse('HEAD')
  const next = await wire.send(formatRequest('GET', row)).readResponse()

  expect([head?.status, next?.status]).toEqual([200, 200])
  expect(simulator.record().scenario.steps[1]).toMatchObject({ expect: { status: 200 } })
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
