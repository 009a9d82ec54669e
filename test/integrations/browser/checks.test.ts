import { getResponse } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { followAborts } from '../../../src/integrations/browser/follow-aborts.ts'
import { claimPage, startPage } from '../../../src/integrations/browser/page-simulator.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'

test('a released page can be claimed again', () => {
  const release = claimPage()
  release()
  onTestFinished(claimPage())

  expect(claimPage).toThrow(
    'Failed to start in the browser: a simulator already runs on this page. Use that one, or call its stop() first, as in import.meta.hot.dispose(stop) of a module that is replaced while the page runs.',
  )
})

test('a browser without storage is refused', async () => {
  stubPage('http://localhost/')
  vi.stubGlobal('sessionStorage', null)

  await expect(startPage({}, vi.fn())).rejects.toThrow(
    "Failed to start in the browser: this page cannot use sessionStorage (it does not exist). Allow this site to store data in the settings of the browser, or pass persist: 'none' to start with a new world after each reload.",
  )
})

test('a request of XMLHttpRequest whose time is over is given up', async () => {
  const url = 'http://localhost/api/projects/'
  stubPage(url)
  const { handler, stop } = followAborts()
  const client = new XMLHttpRequest()
  client.open('get', url)
  client.send()
  const request = new Request(url)
  await handler.run({ request, requestId: '1' })

  client.dispatchEvent(new Event('timeout'))
  stop()

  expect(request.signal.aborted).toBe(true)
})

test('a request of fetch is given up by its signal, and one that has ended is forgotten', async () => {
  const url = 'http://localhost/api/projects/'
  stubPage(url)
  const pending = new Promise(() => {})
  vi.stubGlobal('fetch', vi.fn().mockResolvedValueOnce(new Response()).mockReturnValue(pending))
  const { handler, stop } = followAborts()
  const client = new AbortController()
  await fetch(url)
  void fetch(new Request(url, { signal: client.signal }))
  const request = new Request(url)
  await handler.run({ request, requestId: '1' })

  client.abort()
  stop()

  expect(request.signal.aborted).toBe(true)
})

test('the worker has the options, and is reminded of the page until it stops', async () => {
  const { page, postMessage } = stubPage('http://localhost/')
  const worker = { start: vi.fn(), stop: vi.fn() }
  const getItem = vi.fn().mockReturnValue(null)
  vi.stubGlobal('sessionStorage', { getItem })
  const given = { key: 'mine', workerUrl: '/app/worker.js', scope: '/app/' } as const
  const options = { ...given, quiet: true, mistakes: 'off' } as const

  const { stop } = await startPage(options, () => worker as never)
  page.dispatchEvent(new Event('visibilitychange'))
  stop()
  page.dispatchEvent(new Event('visibilitychange'))

  expect(getItem).toHaveBeenCalledWith('mine')
  const serviceWorker = { url: '/app/worker.js', options: { scope: '/app/' } }
  expect(worker.start).toHaveBeenCalledWith(expect.objectContaining({ serviceWorker, quiet: true }))
  expect([postMessage.mock.calls, worker.stop.mock.calls]).toEqual([[['MOCK_ACTIVATE']], [[]]])
})

test('the console says how a page gets a key at its first unknown key, and not for an injected 401', async () => {
  stubPage('http://localhost/')
  const [info, warn] = [vi.spyOn(console, 'info'), vi.spyOn(console, 'warn')]
  for (const printed of [info, warn]) printed.mockReturnValue()
  const options = { persist: 'none', mistakes: 'off' } as const
  const { simulator, stop } = await startPage(options, () => ({ start() {}, stop() {} }) as never)
  onTestFinished(stop)
  simulator.faults.add({ effect: { status: 401 }, when: { times: 1 } })

  const request = () => new Request('http://localhost/api/projects/1/annotations/')
  await getResponse(simulator.handlers, request())
  await expect.poll(() => warn.mock.calls.length).toBe(1)
  const toldAtFault = info.mock.calls.length
  await getResponse(simulator.handlers, request())
  simulator.sandboxes.create()
  const inSandbox = 'http://localhost/__sandbox/sandbox-1/api/projects/'
  await getResponse(simulator.handlers, new Request(inSandbox))
  await expect.poll(() => warn.mock.calls.length).toBe(3)

  const cure =
    '[Understudy] simulator.keys.list() has the keys of the world, and simulator.keys.issue({ value: … }) accepts the key of your page.'
  expect([toldAtFault, info.mock.calls]).toEqual([0, [[cure]]])
})

test('a mistake of a page is a warning, and a note a line, unless mistakes are off', async () => {
  stubPage('http://localhost/')
  const [info, warn] = [vi.spyOn(console, 'info'), vi.spyOn(console, 'warn')]
  for (const printed of [info, warn]) printed.mockReturnValue()
  const [options, worker] = [{ persist: 'none', quiet: true } as const, { start() {}, stop() {} }]
  const headers = authorization()

  for (const more of [{ mistakes: 'off' } as const, {}]) {
    const { simulator, stop } = await startPage({ ...options, ...more }, () => worker as never)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', '1/'],
      ['PUT', '2/'],
    ] as const) {
      const url = `http://localhost${annotationsPath}${path}`
      await getResponse(simulator.handlers, new Request(url, { method, headers }))
    }
    stop()
  }
  await expect.poll(() => info.mock.calls.length).toBeGreaterThan(0)

  expect([warn.mock.calls, info.mock.calls]).toEqual([
    [
      [
        expect.stringMatching(
          /\] swallowed-delete: Annotation 1 .* Send PATCH .* \(entry 2: 405 DELETE /,
        ),
      ],
    ],
    [
      [
        expect.stringMatching(
          /\] note unhandled-refusal: PUT was refused, .* Look at .* \(entry 3: 405 PUT /,
        ),
      ],
    ],
  ])
})

function stubPage(href: string) {
  const page = new EventTarget()
  const postMessage = vi.fn()
  const controller = { scriptURL: `${href}mockServiceWorker.js`, postMessage }
  const serviceWorker = Object.assign(new EventTarget(), { controller })
  const PageRequest = class extends EventTarget {}
  Object.assign(PageRequest.prototype, { open() {}, send() {} })
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('XMLHttpRequest', PageRequest)
  vi.stubGlobal('location', { href })
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  return { page, postMessage }
}
