import { expect, onTestFinished, test } from 'vitest'
import { connect, createSimulator } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'

test('a port that is taken is told, with what to do', async () => {
  const server = await listen(createSimulator())
  onTestFinished(() => server.close())
  const { port } = server

  await expect(listen(createSimulator(), { port })).rejects.toMatchObject({
    message: `Failed to listen on port ${port}: expected a free port, got one that is taken. Choose another, or 0 for any free one.`,
    code: 'EADDRINUSE',
    port,
  })
  await expect(listen(createSimulator(), { host: '192.0.2.1' })).rejects.toThrow(
    'Failed to listen on 192.0.2.1, port 0: expected an address of this machine and a port that may be used, got EADDRNOTAVAIL. Choose others.',
  )
})

test('a server of all addresses tells one to reach it at', async () => {
  const server = await listen(createSimulator(), { host: '0.0.0.0' })
  onTestFinished(() => server.close())

  expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
  expect(await connect(server.url).health()).toMatchObject({ status: 'ready' })
})

test('where nothing can answer the reason is told', async () => {
  await expect(connect('http://127.0.0.1:1').health()).rejects.toThrow(
    'Failed to reach http://127.0.0.1:1: expected a running server, got a port that fetch blocks (bad port). Start it with understudy serve.',
  )
})
