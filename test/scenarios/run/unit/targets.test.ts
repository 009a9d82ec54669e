import { expect, test, vi } from 'vitest'
import type { Exchange } from '../../../../src/http/exchange.ts'
import {
  checkTargetUrl,
  createHttpTarget,
  observeTarget,
  type ReceivedResponse,
  type SentRequest,
  type Target,
  UnreachableError,
} from '../../../../src/scenarios/run/target.ts'
import { UsageError } from '../../../../src/utils/usage-error.ts'
import { startService } from '../../../support/scenarios/http-service.ts'

const get = (url: string, path = '/'): SentRequest => ({
  method: 'GET',
  url: `${url}${path}`,
  headers: {},
})

test('a connection can break before the response, and within its body', async () => {
  const before = await startService((response) => response.destroy())
  const within = await startService((response) => {
    response.writeHead(200, { 'content-length': 100, 'x-mark': 'seen' })
    response.write('{"id"', () => response.destroy())
  })

  const first = await createHttpTarget(before.url, {}).send(get(before.url))
  const second = await createHttpTarget(within.url, {}).send(get(within.url))

  expect(first).toEqual({ status: 0, headers: new Headers(), text: '', broken: true })
  expect(second).toEqual({ status: 200, headers: expect.any(Headers), text: '', broken: true })
  expect(second.headers.get('x-mark')).toBe('seen')
})

test('a body that is no text is received as base64, and U+FFFD is a text', async () => {
  const { url } = await startService((response) => response.end(Uint8Array.of(0x61, 0xff)))
  const other = await startService((response) => response.end('\uFFFD'))

  const binary = await createHttpTarget(url, {}).send(get(url))
  const text = await createHttpTarget(other.url, {}).send(get(other.url))

  expect(binary).toMatchObject({ text: 'a\uFFFD', base64: 'Yf8=' })
  expect([text.text, 'base64' in text]).toEqual(['\uFFFD', false])
})

test('a server that does not respond within a minute is named', async () => {
  const { url } = await startService(() => {})
  const target = createHttpTarget(url, {})
  const limits: number[] = []
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    limits.push(milliseconds)
    return AbortSignal.abort(new DOMException('Too late', 'TimeoutError'))
  })

  const [error] = await Promise.allSettled([target.send(get(url))])
  const [other] = await Promise.allSettled([target.send(get(url), new AbortController().signal)])
  timeout.mockRestore()

  const reason = new UnreachableError(
    `Failed to reach ${url}: expected a running server, got no response within a minute. Check the address.`,
  )
  expect([error, other]).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ])
  expect(limits).toEqual([60_000, 60_000])
})

test('an address that cannot be reached is named', async () => {
  const target = createHttpTarget('http://127.0.0.1:1/base//', {})

  expect(target.baseUrl).toBe('http://127.0.0.1:1/base')
  await expect(target.send(get(target.baseUrl))).rejects.toThrow(
    new UnreachableError(
      'Browsers and fetch refuse the port of http://127.0.0.1:1. Start the server on another port.',
    ),
  )
})

test('a target at an address has only keys, and shows nothing of its world', async () => {
  const both = createHttpTarget('http://localhost', { keys: { mine: 'phx_1' }, key: 'phx_2' })
  const named = createHttpTarget('http://localhost', { keys: { mine: 'phx_1' } })

  expect([both.key('mine'), both.key('all'), both.key('toString')]).toEqual([
    'phx_1',
    'phx_2',
    'phx_2',
  ])
  expect([named.key('mine'), named.key('toString')]).toEqual(['phx_1', undefined])
  expect([both.labels(), named.labels()]).toEqual([null, ['mine']])
  expect(createHttpTarget('http://localhost', {}).labels()).toEqual([])
  expect([await named.latest(), await named.settings()]).toEqual([undefined, {}])
  expect([await named.world(), await named.clock(), await named.close()]).toEqual([
    null,
    null,
    undefined,
  ])
  await expect(named.change({ reset: true })).rejects.toThrow(
    new UsageError('Failed to change the world: the target has no control API.'),
  )
})

test.each(['ftp://127.0.0.1', 'http://', 'file:///a?http:', '127.0.0.1', ''])(
  '%j is not the URL of a target',
  (url) => {
    expect(() => checkTargetUrl(url)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^Failed to replay: expected a URL such as http:/),
        field: 'target',
      }),
    )
    expect(() => checkTargetUrl(url, 'observe')).toThrow('Failed to observe: expected a URL')
  },
)

const ok: ReceivedResponse = {
  status: 200,
  headers: new Headers({ 'x-mark': 'seen' }),
  text: 'ok',
  broken: false,
}

/** Sends requests to a target with these responses. Returns the exchanges. */
async function exchange(
  responses: readonly ReceivedResponse[],
  ...requests: readonly Partial<SentRequest>[]
): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  const left = [...responses]
  const target: Target = {
    ...createHttpTarget('http://localhost', { keys: { mine: 'phx_1' } }),
    send: async () => left.shift() ?? ok,
  }
  const observed = observeTarget(target, (one) => void exchanges.push(one))
  expect([observed.key('mine'), observed.key('other')]).toEqual(['phx_1', undefined])
  for (const request of requests) {
    await observed.send({ ...get('http://localhost'), ...request })
  }
  return exchanges
}

test('binary and missing bodies, and broken connections are reported', async () => {
  const exchanges = await exchange(
    [
      { ...ok, text: '\uFFFD', base64: '/w==' },
      { ...ok, text: '' },
      { ...ok, text: 'half', broken: true },
    ],
    { body: Uint8Array.of(0xff) },
    { body: Uint8Array.of(0x61) },
    { body: new Uint8Array() },
  )

  expect(exchanges.map(({ request, response }) => [request.body, response.body])).toEqual([
    [{ base64: '/w==' }, { base64: '/w==' }],
    [{ text: 'a' }, null],
    [null, null],
  ])
  expect(exchanges[2]?.response).toEqual({ status: 0, headers: [], body: null })
})
