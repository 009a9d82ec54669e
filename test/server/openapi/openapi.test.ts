import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { start } from '../../support/lanes/start.ts'

const readDocument = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../src/api/${name}`, import.meta.url), 'utf8'))
const documented = readDocument('openapi.json')
const live = readDocument('openapi.live.json')

test('GET /openapi.json describes the API without a key', async () => {
  const client = await start()

  const response = await client.ask('GET', '/openapi.json', { key: null })

  expect(response).toEqual({ status: 200, body: documented })
  const head = await client.send('HEAD', '/openapi.json', { key: null })
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(client.simulator.journal.find()).toEqual([])
})

test('the document is that of the profile that is nearest to the settings, also of a sandbox', async () => {
  const { ask, simulator } = await start()
  simulator.sandboxes.create({ profile: 'live', settings: { 'methods.put': 'off' } })

  const own = await ask('GET', '/openapi.json', { key: null })
  const other = await ask('GET', '/__sandbox/sandbox-1/openapi.json', { key: null })

  expect([own.body, other.body]).toEqual([documented, live])
  expect((await ask('GET', '/__sandbox/none/openapi.json', { key: null })).status).toBe(404)
})

test('pages of any origin can read the document', async () => {
  const client = await start()

  const response = await client.send('GET', '/openapi.json', {
    key: null,
    headers: { origin: 'https://editor.example.com' },
  })

  expect(response.headers.get('access-control-allow-origin')).toBe('*')
})
