import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startProxyBefore } from '../../support/cli/proxy.ts'

/** Sends a request with headers that fetch does not set. Returns the status and the body. */
function send(url: string, headers: Record<string, string>, path = '/api/x/'): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sent = request({ hostname, port, path, headers }, async (response) => {
      let text = String(response.statusCode)
      for await (const chunk of response) text += ` ${chunk}`
      resolve(text)
    })
    sent.on('error', reject).end()
  })
}

async function startTarget() {
  let received = 0
  const proxy = await startProxyBefore((_, response) => {
    received += 1
    response.end('private')
  })
  return { ...proxy, received: () => received }
}

test.each([
  ['a name that leads to this machine', { host: 'evil.test:4011' }],
  ['a name that begins like this machine', { host: 'localhost.evil.test' }],
  ['its own origin of such a name', { host: 'evil.test', origin: 'http://evil.test' }],
  ['another site', { origin: 'https://evil.test' }],
  ['a site that begins like this machine', { origin: 'http://localhost.evil.test' }],
  ['a frame without an origin', { origin: 'null' }],
  ['an image of another site', { 'sec-fetch-site': 'cross-site' }],
])('a request from %s is refused, and neither forwarded nor recorded', async (_, headers) => {
  const { url, exchanges, skipped, received } = await startTarget()

  const response = await send(url, headers as unknown as Record<string, string>)

  expect(response).toMatch(
    /^403 \{"type":"authentication_error","code":"permission_denied","detail":"the proxy /,
  )
  expect([received(), exchanges]).toEqual([0, []])
  expect(skipped).toEqual([expect.stringMatching(/^GET \/api\/x\/: the proxy /)])
})

test('clients and pages of this machine can use the proxy by its address', async () => {
  const { url, target, exchanges } = await startTarget()
  const { host, port } = new URL(url)
  const targetHost = new URL(target).host

  const responses = await Promise.all([
    send(url, {}),
    send(url, { host: `localhost:${port}` }),
    send(url, { host: `[::1]:${port}` }),
    send(url, { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }),
    send(url, { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }),
    send(url, { 'sec-fetch-site': 'none' }),
    send(url, { host: targetHost }),
    send(url, { host: 'api.example.com' }, 'http://api.example.com/api/x/'),
  ])

  expect(new Set(responses)).toEqual(new Set(['200 private']))
  expect(exchanges).toHaveLength(8)
})
