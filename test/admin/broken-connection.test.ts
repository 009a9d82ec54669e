import { expect, test } from 'vitest'
import { connect } from '../../src/admin/connect.ts'
import { UnreachableError } from '../../src/utils/network.ts'
import { freePort } from '../support/free-port.ts'
import { startHttpServer } from '../support/http-server.ts'
import { serve } from '../support/transports/start.ts'

/** A server whose connections break before a response, so many times. */
async function startBreaking(times: number) {
  const { origin } = await serve()
  const methods: string[] = []
  const url = await startHttpServer(async (request, response) => {
    const { method = 'GET', url: path = '' } = request
    if (path === '/__admin/health')
      return void response.end(await (await fetch(origin + path)).text())
    methods.push(method)
    if (methods.length <= times) return void request.socket.destroy()
    response.end('[]')
  })
  return { remote: connect(url), methods }
}

test('a read is sent again if its connection breaks, once', async () => {
  const once = await startBreaking(1)
  const always = await startBreaking(9)

  expect(await once.remote.keys.list()).toEqual([])
  await expect(always.remote.keys.list()).rejects.toThrow(/got a broken connection/)
  expect([once.methods, always.methods]).toEqual([
    ['GET', 'GET'],
    ['GET', 'GET'],
  ])
})

test('a write is not sent again', async () => {
  const { remote, methods } = await startBreaking(1)

  await expect(remote.keys.issue()).rejects.toThrow(/got a broken connection/)

  expect(methods).toEqual(['POST'])
})

test('of a server that is not reached, the error says what to do', async () => {
  const url = `http://127.0.0.1:${await freePort()}`

  const error = await connect(url).reset().catch(Object)

  const problem = 'expected a running server, got no response (ECONNREFUSED)'
  const cure = 'Start it with npx understudy-api serve.'
  expect(error).toBeInstanceOf(UnreachableError)
  expect(error.message).toContain(`Failed to reach ${url}: ${problem}. ${cure}`)
})
