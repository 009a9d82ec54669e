import { getResponse, HttpResponse, http } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { followAborts } from '../../../../src/integrations/browser/follow-aborts.ts'

const url = 'http://localhost/api/projects/'

class Xhr extends EventTarget {
  open(): void {}
  send(): void {}
}

/** A page whose requests go to handlers, as by MSW's worker. Returns whether each request had a signal that aborts. */
function startPage() {
  const network = vi.fn<typeof fetch>(async (input, init) => {
    init?.signal?.throwIfAborted()
    const request = new Request(input, { ...init, signal: null })
    return (await getResponse([aborts.handler, answer], request)) as Response
  })
  const answer = http.all('*', ({ request }) => HttpResponse.json(request.signal.aborted))
  vi.stubGlobal('location', new URL('http://localhost/'))
  vi.stubGlobal('XMLHttpRequest', Xhr)
  vi.stubGlobal('fetch', network)
  const aborts = followAborts()
  onTestFinished(() => {
    aborts.stop()
    vi.unstubAllGlobals()
  })
  return { network, aborts }
}

const isAborted = async (init?: RequestInit) => (await fetch(url, init)).json()

test('a request gets its own signal, and none of one that was never sent', async () => {
  startPage()

  const never = await fetch(url, { signal: AbortSignal.abort() }).catch((error) => error.name)
  const next = await isAborted()

  expect([never, next]).toEqual(['AbortError', false])
})

test('a request that reached no handler leaves nothing to the next one', async () => {
  const { network } = startPage()
  const client = new AbortController()
  network.mockImplementationOnce(async () => new Response())
  await fetch(url, { signal: client.signal })
  client.abort()

  expect(await isAborted()).toBe(false)
})

test('a handler sees that the page gives a request up', async () => {
  const { network } = startPage()
  const client = new AbortController()
  network.mockImplementationOnce((input, init) => {
    client.abort()
    return network(input, { ...init, signal: null })
  })

  expect(await isAborted({ signal: client.signal })).toBe(true)
})

test.each(['abort', 'timeout', 'error'])(
  'a handler sees that an XMLHttpRequest is given up: %s',
  async (event) => {
    startPage()
    const request = new XMLHttpRequest()
    request.open('GET', url)
    request.send()
    request.dispatchEvent(new Event(event))

    expect(await isAborted()).toBe(event !== 'error')
  },
)

test('stop leaves what others have replaced since', () => {
  const { network, aborts } = startPage()
  const { open } = Xhr.prototype
  const other = () => {}
  Xhr.prototype.send = other

  aborts.stop()

  expect(globalThis.fetch).toBe(network)
  expect([Xhr.prototype.send, Xhr.prototype.open === open]).toEqual([other, false])
})
