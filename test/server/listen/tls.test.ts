import { once } from 'node:events'
import { request } from 'node:https'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../../src/index.ts'
import { type ListenOptions, listen } from '../../../src/node.ts'
import { localhost, loopback } from '../../support/certificates.ts'

const key = 'phx_all'

async function serve(options: ListenOptions = {}) {
  const server = await listen(createSimulator(), { tls: loopback, ...options })
  onTestFinished(() => server.close())
  return server
}

async function ask(url: string, headers: Record<string, string> = {}) {
  const sent = request(url, { headers, ca: loopback.cert }).end()
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, body: await json(response) }
}

test('a server with a certificate speaks HTTPS, and links say so', async () => {
  const { url, port } = await serve()
  const authorization = `Bearer ${key}`

  const page = await ask(`${url}/api/projects/1/annotations/?limit=2`, { authorization })

  expect(url).toBe(`https://127.0.0.1:${port}`)
  expect(page).toMatchObject({
    status: 200,
    body: { next: `${url}/api/projects/1/annotations/?limit=2&offset=2` },
  })
})

test('the admin API has the same guard over HTTPS', async () => {
  const { url } = await serve()
  const ask403 = async (headers: Record<string, string>) =>
    (await ask(`${url}/__admin/keys`, headers)).status

  expect(await ask(`${url}/__admin/health`)).toMatchObject({ body: { status: 'ready' } })
  expect(await ask403({ origin: url })).toBe(200)
  expect(await ask403({ origin: 'https://other.test' })).toBe(403)
  expect(await ask403({ host: 'sim.test' })).toBe(403)
})

test('a certificate for localhost gives a URL with localhost', async () => {
  const { url, port } = await serve({ tls: localhost })

  expect(url).toBe(`https://localhost:${port}`)
})

test.each([
  [
    'the key of another certificate',
    { ...loopback, key: localhost.key },
    'the certificate does not belong to the key. Name the key that it was issued for.',
  ],
  [
    'no certificate',
    { ...loopback, cert: 'none' },
    'expected a certificate as PEM, which begins with -----BEGIN CERTIFICATE-----.',
  ],
  [
    'no key',
    { ...loopback, key: loopback.cert },
    'expected a private key as PEM, without a passphrase.',
  ],
])('%s is refused before the server listens', async (_, tls, reason) => {
  await expect(listen(createSimulator(), { tls })).rejects.toThrow(
    `Failed to serve over TLS: ${reason}`,
  )
})
