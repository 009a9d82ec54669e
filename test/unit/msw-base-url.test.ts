import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator.ts'
import { intercept, startOther } from '../support/intercept.ts'

const list = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all' }
const notFound = {
  type: 'invalid_request',
  code: 'not_found',
  detail: 'Endpoint not found.',
  attr: null,
}

test('with a base URL they answer there only, and unknown paths below /api are theirs', async () => {
  const other = await startOther()
  const { unhandled } = intercept(createSimulator({ baseUrl: 'https://api.example.com' }).handlers)

  const known = await fetch(`https://api.example.com${list}`, { headers })
  const unknown = await fetch('https://api.example.com/api/users', { method: 'POST', body: 'x' })
  const elsewhere = await fetch(`${other}${list}`, { headers })

  expect(known.status).toBe(200)
  expect(unknown.status).toBe(404)
  expect(unknown.headers.get('understudy-nearest')).toContain('/api/projects')
  expect(await unknown.json()).toEqual(notFound)
  expect(await elsewhere.json()).toEqual({ other: list })
  expect(unhandled).toEqual([`${other}${list}`])
})

test('paths of that origin outside /api are left alone', async () => {
  const other = await startOther()
  const { unhandled } = intercept(createSimulator({ baseUrl: other }).handlers)

  const answer = await fetch(`${other}/apis`)

  expect(await answer.json()).toEqual({ other: '/apis' })
  expect(unhandled).toEqual([`${other}/apis`])
})

test.each([
  'https://example.com/service',
  'https://example.com/service/',
  'https://example.com/a/b',
])('a base URL may hold a path: %s', async (baseUrl) => {
  const base = baseUrl.replace(/\/$/, '')
  intercept(createSimulator({ baseUrl }).handlers)

  const page = await fetch(`${base}${list}?limit=1`, { headers })
  const unknown = await fetch(`${base}/api/users`)

  expect(await page.json()).toMatchObject({ next: `${base}${list}?limit=1&offset=1` })
  expect([unknown.status, await unknown.json()]).toEqual([404, notFound])
})

test('a base URL may be a path alone, on any origin', async () => {
  const { unhandled } = intercept(createSimulator({ baseUrl: '/service' }).handlers)
  const other = await startOther()

  const known = await fetch(`https://example.com/service${list}`, { headers })
  const outside = await fetch(`${other}${list}`, { headers })

  expect(known.status).toBe(200)
  expect(await outside.json()).toEqual({ other: list })
  expect(unhandled).toEqual([`${other}${list}`])
})

test.each(['example.com', 'ftp://example.com', 'https://example.com?x=1', 'https://'])(
  'what is no base URL is refused: %j',
  (baseUrl) => {
    expect(() => createSimulator({ baseUrl })).toThrow(
      `Failed to read the base URL: expected an http(s) origin, a path, both, or *, got "${baseUrl}".`,
    )
  },
)

test.each([
  ['https://API.Example.com', 'https://api.example.com'],
  ['https://api.example.com:443/', 'https://api.example.com'],
  ['http://localhost:80/service', 'http://localhost/service'],
  ['https://größe.example/ä', 'https://xn--gre-6ka8i.example/%C3%A4'],
])('%s is the same as %s', async (baseUrl, address) => {
  const simulator = createSimulator({ baseUrl })

  const answer = await simulator.fetch(`${address}${list}`, { headers })

  expect(answer.status).toBe(200)
})
