import { HttpResponse, http, passthrough } from 'msw'
import { expect, test } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { serve } from '../support/transports/start.ts'

const pattern = `*${annotationsPath}:id/`

test('a custom handler in front responds to its own requests only', async () => {
  const handler = http.get(pattern, ({ params }) => HttpResponse.json({ mine: params.id }))
  const { ask } = await serve({}, { handlers: [handler] })

  expect(await ask('GET', `${annotationsPath}7/`)).toEqual({ status: 200, body: { mine: '7' } })
  expect(await ask('PATCH', `${annotationsPath}1/`, { body: {} })).toMatchObject({
    status: 200,
    body: { id: 1 },
  })
  expect((await ask('GET', annotationsPath)).status).toBe(200)
})

test('a custom handler gets the whole request: method, headers, query and body', async () => {
  const handler = http.post('*/api/echo', async ({ request }) =>
    HttpResponse.json({
      query: new URL(request.url).search,
      header: request.headers.get('x-mine'),
      body: await request.json(),
    }),
  )
  const { ask } = await serve({}, { handlers: [handler] })

  const response = await ask('POST', '/api/echo?a=1&b=%20', {
    body: { ä: ['🦔'] },
    headers: { 'x-mine': 'yes' },
  })

  expect(response).toEqual({
    status: 200,
    body: { query: '?a=1&b=%20', header: 'yes', body: { ä: ['🦔'] } },
  })
})

test('a custom handler without a response leaves the request intact', async () => {
  const seen: unknown[] = []
  const handler = http.post(`*${annotationsPath}`, async ({ request }) => {
    seen.push(await request.clone().json())
  })
  const { ask } = await serve({}, { handlers: [handler] })

  const response = await ask('POST', annotationsPath, { body: { content: 'Seen' } })

  expect(response).toMatchObject({ status: 201, body: { content: 'Seen' } })
  expect(seen).toEqual([{ content: 'Seen' }])
})

test('{ once: true } applies to one request', async () => {
  const handler = http.get(pattern, () => new HttpResponse(null, { status: 503 }), { once: true })
  const { ask } = await serve({}, { handlers: [handler] })

  const statuses = []
  for (let count = 0; count < 3; count++)
    statuses.push((await ask('GET', `${annotationsPath}1/`)).status)

  expect(statuses).toEqual([503, 200, 200])
})

test('two Set-Cookie headers stay separate', async () => {
  const handler = http.get(pattern, () => {
    const headers = new Headers([
      ['set-cookie', 'a=1; Path=/'],
      ['set-cookie', 'b=2, 3'],
    ])
    return new HttpResponse('ok', { headers })
  })
  const client = await serve({}, { handlers: [handler] })

  const response = await client.send('GET', `${annotationsPath}1/`)

  expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2, 3'])
})

test('a thrown Response is sent', async () => {
  const handler = http.get(pattern, () => {
    throw HttpResponse.json({ thrown: true }, { status: 418, headers: { 'x-mine': 'yes' } })
  })
  const client = await serve({}, { handlers: [handler] })

  const response = await client.send('GET', `${annotationsPath}1/`)

  expect(response.status).toBe(418)
  expect(response.headers.get('x-mine')).toBe('yes')
  expect(await response.json()).toEqual({ thrown: true })
})

// In-process, MSW responds.
test('a handler that throws gives a 500, and only onError gets the stack', async () => {
  const errors: unknown[] = []
  const broken = new Error('a secret of mine')
  const handler = http.get(pattern, () => {
    throw broken
  })
  const { ask } = await serve(
    {},
    { handlers: [handler], onError: (error) => void errors.push(error) },
  )

  const response = await ask('GET', `${annotationsPath}1/`)

  expect(response).toEqual({
    status: 500,
    body: {
      type: 'server_error',
      code: 'error',
      detail: 'A server error occurred.',
      attr: null,
    },
  })
  expect(errors).toEqual([broken])
  expect((await ask('GET', annotationsPath)).status).toBe(200)
})

// In-process, the request goes to the network.
test('a passed-through request gives a 501, without a call of onNotFound', async () => {
  let calls = 0
  const handler = http.get(pattern, () => passthrough())
  const onNotFound = () => {
    calls += 1
  }
  const client = await serve({}, { handlers: [handler], onNotFound })

  const response = await client.send('GET', `${annotationsPath}1/`)

  expect(response.status).toBe(501)
  expect(Object.keys((await response.json()) as object)).toEqual(['type', 'code', 'detail', 'attr'])
  expect(calls).toBe(0)
  expect((await client.ask('GET', annotationsPath)).status).toBe(200)
})
