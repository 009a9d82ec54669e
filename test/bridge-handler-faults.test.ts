import { HttpResponse, http, passthrough } from 'msw'
import { expect, test } from 'vitest'
import { overHttp, servers, start } from './support/start.ts'

const list = '/api/projects/1/annotations/'
const own = `*${list}:id/`

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

overHttp.each(servers)(
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

overHttp.each(servers)(
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
