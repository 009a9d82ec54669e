import { HttpResponse, http, passthrough } from 'msw'
import { expect, test } from 'vitest'
import { crashed } from '../support/api/errors.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { serve } from '../support/transports/start.ts'

const pattern = `*${annotationsPath}:id/`

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

  expect(response).toEqual(crashed())
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
  expect(await response.json()).toEqual({
    type: 'invalid_request',
    code: 'not_found',
    detail: 'A handler passed the request through, and the server forwards no requests.',
    attr: null,
  })
  expect(calls).toBe(0)
  expect(client.simulator.journal.find()).toEqual([])
  expect((await client.ask('GET', annotationsPath)).status).toBe(200)
})

test('a thrown Response is sent, and two Set-Cookie headers stay separate', async () => {
  const headers = new Headers([
    ['set-cookie', 'a=1; Path=/'],
    ['set-cookie', 'b=2, 3'],
  ])
  const handler = http.get(pattern, () => {
    throw HttpResponse.json({ thrown: true }, { status: 418, headers })
  })
  const client = await serve({}, { handlers: [handler] })

  const response = await client.send('GET', `${annotationsPath}1/`)

  expect([response.status, await response.json()]).toEqual([418, { thrown: true }])
  expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2, 3'])
})
