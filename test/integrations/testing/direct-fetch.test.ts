import nodeHttp from 'node:http'
import { HttpResponse, http } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { withSimulator } from '../../../src/node.ts'
import { startHttpServer } from '../../support/http-server.ts'

// test/consumers/scripts/fetch.mjs compares what a client sees with HTTP, beside each MSW.
const origin = 'https://app.example.com'
const annotations = `${origin}/api/projects/1/annotations/`

test('a handler that answers sees a request once', async () => {
  const seen: string[] = []
  const handler = http.post(`${origin}/own`, async ({ request, requestId }) => {
    seen.push(await request.text(), requestId)
    return HttpResponse.json('mine')
  })

  const response = await withSimulator(({ simulator }) => {
    simulator.use(handler)
    return fetch(`${origin}/own`, { method: 'POST', body: 'sent' })
  })

  expect([response.status, await response.json(), seen]).toEqual([200, 'mine', ['sent', 'fetch-1']])
})

test('a handler that leaves a request to the network sees it once, and the network sees all of it', async () => {
  const url = await startHttpServer(async (request, response) => {
    response.end(`${request.method} ${(await request.toArray()).join('')}`)
  })
  const seen: string[] = []
  const handler = http.post(url, async ({ request }) => void seen.push(await request.text()))

  const texts = await withSimulator(async ({ simulator }) => {
    simulator.use(handler)
    const sent = new Request(url, { method: 'POST', body: 'of a Request' })
    const responses = [await fetch(url, { method: 'POST', body: 'text' }), await fetch(sent)]
    return Promise.all(responses.map((response) => response.text()))
  })

  expect(texts).toEqual(['POST text', 'POST of a Request'])
  expect(seen).toEqual(['text', 'of a Request'])
})

test('a handler that throws runs once, and is a 500 as MSW makes it', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => printed.mockRestore())
  const resolve = vi.fn(() => {
    throw new Error('Mine')
  })

  const response = await withSimulator(({ simulator }) => {
    simulator.use(http.get(`${origin}/own`, resolve))
    return fetch(`${origin}/own`)
  })

  expect([response.status, (await response.json()).message]).toEqual([500, 'Mine'])
  expect(resolve).toHaveBeenCalledOnce()
})

test('a cookie that a handler sets is sent with the next request', async () => {
  const login = vi.fn(() =>
    HttpResponse.json('in', { headers: { 'set-cookie': 'session=abc; Path=/' } }),
  )
  const me = http.get(`${origin}/me`, ({ cookies }) => HttpResponse.json(cookies))

  const cookies = await withSimulator(async ({ simulator }) => {
    simulator.use(http.post(`${origin}/login`, login), me)
    await fetch(`${origin}/login`, { method: 'POST', credentials: 'include' })
    return (await fetch(`${origin}/me`, { credentials: 'include' })).json()
  })

  expect(cookies).toMatchObject({ session: 'abc' })
  expect(login).toHaveBeenCalledOnce()
})

test('a redirect to another origin loses its key, and one to the same origin keeps it', async () => {
  const to = (location: string) => () =>
    new HttpResponse(null, { status: 308, headers: { location } })
  const echo = http.post('*/echo', async ({ request }) =>
    HttpResponse.json([request.headers.get('authorization'), await request.text()]),
  )
  const away = http.post('*/away', to('https://other.example.com/echo'))

  const found = await withSimulator(async ({ simulator, as }) => {
    simulator.use(echo, away, http.post('*/here', to('/echo')))
    const init = { method: 'POST', body: 'kept', headers: as('all').headers }
    const responses = [await fetch(`${origin}/here`, init), await fetch(`${origin}/away`, init)]
    return Promise.all(responses.map(async (one) => [one.url, await one.json()]))
  })

  expect(found).toEqual([
    [`${origin}/echo`, ['Bearer phx_all', 'kept']],
    ['https://other.example.com/echo', [null, 'kept']],
  ])
})

test('a handler can respond with what it has fetched itself', async () => {
  const first = http.get(`${origin}/first`, () => HttpResponse.json('of the first'))
  const second = http.get(`${origin}/second`, () => fetch(`${origin}/first`))

  const response = await withSimulator(({ simulator }) => {
    simulator.use(first, second)
    return fetch(`${origin}/second`)
  })

  const { url, redirected } = response.clone()
  expect([url, redirected]).toEqual([`${origin}/second`, false])
  expect([response.url, await response.json()]).toEqual([`${origin}/second`, 'of the first'])
})

test('a dropped connection has the code of Node, by which clients recognize it', async () => {
  const error = await withSimulator(({ simulator }) => {
    simulator.faults.add({ operation: 'listProjects', effect: { drop: true } })
    return fetch('https://app.example.com/api/projects/').catch((reason: unknown) => reason)
  })

  expect(error).toMatchObject({
    name: 'TypeError',
    message: 'fetch failed',
    cause: { name: 'Error', message: 'read ECONNRESET', code: 'ECONNRESET', syscall: 'read' },
  })
})

test('fake timers do not stop fetch', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())

  const { status } = await withSimulator(({ as }) => fetch(annotations, as('all')))

  expect(status).toBe(200)
})

test('clients that do not use fetch reach the same simulator', async () => {
  const [status, entries] = await withSimulator(async ({ simulator, as }) => {
    await fetch(annotations, as('all'))
    const status = await new Promise((resolve, reject) => {
      const sent = nodeHttp.request(annotations.replace('https', 'http'), as('all'))
      sent.on('response', (response) => resolve(response.resume().statusCode))
      sent.on('error', reject).end()
    })
    return [status, simulator.journal.find().length]
  })

  expect([status, entries]).toEqual([200, 2])
})

test('code that keeps fetch reaches the network after the function has ended', async () => {
  const url = await startHttpServer((_, response) => response.end('network'))
  const used = await withSimulator(() => globalThis.fetch)

  const response = await used(url)

  expect([await response.text(), used === fetch]).toEqual(['network', false])
})

test('code that keeps fetch reaches the simulator of the function that calls it', async () => {
  const earlier = await withSimulator(() => globalThis.fetch)

  const { status } = await withSimulator(({ as }) => earlier(annotations, as('all')))

  expect(status).toBe(200)
})

test('a function that replaces fetch uses the replacement, which is gone afterwards', async () => {
  const { fetch: before } = globalThis
  onTestFinished(() => {
    globalThis.fetch = before
  })
  const replaced: typeof fetch = async () => new Response('replaced')

  await withSimulator(async () => {
    globalThis.fetch = replaced
    expect(await (await fetch(annotations)).text()).toBe('replaced')
  })

  expect(fetch).toBe(before)
  await withSimulator(async ({ as }) => {
    expect((await fetch(annotations, as('all'))).status).toBe(200)
  })
})
