import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../../src/index.ts'
import { type ListenOptions, listen } from '../../../src/node.ts'

const path = '/api/projects/1/annotations/?limit=2'
const headers = {
  authorization: 'Bearer phx_all',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'sim.example.com',
}

async function nextLink(options: ListenOptions): Promise<string> {
  const server = await listen(createSimulator(), options)
  onTestFinished(() => server.close())
  const response = await fetch(server.url + path, { headers })
  const { next } = (await response.json()) as { next: string }
  return next.replace(server.url, 'itself')
}

test.each([true, 1, 'loopback', '10.0.0.0/8, 127.0.0.1', ['127.0.0.1']])(
  'links are those behind the proxy that is trusted: %j',
  async (trustProxy) => {
    const next = `https://sim.example.com${path}&offset=2`

    expect(await nextLink({ trustProxy })).toBe(next)
    expect(await nextLink({ trustProxy, stock: true })).toBe(next)
  },
)

test.each([undefined, false, 0, '10.0.0.0/8'])(
  'a proxy that is not trusted changes no link: %j',
  async (trustProxy) => {
    const options = trustProxy === undefined ? {} : { trustProxy }

    expect(await nextLink(options)).toBe(`itself${path}&offset=2`)
  },
)

test('a scheme that is not one of HTTP begins no link', async () => {
  const server = await listen(createSimulator(), { trustProxy: true })
  onTestFinished(() => server.close())

  const response = await fetch(server.url + path, {
    headers: { ...headers, 'x-forwarded-proto': 'javascript' },
  })

  expect(await response.json()).toMatchObject({ next: `http://sim.example.com${path}&offset=2` })
})

test('a proxy cannot open the control API under another name', async () => {
  const server = await listen(createSimulator(), { trustProxy: true })
  onTestFinished(() => server.close())
  const ask = (name: string, value: string) =>
    fetch(`${server.url}/__admin/keys`, { headers: { [name]: value } })

  expect((await ask('x-forwarded-host', 'evil.test')).status).toBe(200)
  expect((await ask('origin', 'https://evil.test')).status).toBe(403)
})

test('a value that Express refuses is an error', async () => {
  await expect(listen(createSimulator(), { trustProxy: 'ingress' })).rejects.toThrow(
    'Failed to trust a proxy: expected true, false, a number of proxies, or addresses such as loopback or 10.0.0.0/8 (the values of Express), got "ingress".',
  )
})
