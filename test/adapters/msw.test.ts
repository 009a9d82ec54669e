import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import { notFound } from '../support/api/errors.ts'
import { authorization } from '../support/api/headers.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { intercept, startOtherServer } from './intercept.ts'

const headers = authorization()

test('by default handlers respond on any origin', async () => {
  intercept(createSimulator().handlers)

  for (const origin of ['https://app.example.com', 'http://localhost:3000', 'http://127.0.0.1']) {
    const response = await fetch(`${origin}${annotationsPath}?limit=1`, { headers })
    expect.soft(response.status).toBe(200)
    expect.soft(await response.json()).toMatchObject({
      next: `${origin}${annotationsPath}?limit=1&offset=1`,
    })
  }
})

test('listHandlers prints the methods and the path of each handler', () => {
  const { handlers } = createSimulator()
  const { server } = intercept(handlers)

  expect(server.listHandlers()).toEqual(handlers)
  const shown = handlers.map(({ info }) => info.header)
  expect(shown).toEqual(
    expect.arrayContaining([
      'GET */api/projects',
      'GET, POST */api/projects/:project_id/annotations',
      'PATCH */api/organizations/:organization_id/plugins/:id/update_source',
    ]),
  )
  expect(new Set(shown).size).toBe(handlers.length)
  // A stack for each would cost more than all else of a simulator. The first one has the handlers of use().
  expect(handlers.slice(1).flatMap(({ info }) => info.callFrame ?? [])).toEqual([])
})

const { body: missing } = notFound('Endpoint not found.')

test('with a base URL handlers respond only there, and also to unknown paths below /api', async () => {
  const other = await startOtherServer()
  const { unhandled } = intercept(createSimulator({ baseUrl: 'https://api.example.com' }).handlers)

  const known = await fetch(`https://api.example.com${annotationsPath}`, { headers })
  const unknown = await fetch('https://api.example.com/api/users', { method: 'POST', body: 'x' })
  const elsewhere = await fetch(`${other}${annotationsPath}`, { headers })

  expect(known.status).toBe(200)
  expect(unknown.status).toBe(404)
  expect(unknown.headers.get('understudy-nearest')).toContain('/api/projects')
  expect(await unknown.json()).toEqual(missing)
  expect(await elsewhere.json()).toEqual({ other: annotationsPath })
  expect(unhandled).toEqual([`${other}${annotationsPath}`])
})

test('paths outside /api of the base URL go to the network', async () => {
  const other = await startOtherServer()
  const { unhandled } = intercept(createSimulator({ baseUrl: other }).handlers)

  const response = await fetch(`${other}/apis`)

  expect(await response.json()).toEqual({ other: '/apis' })
  expect(unhandled).toEqual([`${other}/apis`])
})

test.each(['https://example.com/service/', 'https://example.com/a/b'])(
  'a base URL can have a path: %s',
  async (baseUrl) => {
    const base = baseUrl.replace(/\/$/, '')
    intercept(createSimulator({ baseUrl }).handlers)

    const page = await fetch(`${base}${annotationsPath}?limit=1`, { headers })
    const unknown = await fetch(`${base}/api/users`)
    const inSandbox = await fetch(`${base}/__sandbox/a/api/users`)

    expect(await page.json()).toMatchObject({ next: `${base}${annotationsPath}?limit=1&offset=1` })
    expect([unknown.status, await unknown.json(), inSandbox.status]).toEqual([404, missing, 404])
  },
)

test('a base URL can be a path alone, on any origin', async () => {
  const { unhandled } = intercept(createSimulator({ baseUrl: '/service' }).handlers)
  const other = await startOtherServer()

  const known = await fetch(`https://example.com/service${annotationsPath}`, { headers })
  const outside = await fetch(`${other}${annotationsPath}`, { headers })

  expect(known.status).toBe(200)
  expect(await outside.json()).toEqual({ other: annotationsPath })
  expect(unhandled).toEqual([`${other}${annotationsPath}`])
})

test.each(['example.com', 'ftp://example.com', 'https://example.com?x=1', 'https://'])(
  'an invalid base URL is refused: %j',
  (baseUrl) => {
    expect(() => createSimulator({ baseUrl })).toThrow(
      `Failed to read the base URL: expected an http(s) origin, a path, both, or *, got "${baseUrl}".`,
    )
  },
)

test('a page has a clone, and a client that changes its bytes changes no later page', async () => {
  intercept(createSimulator().handlers)
  const getPage = () => fetch(`http://a.test${annotationsPath}?limit=2`, { headers })
  const expected = await (await getPage()).text()

  const response = await getPage()
  const clone = response.clone()
  const { value } = (await response.body?.getReader().read()) ?? {}
  const text = new TextDecoder().decode(value)
  value?.fill(0)

  expect(text).toBe(expected)
  expect(clone.headers.get('content-length')).toBe(String(text.length))
  expect(await (await getPage()).text()).toBe(expected)
  expect(await (await getPage()).text()).toBe(expected)
})

test('getResponse works with the handlers', async () => {
  const { handlers } = createSimulator()
  const ask = (method: string, path: string) =>
    getResponse(handlers, new Request(`http://a.test${path}`, { method, headers }))

  expect((await ask('GET', `${annotationsPath}1/`))?.status).toBe(200)
  expect((await ask('HEAD', annotationsPath))?.status).toBe(200)
  expect((await ask('PROPFIND', annotationsPath))?.status).toBe(405)
  expect(await ask('GET', '/api/users')).toBeUndefined()
})
