import { HttpResponse, http, passthrough, type RequestHandler } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { RequestFinding, TestOptions } from '../../../src/index.ts'
import { createSimulator } from '../../../src/index.ts'
import { answerPages, simulatorFixtures } from '../../../src/playwright.ts'
import { authorization, jsonHeaders } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'

// test/consumers/playwright tests them in a runner and a browser.
const [simulatorFixture] = simulatorFixtures.simulator
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())
const routed = { route: async () => {}, unroute: async () => {}, on: () => {}, off: () => {} }
const context = { ...routed, pages: () => [] }

type Run = Parameters<typeof simulatorFixture>[1]
const listProjects: Run = async (simulator) => {
  await simulator.fetch('/api/projects/', { headers: authorization() })
}

/** Runs a test with an outcome. Returns its attachments: names and bodies. */
async function attachedTo(
  outcome: { status?: string; expectedStatus: string },
  run = listProjects,
  simulatorOptions: TestOptions = {},
  mistakesOfWorker?: RequestFinding[],
): Promise<string[]> {
  const attached: string[] = []
  await simulatorFixture(
    { context, simulatorOptions, ...(mistakesOfWorker && { mistakesOfWorker }) },
    run,
    {
      ...outcome,
      titlePath: [],
      file: 'a.spec.ts',
      line: 1,
      attach: async (name, { body }) => void attached.push(name, body),
    },
  )
  return attached
}

test('a failed test prints its requests, and has them and its journal attached', async () => {
  const attached = await attachedTo({ status: 'failed', expectedStatus: 'passed' })
  const [name, text, har, body = '{}'] = attached

  expect([name, har]).toEqual(['understudy.txt', 'understudy.har'])
  expect(text).toBe(
    'Requests to the simulator, the latest last:\n  200 GET /api/projects/, key "all"',
  )
  expect(vi.mocked(console.error).mock.calls).toEqual([[text]])
  expect(JSON.parse(body).log.entries).toMatchObject([
    { request: { url: expect.stringContaining('/api/projects/') } },
  ])
})

test('the mistakes in tests that passed are printed when their worker ends, and fail a test that says so', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue()
  const outcome = { status: 'passed', expectedStatus: 'passed' }
  const erase: Run = async (simulator) => {
    const path = '/api/projects/1/annotations/1/'
    await simulator.fetch('/api/projects/', { headers: authorization() })
    await simulator.fetch(path, { method: 'DELETE', headers: authorization() })
  }

  const [mistakesOfWorker] = simulatorFixtures.mistakesOfWorker
  await mistakesOfWorker({}, async (group) => {
    await attachedTo(outcome, erase, {}, group)
    await attachedTo(outcome, erase, {}, group)
  })
  const failed = attachedTo(outcome, erase, { mistakes: 'fail' })

  await expect(failed).rejects.toThrow(/^Client mistakes:\n {2}swallowed-delete: /)
  expect(warned.mock.calls.map(([text]) => String(text).split('\n').slice(0, 2))).toEqual([
    [
      'Client mistakes:',
      '  swallowed-delete, 2 times in "a.spec.ts:1": Annotation 1 was not deleted, and the client has not deleted it with PATCH so far.',
    ],
  ])
})

test('a test with the expected outcome prints nothing, and has no attachment', async () => {
  expect(await attachedTo({ status: 'passed', expectedStatus: 'passed' })).toEqual([])
  expect(await attachedTo({ status: 'failed', expectedStatus: 'failed' })).toEqual([])
  expect(console.error).not.toHaveBeenCalled()
})

const failed = { status: 'failed', expectedStatus: 'passed' }

test('own handlers are an option, and one that throws is named', async () => {
  const flags = 'https://flags.example.com/'
  const answered: unknown[] = []
  const options = {
    handlers: [
      http.get(flags, () => HttpResponse.json('on')),
      http.post(flags, () => {
        throw new Error('mine')
      }),
    ],
  }

  const [, text] = await attachedTo(
    failed,
    async (simulator) => {
      answered.push(await (await simulator.fetch(flags)).json())
      answered.push(
        await simulator.fetch(flags, { method: 'POST' }).catch(({ message }) => message),
      )
    },
    options,
  )

  expect(answered).toEqual(['on', 'mine'])
  expect(text).toMatch(
    /^The journal has no requests\.\nIf the client sent some to paths of the API, .*\nYour handler POST https:\/\/flags\.example\.com\/ threw Error: mine\.$/,
  )
})

/** A page that sends a request again and again, such as a POST with a body. */
async function openPage(
  handlers: readonly RequestHandler[],
  { path = '/a', body = '', onFulfill = async () => {}, sender = {} } = {},
) {
  const fulfilled: Parameters<PageRoute['fulfill']>[0][] = []
  const fulfill: PageRoute['fulfill'] = async (response) => {
    fulfilled.push(response)
    await onFulfill()
  }
  const answers: ((route: PageRoute) => Promise<void>)[] = []
  const pages = {
    ...context,
    route: async (_url: RegExp, answer: never) => void answers.push(answer),
  }
  const request = {
    ...{ url: () => `http://localhost${path}`, method: () => (body ? 'POST' : 'GET') },
    allHeaders: async () => ({ ...jsonHeaders(), ':authority': 'localhost' }),
    ...{ isNavigationRequest: () => false },
    postDataBuffer: () => (body ? Buffer.from(body) : null),
    ...{ serviceWorker: () => null, frame: () => ({ url: () => '' }), ...sender },
  }
  const fallback = vi.fn()
  const route = { request: () => request, fulfill, abort: async () => {}, fallback }
  const stop = await answerPages(pages, handlers)
  return { send: () => answers[0]?.(route), stop, fulfilled, fallback }
}

function answerWith(headers: Record<string, string> = {}) {
  return http.get('http://localhost/a', () => HttpResponse.json('a', { headers }))
}

const at = (url: string) => () => ({ url: () => url })
const elsewhere = { frame: at('https://app.example.com/') }

test.each([
  ['its page', { frame: at('http://localhost/page') }],
  ['its worker', { ...elsewhere, serviceWorker: at('http://localhost/worker.js') }],
  ['itself, if it opens a page', { ...elsewhere, isNavigationRequest: () => true }],
])('a handler of a path matches a request on the origin of %s', async (_, sender) => {
  const page = await openPage([http.get('/a', () => HttpResponse.json('a'))], { sender })

  await page.send()

  expect(page.fulfilled).toHaveLength(1)
})

test('a double click is told, and two creates one after the other are not', async () => {
  const simulator = createSimulator()
  const body = '{"content":"Launch"}'
  const whileSent: (() => Promise<void> | undefined)[] = []
  const onFulfill = async () => whileSent.pop()?.()
  const page = await openPage(simulator.handlers, { path: annotationsPath, body, onFulfill })
  await page.send()
  await page.send()
  const inOrder = simulator.journal.mistakes()
  simulator.reset()

  // The response to the first one has not reached the page.
  whileSent.push(page.send)
  await page.send()

  expect(inOrder).toEqual([])
  expect(simulator.journal.mistakes()).toMatchObject([{ rule: 'duplicate-row', times: 1 }])
})

test('a request that is in flight when its test ends fails nothing', async () => {
  const onFulfill = async () => {
    throw new Error('route.fulfill: Route is already handled!')
  }
  const { send, stop } = await openPage([answerWith()], { onFulfill })

  await expect(send()).rejects.toThrow('route.fulfill: Route is already handled!')
  const late = send()
  await stop()

  await expect(late).resolves.toBe(undefined)
})

test('what no handler answers, or one passes through, goes on, and what is no handler is refused', async () => {
  const passing = http.get('http://localhost/a', () => passthrough())
  const pages = [await openPage([]), await openPage([passing])]

  for (const { send } of pages) await send()

  expect(pages.map(({ fallback }) => fallback.mock.calls.length)).toEqual([1, 1])
  await expect(openPage(['/a'] as never)).rejects.toThrow(/^Failed to answer pages: /)
})

test('a handler that throws is a 500', async () => {
  const throwing = http.get('http://localhost/a', () => {
    throw new Error('boom')
  })

  const { send, fulfilled } = await openPage([throwing])
  await send()

  expect(fulfilled).toMatchObject([{ status: 500 }])
  expect(fulfilled[0]?.body.toString()).toMatch(/"message":"boom"/)
  expect(vi.mocked(console.error).mock.calls).toEqual([[new Error('boom')]])
})

test('a handler can say itself which headers a page of another origin reads', async () => {
  const exposed = { 'access-control-expose-headers': 'x-total' }

  const pages = [await openPage([answerWith()]), await openPage([answerWith(exposed)])]
  for (const { send } of pages) await send()

  const fulfilled = pages.flatMap((page) => page.fulfilled)
  expect(fulfilled.map(({ headers }) => headers['access-control-expose-headers'])).toEqual([
    'allow,location,retry-after,understudy-nearest,www-authenticate',
    'x-total',
  ])
})

type PageRoute = Parameters<Parameters<Parameters<typeof answerPages>[0]['route']>[1]>[0]
