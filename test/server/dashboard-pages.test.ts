import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { pageHeaders } from '../../src/server/dashboard-pages.ts'
import { version } from '../../src/utils/version.ts'
import { serve } from '../support/transports/start.ts'
import { sendRawRequest as send } from './raw-request.ts'

const page = '/__admin/'

test('the dashboard loads nothing from other origins', async () => {
  const { origin } = await serve()

  const response = await send(origin, 'GET', page, {})
  const assets = [...response.text.matchAll(/(?:src|href)="(assets[^"]+)"/g)]
  const loaded = await Promise.all(assets.map(([, path]) => send(origin, 'GET', page + path, {})))

  expect(response).toMatchObject({ status: 200, headers: pageHeaders })
  expect(pageHeaders).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
  })
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(response.text).not.toMatch(
    /<script(?! [^>]*src)|<style| style=| on\w+=|https?:\/\/(?!www\.w3)/,
  )
  // A style sheet and a script.
  expect(assets).toHaveLength(2)
  expect(loaded.map((asset) => asset.status)).toEqual(assets.map(() => 200))
  expect(loaded.at(-1)?.headers).toMatchObject({ ...pageHeaders, 'cache-control': 'no-cache' })
})

test('the path without a trailing slash redirects to the dashboard', async () => {
  const { origin } = await serve()

  const response = await send(origin, 'GET', '/__admin', {})

  expect([response.status, response.headers.location]).toEqual([301, page])
})

test('only the page of the API may style its elements by attributes', async () => {
  const { origin } = await serve()

  const short = await send(origin, 'GET', '/__admin/docs', {})
  const docs = await send(origin, 'GET', '/__admin/docs/', {})
  const files = await Promise.all(
    ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js'].map((name) =>
      send(origin, 'GET', `/__admin/docs/${name}`, {}),
    ),
  )

  const setting = pageHeaders['content-security-policy'] as string
  expect([short.status, short.headers.location]).toEqual([302, 'docs/'])
  expect(docs.headers).toMatchObject({
    ...pageHeaders,
    'content-security-policy': setting.replace('style-src', "style-src 'unsafe-inline'"),
  })
  expect(docs.text).not.toMatch(/https?:|\/\//)
  expect(files.map((file) => file.status)).toEqual([200, 200, 200])
})

test('a browser that opens the root is redirected to the dashboard', async () => {
  const { origin } = await serve()
  const exposed = await serve({}, { host: '0.0.0.0' })
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  const redirect = await send(origin, 'GET', '/', headers)
  const others = [
    await send(origin, 'GET', '/', { accept: '*/*' }),
    await send(origin, 'POST', '/', headers),
    await send(origin, 'GET', '/', { ...headers, 'sec-fetch-site': 'cross-site' }),
    await send(exposed.origin, 'GET', '/', headers),
  ]

  expect(redirect).toMatchObject({ status: 302, headers: { location: page, vary: 'accept' } })
  expect(others.map((response) => response.status)).toEqual([200, 404, 200, 200])
  expect(others.map((response) => response.headers.location)).toEqual(Array(4).fill(undefined))
})

test('curl gets two lines of help from the root, which are not in the journal', async () => {
  const open = await serve({ baseUrl: '/service' })
  const exposed = await serve({}, { host: '0.0.0.0' })
  const guarded = await serve({ baseUrl: '/service' }, { host: '0.0.0.0', token: 'secret' })
  const curl = { accept: '*/*' }

  const help = await send(open.origin, 'GET', '/?from=curl', curl)
  const head = await send(open.origin, 'HEAD', '/', curl)
  const closed = await send(exposed.origin, 'GET', '/', curl)

  const first = `Understudy ${version} simulates the Plugin and Annotation Management API below /api/.`
  expect(help).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8', vary: 'accept' },
    text: `${first.replace('/api', '/service/api')}\nOpen /__admin/ in a browser for the dashboard.\n`,
  })
  expect([head.status, head?.text]).toEqual([200, ''])
  expect((await send(guarded.origin, 'GET', '/', curl)).text).toBe(help.text)
  expect(closed.text).toBe(`${first}\nRead /openapi.json for its operations.\n`)
  expect(open.simulator.journal.find()).toEqual([])
  expect((await send(open.origin, 'GET', '/api', curl)).status).toBe(404)
})

test('a handler of your own can answer the root', async () => {
  const handlers = [http.get('/', () => HttpResponse.text('Mine'))]
  const { origin } = await serve({}, { handlers })

  expect((await send(origin, 'GET', '/', { accept: '*/*' })).text).toBe('Mine')
})

test.each<[name: string, headers: Record<string, string>, got: string]>([
  ['a link on another site', { 'sec-fetch-site': 'cross-site' }, 'a cross-site request'],
  ['a page at another port', { 'sec-fetch-site': 'same-site' }, 'a same-site request'],
  ['a foreign origin', { origin: 'https://evil.test' }, 'the origin https://evil.test'],
])('%s cannot open the dashboard, and the response says how to', async (_, headers, got) => {
  const { origin } = await serve()

  const responses = await Promise.all(
    [page, `${page}assets/main.js`, `${page}docs/`].map((path) =>
      send(origin, 'GET', path, headers),
    ),
  )

  for (const response of responses) {
    expect.soft(response.status).toBe(403)
    expect
      .soft(response.text)
      .toBe(
        `The dashboard cannot be accessed from another site, got ${got}. Type http://127.0.0.1:${new URL(origin).port}/__admin/ into the address bar, or open it from a bookmark.\n`,
      )
  }
})

test('a foreign name for this machine cannot open the dashboard', async () => {
  const { origin } = await serve()

  const response = await send(origin, 'GET', page, { host: 'evil.test' })

  expect([response.status, response.text]).toEqual([
    403,
    'The dashboard requires the host localhost or 127.0.0.1, got evil.test. Write one of them in the URL, or start the server with --token.\n',
  ])
})

test('on a server with a token, the page opens and contains no data', async () => {
  const { origin } = await serve({}, { token: 'secret' })

  const [opened, world] = await Promise.all(
    [page, '/__admin/world'].map((path) => send(origin, 'GET', path, {})),
  )

  expect([opened?.status, world?.status]).toEqual([200, 401])
  expect(opened?.text).not.toContain('phx_')
})
