// Which simulator a request reaches, by the code that sends it. test/consumers/doors has more clients, environments and versions.
import { AsyncResource } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import * as http from 'node:http'
import httpDefault, { get, request } from 'node:http'
import httpsDefault, * as https from 'node:https'
import { createRequire } from 'node:module'
import { http as mswHttp, passthrough } from 'msw'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { withSimulator } from '../../../src/node.ts'
import type { Simulator } from '../../../src/simulator/simulator.ts'
import { createDeferred } from '../../support/deferred.ts'
import { startHttpServer } from '../../support/http-server.ts'

const target = 'app.example.com/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all' }
const inCommonJs = createRequire(import.meta.url)('node:http')
const kept = { get: inCommonJs.get, fetch }

type Get = typeof get

/** @returns the status, or the message of the error */
function send(by: Get, scheme = 'http'): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    by(`${scheme}://${target}`, { headers }, ({ statusCode }) => resolve(statusCode))
      .on('error', ({ message }) => resolve(message))
      .end()
  })
}

let printed = vi.spyOn(console, 'error')
beforeEach(() => {
  printed = vi.spyOn(console, 'error').mockReturnValue()
})

test.for<[string, () => Get, 'https'?]>([
  ['import http', () => httpDefault.get],
  ['import * as http', () => http.get],
  ['import { get }', () => get],
  ['import { request }', () => request],
  ['require', () => inCommonJs.get],
  ['import https', () => httpsDefault.get, 'https'],
  ['import * as https', () => https.get, 'https'],
])(
  '%s of Node is answered, and is Node itself afterwards',
  async ([, find, scheme], { expect }) => {
    const before = find()

    expect(await withSimulator(() => send(find(), scheme))).toBe(200)

    expect(find()).toBe(before)
  },
)

test('code outside, such as a server in this process, reaches the simulator of the only function that runs', async () => {
  const outside = new AsyncResource('outside')

  await withSimulator({ world: 'empty' }, () =>
    withSimulator(async ({ simulator }) => {
      const response = await outside.runInAsyncScope(() => fetch(`https://${target}`, { headers }))
      expect((await response.json()).count).toBe(6)
      expect(await outside.runInAsyncScope(() => send(httpDefault.get))).toBe(200)
      expect(simulator.journal.find()).toHaveLength(2)
    }),
  )
})

test('code outside is refused while several functions run', async () => {
  const outside = new AsyncResource('outside')
  const [begun, refused] = [createDeferred(), createDeferred()]

  const both = await Promise.allSettled([
    withSimulator(async () => {
      await begun.promise
      await outside.runInAsyncScope(() => fetch(`https://${target}?key=1`)).finally(refused.resolve)
    }),
    withSimulator(() => {
      begun.resolve()
      return refused.promise
    }),
  ])

  expect(both.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(printed.mock.calls[0]).toEqual([
    `GET https://${target} fails: 2 tests run at the same time, and none of them sent it, so the simulator that it belongs to is not known. Send it in a test, or run these tests one after the other.`,
  ])
})

test('a fetch that a client kept when it was made is answered, and lets through what others answer', async () => {
  const local = await startHttpServer((_, response) => response.end('mine'))
  const mine = async () => (await kept.fetch(local, { method: 'POST', body: '{}' })).text()

  const [count, during] = await withSimulator(async ({ simulator }) => {
    await kept.fetch(`https://${target}`, { headers })
    await kept.fetch(new Request(`https://${target}`, { headers }))
    return [simulator.journal.find({ status: 200 }).length, await mine()]
  })

  expect([count, during, await mine()]).toEqual([2, 'mine', 'mine'])
})

test('a fetch that others have wrapped, and that copies each request, lets it through once', async () => {
  const local = await startHttpServer((_, response) => response.end('mine'))
  const { fetch: wrapped } = globalThis
  vi.stubGlobal('fetch', (...args: Parameters<typeof fetch>) => wrapped(new Request(...args)))
  onTestFinished(() => void vi.unstubAllGlobals())

  const texts = await withSimulator(async () =>
    Promise.all([fetch, kept.fetch].map(async (send) => (await send(local)).text())),
  )

  expect(texts).toEqual(['mine', 'mine'])
})

const failure = ({ cause }: Error) => (cause as Error).message
test.for<[string, (tested: { simulator: Simulator }) => Promise<unknown>]>([
  ['of a kept get', () => send(kept.get)],
  [
    'that a handler lets through',
    ({ simulator }) => {
      simulator.use(mswHttp.get(`http://${target}`, passthrough))
      return fetch(`http://${target}`).catch(failure)
    },
  ],
])('a request that MSW does not answer is refused: %s', async ([, sendBy]) => {
  const message = await withSimulator(sendBy)

  expect(message).toBe(
    `GET http://${target} was refused. MSW did not answer it: a handler let it through, or its client is the package undici, or keeps a function that it found too early. For fetch, import this package before the client, in Vitest by setupFiles: ['understudy-api/vitest'], or give the client one that looks up the present one, as by createClient({ fetch: (...args) => fetch(...args) }). For others, use a server: the fixture \`server\`, \`listen(simulator)\`, or \`exec\`.`,
  )
  expect(printed.mock.calls).toEqual([[message]])
})

test('what a function sends last is answered without its hold', async () => {
  const sent = await withSimulator(({ simulator }) => {
    simulator.faults.add({ effect: { hold: true } })
    simulator.faults.add({ operation: 'listProjects', effect: { delay_ms: 30_000 } })
    const projects = fetch('https://app.example.com/api/projects/', { headers })
    return [fetch(`https://${target}`, { headers }), projects, send(httpDefault.get)] as const
  })

  const [list, projects, status] = await Promise.all(sent)
  expect([list.status, projects.status, status]).toEqual([200, 200, 200])
})

test('what the code of a function sends after its end is refused, and never leaves this machine', async () => {
  const ended = createDeferred()
  const late = await withSimulator(() => [
    ended.promise.then(() => fetch(`https://${target}?key=1`, { headers })),
    ended.promise.then(() => send(httpDefault.get)),
  ])
  ended.resolve()

  const message = `GET http://${target} was refused. The function had ended when its code sent it. Await it before the end, or abort it.`
  const [byFetch, byHttp] = await Promise.allSettled(late)
  expect(byFetch).toMatchObject({ reason: { cause: { message: message.replace(':', 's:') } } })
  expect(byHttp).toEqual({ status: 'fulfilled', value: message })
  expect(printed.mock.calls.flat().sort()).toEqual([message, message.replace(':', 's:')])
})

test('what a function sends after its end is refused beside another one, and on this machine, too', async () => {
  const [ended, sent] = [createDeferred(), createDeferred()]
  const local = await startHttpServer((_, response) => response.end('mine'))
  const late = await withSimulator(({ simulator }) => {
    simulator.name = 'a list'
    const statusOf = (url: string) =>
      ended.promise.then(() => fetch(url, { headers })).then(({ status }) => status)
    const all = [`https://${target}`, `${local}/api/projects/`, `${local}/other`].map(statusOf)
    return [Promise.allSettled(all).finally(sent.resolve)]
  })

  const seen = await withSimulator(async ({ simulator }) => {
    ended.resolve()
    await sent.promise
    return simulator.journal.find()
  })

  const [results] = await Promise.all(late)
  expect(results).toMatchObject([
    { reason: { cause: { message: expect.stringMatching(/^GET https:.* "a list" had ended/) } } },
    { reason: { cause: { message: expect.stringMatching(/^GET http:.* had ended when/) } } },
    { value: 200 },
  ])
  expect(seen).toEqual([])
})

test('after the last function, requests of its code to the API on this machine are refused', async () => {
  const reached = vi.fn()
  const local = await startHttpServer(({ url }, response) => {
    reached(url)
    response.end()
  })
  const ended = createDeferred()
  const late = await withSimulator(() => [
    ended.promise.then(() => fetch(`${local}/api/projects/`)),
    ended.promise.then(() => fetch(`${local}/other`)),
  ])
  ended.resolve()

  const results = await Promise.allSettled(late)

  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(reached.mock.calls).toEqual([['/other']])
})

test.each(['onError', 'onResponseError'])(
  'a request of undici is refused by its %s',
  async (name) => {
    const request = { method: 'GET', origin: 'https://app.example.com', path: '/api/projects/' }
    const refuse = vi.fn()

    await withSimulator(() =>
      channel('undici:request:create').publish({ request: { ...request, [name]: refuse } }),
    )

    const [[error] = []] = refuse.mock.calls
    expect(error.message).toMatch(/^GET https:\/\/app\.example\.com\/api\/projects\/ was refused\./)
  },
)

test('a request of an undici that cannot be refused is named, and nothing is thrown', async () => {
  const request = { method: 'GET', origin: 'https://app.example.com', path: '/api/projects/' }

  await withSimulator(() => channel('undici:request:create').publish({ request }))

  expect(printed.mock.calls.flat()).toEqual([
    expect.stringContaining('was refused'),
    'Failed to refuse GET https://app.example.com/api/projects/, which leaves this machine.',
    new TypeError('This version of undici has no way to refuse a request.'),
  ])
})
