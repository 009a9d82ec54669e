import { expect, test, vi } from 'vitest'
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

const start = 'Start it with npx understudy-api serve.'

test.each([
  [{ HTTP_PROXY: 'http://127.0.0.1:9', NODE_USE_ENV_PROXY: '1' }, 'HTTP_PROXY is set: clients'],
  [
    { http_proxy: 'x', NODE_USE_ENV_PROXY: '1', no_proxy: 'localhost' },
    'HTTP_PROXY is set: clients',
  ],
  [{ HTTP_PROXY: 'http://127.0.0.1:9' }, start],
  [{ HTTP_PROXY: 'x', NODE_USE_ENV_PROXY: '1', NO_PROXY: 'localhost,127.0.0.1' }, start],
])('with %j, a server that is not reached gets the advice %s', async (env, advice) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const url = `http://127.0.0.1:${await freePort()}`

  const error = await connect(url).reset().catch(Object)

  const problem = 'expected a running server, got no response (ECONNREFUSED)'
  expect(error).toBeInstanceOf(UnreachableError)
  expect(error.message).toContain(`Failed to reach ${url}: ${problem}. ${advice}`)

  vi.unstubAllEnvs()
})
