import { expect, onTestFinished, test } from 'vitest'
import { toExpress } from '../../../src/express.ts'
import { createSimulator } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'

test('a port in use is an error that says what to do', async () => {
  const server = await listen(createSimulator())
  onTestFinished(() => server.close())
  const { port } = server

  await expect(listen(createSimulator(), { port })).rejects.toMatchObject({
    message: `Port ${port} is already in use. Choose another port, or 0 for any free one.`,
    code: 'EADDRINUSE',
    port,
  })
  await expect(listen(createSimulator(), { host: '192.0.2.1' })).rejects.toThrow(
    'Failed to listen on 192.0.2.1, port 0 (EADDRNOTAVAIL). Choose an address of this machine and a port that you may use.',
  )
})

test('an IPv6 address can be in the brackets that a URL has', async () => {
  const server = await listen(createSimulator(), { host: '[::1]' })
  onTestFinished(() => server.close())

  expect(server.url).toBe(`http://[::1]:${server.port}`)
})

test('forwarded headers change no link, and open nothing', async () => {
  const server = await listen(createSimulator())
  onTestFinished(() => server.close())
  const path = '/api/projects/1/annotations/?limit=2'
  const headers = {
    authorization: 'Bearer phx_all',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'sim.example.com',
  }

  const page = await fetch(server.url + path, { headers })
  const origin = 'https://sim.example.com'
  const keys = await fetch(`${server.url}/__admin/keys`, { headers: { ...headers, origin } })

  expect(await page.json()).toMatchObject({ next: `${server.url}${path}&offset=2` })
  expect(keys.status).toBe(403)
})

test('listen refuses handlers that are none', async () => {
  await expect(listen(createSimulator(), { handlers: 5 as never })).rejects.toThrow(
    'Failed to listen: expected a list of MSW handlers, got 5.',
  )
})

test.each([undefined, 'x', [1], createSimulator()])(
  'toExpress refuses what is no list of handlers: %j',
  (handlers) => {
    expect(() => toExpress(handlers as never)).toThrow(
      /^Failed to convert handlers: expected a list of MSW handlers, got /,
    )
  },
)
