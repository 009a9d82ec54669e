import { HttpResponse, http } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lane, overHttp, servers, start } from './support/start.ts'

const tooLarge = {
  type: 'invalid_request',
  code: 'request_too_large',
  detail: 'Request body is too large.',
  attr: null,
}

test('a path of any length is not found at once', async () => {
  const { ask } = await start()

  const { status } = await ask('GET', `/api/projects/${'a'.repeat(15_000)}/${'b/'.repeat(200)}foo`)

  expect(status).toBe(404)
})

overHttp.each(servers)(
  'a body for a handler of mine has a limit, and so has one for nobody, from $name (over HTTP only: listen has it)',
  async ({ serving }) => {
    const mine = http.post('*/mine', async ({ request }) => HttpResponse.text(await request.text()))
    const { ask } = await start({}, { ...serving, handlers: [mine], bodyLimit: 10 })

    const kept = await ask('POST', '/mine', { raw: '0123456789' })
    const mineTooLarge = await ask('POST', '/mine', { raw: '0123456789a' })
    const nobodys = await ask('POST', '/nobody', { raw: '0123456789a' })

    expect(kept).toEqual({ status: 200, body: '0123456789' })
    expect(mineTooLarge).toEqual({ status: 413, body: tooLarge })
    expect(nobodys).toEqual({ status: 413, body: tooLarge })
  },
)

test('an onError that throws keeps nobody from an answer', async () => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => spy.mockRestore())
  const inVain = new Error('told in vain')
  const onError = () => {
    throw inVain
  }
  const { ask, simulator } = await start({ onError }, { onError })
  Object.defineProperty(simulator.clock, 'iso', {
    value: () => {
      throw new Error('broken inside')
    },
  })

  const written = await ask('POST', '/api/projects/1/annotations/', { body: {} })

  expect(written).toMatchObject({ status: 500, body: { code: 'error' } })
  expect(spy.mock.calls).toEqual([[inVain]])
})

const badHeader = { 'x-a': 'a\u0001' }
/** An answer that Node refuses to write, of a handler of mine and of an endpoint. */
const unwritable = [
  {
    of: 'a handler of mine',
    handler: http.all('*/any', () => new Response('', { headers: badHeader })),
  },
  {
    of: 'an endpoint',
    handler: {
      [Symbol.for('understudy-api/handler')]: {
        match: (_method: string, url: string) =>
          url.endsWith('/any')
            ? {
                params: {},
                bodyLimit: 10,
                handle: () => ({ status: 200, headers: badHeader, text: '', ascii: true }),
              }
            : null,
      },
    } as never,
  },
].filter(({ of }) => of === 'a handler of mine' || lane === 'http')

overHttp.each(unwritable.flatMap((one) => ['GET', 'POST'].map((method) => ({ ...one, method }))))(
  'an answer of $of to $method that cannot be written is a 500, and the server goes on (over HTTP only: fetch writes nothing)',
  async ({ handler, method }) => {
    const told: unknown[] = []
    const onError = (error: unknown) => void told.push(error)
    const { ask } = await start({}, { handlers: [handler], onError })
    const raw = method === 'POST' ? { raw: '{}' } : {}

    const answer = await ask(method, '/any', raw)

    expect(answer).toMatchObject({ status: 500, body: { type: 'server_error' } })
    expect(told).toHaveLength(1)
    expect(await ask('GET', '/api/projects/')).toMatchObject({ status: 200 })
  },
)
