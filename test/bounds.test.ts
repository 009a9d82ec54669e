import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { doorOf, meetingOf } from '../src/adapters/msw.ts'
import { controlHandlers } from '../src/control/index.ts'
import { createSimulator } from '../src/simulator.ts'
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

test('of who is refused by the control API no body is kept', () => {
  const handlers = controlHandlers(createSimulator(), {
    guard: { token: 'secret', isExposed: true },
    generate: async (world) => world,
    fixture: async () => null,
    report: () => {},
  })
  const replaceWorld = handlers.find(({ info }) => info.header === 'PUT */__admin/world')
  const limitFor = (authorization: string) => {
    const head = { url: 'http://a.test/__admin/world', headers: new Headers({ authorization }) }
    const door = replaceWorld && doorOf(replaceWorld)
    return door && meetingOf(door, 'PUT', head)?.bodyLimit
  }

  expect([limitFor('Bearer other'), limitFor('Bearer secret')]).toEqual([0, 536_870_912])
})

test('an onError that throws keeps nobody from an answer', async () => {
  const onError = () => {
    throw new Error('told in vain')
  }
  const { ask, simulator } = await start({ onError }, { onError })
  Object.defineProperty(simulator.clock, 'iso', {
    value: () => {
      throw new Error('broken inside')
    },
  })

  const written = await ask('POST', '/api/projects/1/annotations/', { body: {} })

  expect(written).toMatchObject({ status: 500, body: { code: 'error' } })
})

const unwritable = {
  [Symbol.for('understudy-api/endpoint')]: true,
  path: { match: () => ({ params: {}, suffix: undefined, sandbox: undefined }) },
  meet: () => ({
    params: {},
    bodyLimit: 10,
    answer: () => ({ status: 200, headers: { 'x-a': 'a\u0001' }, text: '', ascii: true }),
  }),
}

overHttp.each(['GET', 'POST'])(
  'an answer to %s that cannot be written is a 500, and the server goes on (over HTTP only: fetch writes nothing)',
  async (method) => {
    if (lane !== 'http') return
    const told: unknown[] = []
    const onError = (error: unknown) => void told.push(error)
    const { ask } = await start({}, { handlers: [unwritable as never], onError })
    const raw = method === 'POST' ? { raw: '{}' } : {}

    const answer = await ask(method, '/any', raw)

    expect(answer).toMatchObject({ status: 500, body: { type: 'server_error' } })
    expect(told).toHaveLength(1)
  },
)
