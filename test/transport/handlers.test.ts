import { delay, HttpResponse, http, passthrough } from 'msw'
import { expect, test } from 'vitest'
import { servers, socketTest, start } from '../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const own = `*${list}:id/`

test.each(servers)(
  'a handler of the user that stands before ours answers in its place, and leaves the rest to ours, from $name',
  async ({ serving }) => {
    const handler = http.get(own, ({ params }) => HttpResponse.json({ mine: params.id }))
    const { ask } = await start({}, { ...serving, handlers: [handler] })

    expect(await ask('GET', `${list}7/`)).toEqual({ status: 200, body: { mine: '7' } })
    expect(await ask('PATCH', `${list}1/`, { body: {} })).toMatchObject({
      status: 200,
      body: { id: 1 },
    })
    expect((await ask('GET', list)).status).toBe(200)
  },
)

test.each(servers)(
  'it is given the whole request: method, headers, query and body, from $name',
  async ({ serving }) => {
    const handler = http.post('*/api/echo', async ({ request }) =>
      HttpResponse.json({
        query: new URL(request.url).search,
        header: request.headers.get('x-mine'),
        body: await request.json(),
      }),
    )
    const { ask } = await start({}, { ...serving, handlers: [handler] })

    const answer = await ask('POST', '/api/echo?a=1&b=%20', {
      body: { ä: ['🦔'] },
      headers: { 'x-mine': 'yes' },
    })

    expect(answer).toEqual({
      status: 200,
      body: { query: '?a=1&b=%20', header: 'yes', body: { ä: ['🦔'] } },
    })
  },
)

test.each(servers)(
  'a handler that only looks on leaves the request whole for ours, from $name',
  async ({ serving }) => {
    const seen: unknown[] = []
    const handler = http.post(`*${list}`, async ({ request }) => {
      seen.push(await request.clone().json())
    })
    const { ask } = await start({}, { ...serving, handlers: [handler] })

    const answer = await ask('POST', list, { body: { content: 'Seen' } })

    expect(answer).toMatchObject({ status: 201, body: { content: 'Seen' } })
    expect(seen).toEqual([{ content: 'Seen' }])
  },
)

test.each(servers)('{ once: true } holds for one request, from $name', async ({ serving }) => {
  const handler = http.get(own, () => new HttpResponse(null, { status: 503 }), { once: true })
  const { ask } = await start({}, { ...serving, handlers: [handler] })

  const statuses = []
  for (let count = 0; count < 3; count++) statuses.push((await ask('GET', `${list}1/`)).status)

  expect(statuses).toEqual([503, 200, 200])
})

test.each(servers)('two Set-Cookie headers arrive as two, from $name', async ({ serving }) => {
  const handler = http.get(own, () => {
    const headers = new Headers([
      ['set-cookie', 'a=1; Path=/'],
      ['set-cookie', 'b=2, 3'],
    ])
    return new HttpResponse('ok', { headers })
  })
  const client = await start({}, { ...serving, handlers: [handler] })

  const answer = await client.send('GET', `${list}1/`)

  expect(answer.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2, 3'])
})

test.each(servers)('a delay delays its own answer only, from $name', async ({ serving }) => {
  const handler = http.get(own, async () => {
    await delay(120)
    return HttpResponse.json('late')
  })
  const { ask } = await start({}, { ...serving, handlers: [handler] })
  const order: unknown[] = []
  const began = performance.now()

  const late = ask('GET', `${list}1/`).then(({ body }) => order.push(body))
  await ask('GET', list).then(({ status }) => order.push(status))
  await late

  expect(order).toEqual([200, 'late'])
  expect(performance.now() - began).toBeGreaterThanOrEqual(115)
})

test.each(servers)('a thrown Response is the answer, from $name', async ({ serving }) => {
  const handler = http.get(own, () => {
    throw HttpResponse.json({ thrown: true }, { status: 418, headers: { 'x-mine': 'yes' } })
  })
  const client = await start({}, { ...serving, handlers: [handler] })

  const answer = await client.send('GET', `${list}1/`)

  expect(answer.status).toBe(418)
  expect(answer.headers.get('x-mine')).toBe('yes')
  expect(await answer.json()).toEqual({ thrown: true })
})

socketTest.each(servers)(
  'a handler that throws is a 500 envelope, with the stack for onError alone, from $name (over HTTP only: in-process MSW answers) [§1:500]',
  async ({ serving }) => {
    const told: unknown[] = []
    const broken = new Error('a secret of mine')
    const handler = http.get(own, () => {
      throw broken
    })
    const { ask } = await start(
      {},
      { ...serving, handlers: [handler], onError: (error) => void told.push(error) },
    )

    const answer = await ask('GET', `${list}1/`)

    expect(answer).toEqual({
      status: 500,
      body: {
        type: 'server_error',
        code: 'error',
        detail: 'A server error occurred.',
        attr: null,
      },
    })
    expect(told).toEqual([broken])
    expect((await ask('GET', list)).status).toBe(200)
  },
)

socketTest.each(servers)(
  'what a handler passes through answers 501 from $name, and onNotFound is not told (over HTTP only: in-process it goes to the network)',
  async ({ serving }) => {
    const told: unknown[] = []
    const handler = http.get(own, () => passthrough())
    const onNotFound = () => void told.push('told')
    const client = await start({}, { ...serving, handlers: [handler], onNotFound })

    const answer = await client.send('GET', `${list}1/`)

    expect(answer.status).toBe(501)
    expect(Object.keys((await answer.json()) as object)).toEqual(['type', 'code', 'detail', 'attr'])
    expect(told).toEqual([])
    expect((await client.ask('GET', list)).status).toBe(200)
  },
)
