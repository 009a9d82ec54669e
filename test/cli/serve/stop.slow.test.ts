import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { annotationsPath as list } from '../../support/api/paths.ts'
import { type Serving, startServeProcess } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'

/** Sends a request that a fault delays. Resolves as soon as the delay begins. */
async function sendSlow(server: Serving, milliseconds: number) {
  const fault = { operation: 'createAnnotation', effect: { delay_ms: milliseconds } }
  await server.ask('POST', '/__admin/faults', { body: fault })
  const sent = server.ask('POST', list, { body: { content: 'In flight' } })
  const status = sent.then(
    (response) => response.status,
    () => 'cut off',
  )
  const faults = async () => (await server.ask('GET', '/__admin/faults')).body
  await expect.poll(faults).toMatchObject([{ applied: 1 }])
  return { status }
}

/** Sends a request whose body has no end. Resolves when the server waits for the body. */
async function sendWithoutEnd({ url }: Serving) {
  const headers = { authorization: 'Bearer phx_all', 'content-length': 9, expect: '100-continue' }
  const sent = request(url + list, { method: 'POST', headers })
  const status = new Promise((resolve) => {
    sent.on('response', ({ statusCode }) => resolve(statusCode))
    sent.on('error', () => resolve('cut off'))
  })
  sent.flushHeaders()
  await once(sent, 'continue')
  return { status }
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const)(
  '%s answers requests in flight, saves them, and ends with 0',
  async (signal) => {
    const file = join(temporaryFolder(), 'state.json')
    const first = await startServeProcess(['--state', file])
    const { status } = await sendSlow(first, 1_000)

    const { code } = await first.stop(signal)
    const second = await startServeProcess(['--state', file])
    const { body } = await second.ask('GET', `${list}?search=In%20flight`)
    await second.stop('SIGTERM')

    expect([code, await status, body]).toMatchObject([0, 201, { count: 1 }])
  },
)

test('a signal that npm and timeout send twice counts once, however late a busy server reads it', async () => {
  const block = 'for (const end = Date.now() + 400; Date.now() < end; );'
  const busy = `process.once('SIGTERM', () => setImmediate(() => { ${block} }))`
  const preload = `--import=data:text/javascript,${encodeURIComponent(busy)}`
  const server = await startServeProcess([], { NODE_OPTIONS: preload })
  const { status } = await sendSlow(server, 1_000)

  void server.stop('SIGTERM')
  await pause(20)
  const { code } = await server.stop('SIGTERM')

  expect([code, await status]).toEqual([0, 201])
})

test('a second signal ends the server at once', async () => {
  const server = await startServeProcess()
  const { status } = await sendWithoutEnd(server)

  void server.stop('SIGTERM')
  await expect.poll(() => fetch(server.url).catch(() => 'refused')).toBe('refused')
  const { code } = await server.stop('SIGINT')

  // Without a code of its own: the signal ended it.
  expect([code, await status]).toEqual([null, 'cut off'])
})
