import { http } from 'msw'
import { expect, test } from 'vitest'
import type { ListenOptions } from '../../src/server/listen.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { createDeferred } from '../support/deferred.ts'
import { collectErrors } from '../support/errors.ts'
import { formatRequest, RawConnection } from '../support/transports/raw-connection.ts'
import { serve } from '../support/transports/start.ts'

const pattern = `*${annotationsPath}:id/`

test('a handler is notified once that its client disconnected', async () => {
  const [entered, aborted] = [createDeferred(), createDeferred()]
  let aborts = 0
  const handler = http.get(pattern, async ({ request }) => {
    request.signal.addEventListener('abort', () => {
      aborts += 1
      aborted.resolve()
    })
    entered.resolve()
    await aborted.promise
  })
  const { errors, onError } = collectErrors()
  const { close, origin } = await serve({}, { handlers: [handler], onError })
  const connection = await RawConnection.to(origin)

  connection.send(formatRequest('GET', `${annotationsPath}1/`))
  await entered.promise
  connection.socket.destroy()
  await aborted.promise
  await close()

  expect(aborts).toBe(1)
  expect(errors).toEqual([])
})

test('a client that disconnects in the middle of its body changes nothing', async () => {
  const [entered, closed] = [createDeferred(), createDeferred()]
  const { errors, onError } = collectErrors()
  const watch: NonNullable<ListenOptions['use']>[number] = (request, _response, next) => {
    request.on('close', closed.resolve)
    entered.resolve()
    next()
  }
  const { ask, close, origin, simulator } = await serve({ onError }, { onError, use: [watch] })
  const connection = await RawConnection.to(origin)
  const headers = { 'content-length': '1000' }

  connection.send(formatRequest('POST', annotationsPath, { body: '{"content":"Half"}', headers }))
  await entered.promise
  connection.socket.destroy()
  await closed.promise
  const { status } = await ask('GET', annotationsPath)
  await close()

  expect(status).toBe(200)
  expect(simulator.world.annotations.count).toBe(8)
  expect(errors).toEqual([])
})
