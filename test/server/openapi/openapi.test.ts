import { readFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { replaceFs } from '../../support/replace-fs.ts'
import { serve } from '../../support/transports/start.ts'

const readDocument = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../src/api/${name}`, import.meta.url), 'utf8'))
const pathOf = (url: string): string => url.replace(/^http:\/\/127\.0\.0\.1:\d+/, '')

/** A document without the origin of its server. */
const plain = (document: ReturnType<typeof readDocument>): ReturnType<typeof readDocument> => {
  const servers = document.servers.map((server: { url: string }) => {
    return { ...server, url: pathOf(server.url) || '/' }
  })
  return { ...document, servers }
}
const documented = plain(readDocument('openapi.json'))
const live = plain(readDocument('openapi.live.json'))

test('GET /openapi.json describes the API without a key', async () => {
  const client = await serve({ baseUrl: '/service' })

  const response = await client.ask('GET', '/openapi.json', { key: null })

  expect(response.status).toBe(200)
  expect(plain(response.body).servers[0].url).toBe('/service')
  const head = await client.send('HEAD', '/openapi.json', { key: null })
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(client.simulator.journal.find()).toEqual([])
})

test('the document is that of the profile that is nearest to the settings, also of a sandbox', async () => {
  const { ask, simulator } = await serve()
  simulator.sandboxes.create({ profile: 'live', settings: { 'methods.put': 'off' } })

  const own = await ask('GET', '/openapi.json', { key: null })
  const other = await ask('GET', '/__sandbox/sandbox-1/openapi.json', { key: null })

  expect([own.body, other.body].map(plain)).toEqual([documented, live])
  expect((await ask('GET', '/__sandbox/none/openapi.json', { key: null })).status).toBe(404)
})

test('GET /__admin/openapi.json describes the admin API without a token', async () => {
  const { ask, simulator } = await serve({}, { token: 'secret' })
  simulator.sandboxes.create()
  const control = readDocument('../admin/openapi.json')

  const [own, inSandbox] = await Promise.all(
    ['/__admin/openapi.json', '/__sandbox/sandbox-1/__admin/openapi.json'].map((path) =>
      ask('GET', path, { key: null }),
    ),
  )

  expect([own, inSandbox].map((reply) => plain(reply?.body))).toEqual([control, control])
})

test('a document that could not be read is read again', async () => {
  const { ask } = await serve()
  const problem = new Error('EMFILE: too many open files')
  const failOnce = vi.fn(fs.readFile).mockRejectedValueOnce(problem) as typeof fs.readFile
  replaceFs({ readFile: failOnce })
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})

  const statuses = []
  for (const path of ['/openapi.json', '/openapi.json']) {
    statuses.push((await ask('GET', path, { key: null })).status)
  }

  expect(statuses).toEqual([500, 200])
  expect(printed.mock.calls).toEqual([[problem]])
})
