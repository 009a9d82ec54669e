import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { authorization } from '../support/api/headers.ts'
import { serve, serveBefore } from '../support/forwarding.ts'

const setting = 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts'
const html = { 'content-type': 'text/html; charset=utf-8' }
const page = '<script>1</script>'

async function withFault(): Promise<{ url: string; simulator: Simulator }> {
  const served = await serve({})
  served.simulator.faults.add({ effect: { status: 503, headers: html, body: page } })
  return served
}

const withHandler = (respond: () => Response = () => HttpResponse.html(page)) =>
  serve({ handlers: [http.all('*/page', respond)] })

const ofType = (type: string) => new HttpResponse(page, { headers: { 'content-type': type } })

/** A browser guesses the type of such a response. */
const withoutType = () => new HttpResponse(new TextEncoder().encode(page))

test.each<[from: string, start: () => Promise<{ url: string }>, path?: string]>([
  ['a fault', withFault, '/api/projects/'],
  ['a handler', () => withHandler()],
  ['a handler without a type', () => withHandler(withoutType)],
  ['a service', () => serveBefore((_, response) => response.writeHead(200, html).end(page))],
  ['a service without a type', () => serveBefore((_, response) => response.end(page))],
])('a page of %s has an origin of its own', async (_, start, path = '/page') => {
  const { url } = await start()

  const got = await fetch(url + path, { headers: authorization('phx_all') })
  const head = await fetch(url + path, { method: 'HEAD', headers: authorization('phx_all') })

  expect(await got.text()).toBe(page)
  expect(got.headers.get('content-security-policy')).toBe(setting)
  expect(head.headers.get('content-security-policy')).toBe(setting)
})

test('a page of a fault keeps a policy of its own', async () => {
  const { url, simulator } = await serve({})
  const headers = { ...html, 'content-security-policy': "default-src 'none'" }
  simulator.faults.add({ effect: { status: 503, headers, body: page } })

  const got = await fetch(`${url}/api/projects/`, { headers: authorization('phx_all') })

  expect(got.headers.get('content-security-policy')).toBe(`default-src 'none', ${setting}`)
})

test.each([
  'application/xhtml+xml',
  'image/svg+xml',
  'text/xml',
  'TEXT/XSL',
  'multipart/x-mixed-replace; boundary=a',
  'application/json, text/html',
  'unknown/unknown',
  'garbage',
])('a browser can run scripts in a response with the type %s', async (type) => {
  const { url } = await withHandler(() => ofType(type))

  const { headers } = await fetch(`${url}/page`)

  expect(headers.get('content-security-policy')).toBe(setting)
})

test.each(['text/plain', 'application/json; charset=utf-8', 'image/png', 'text/css'])(
  'a response with the type %s is sent as it is',
  async (type) => {
    const { url } = await withHandler(() => ofType(type))

    const { headers } = await fetch(`${url}/page`)

    expect(headers.get('content-security-policy')).toBeNull()
  },
)

const own = { ...html, 'content-security-policy': "default-src 'self'" }

test.each([
  ['a handler', () => withHandler(() => new HttpResponse(page, { headers: own }))],
  ['a service', () => serveBefore((_, response) => response.writeHead(200, own).end(page))],
])('a setting that a page of %s has stays', async (_, start) => {
  const { url } = await start()

  const { headers } = await fetch(`${url}/page`)

  expect(headers.get('content-security-policy')).toBe(`default-src 'self', ${setting}`)
})
