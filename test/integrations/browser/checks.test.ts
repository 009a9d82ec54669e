import { expect, onTestFinished, test, vi } from 'vitest'
import { followAborts } from '../../../src/integrations/browser/follow-aborts.ts'
import {
  claimPage,
  persistWorld,
  startPage,
} from '../../../src/integrations/browser/page-simulator.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'

test('a released page can be claimed again', () => {
  const page = {}

  const release = claimPage(page)
  release()
  claimPage(page)

  expect(() => claimPage(page)).toThrow(
    'Failed to start in the browser: a simulator already runs on this page. Use that one, or call its stop() first, as in import.meta.hot.dispose(stop) of a module that is replaced while the page runs.',
  )
})

const options = { key: 'understudy', onError: vi.fn() }

test('a browser without storage is refused', () => {
  const page = { sessionStorage: null } as never

  expect(() => persistWorld(createSimulator(), 'tab', options, page)).toThrow(
    "Failed to start in the browser: this page cannot use sessionStorage (it does not exist). Allow this site to store data in the settings of the browser, or pass persist: 'none' to start with a new world after each reload.",
  )
})

test('a request of XMLHttpRequest whose time is over is given up', async () => {
  const url = 'http://localhost/api/projects/'
  stubPage(url)
  const { handler, stop } = followAborts()
  const client = new XMLHttpRequest()
  client.open('GET', url)
  client.send()
  const request = new Request(url)
  await handler.run({ request, requestId: '1' })

  client.dispatchEvent(new Event('timeout'))
  stop()

  expect(request.signal.aborted).toBe(true)
})

test('the worker has the file and the scope of the options', async () => {
  stubPage('http://localhost/')
  const start = vi.fn().mockRejectedValue(new Error('No worker'))
  const options = { persist: 'none', workerUrl: '/app/worker.js', scope: '/app/' } as const

  await expect(startPage(options, () => ({ start }) as never)).rejects.toThrow('No worker')

  const serviceWorker = { url: '/app/worker.js', options: { scope: '/app/' } }
  expect(start).toHaveBeenCalledWith(expect.objectContaining({ serviceWorker }))
})

function stubPage(href: string): void {
  const PageRequest = class extends EventTarget {}
  Object.assign(PageRequest.prototype, { open() {}, send() {} })
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('XMLHttpRequest', PageRequest)
  vi.stubGlobal('location', { href })
}
