import { expect, test } from 'vitest'
import {
  type ApiRequest,
  type ApiResponse,
  bodyText,
  createNetworkError,
  isSimulatedNetworkError,
} from '../../../../src/http/messages.ts'
import { ActiveRule } from '../../../../src/sandbox/faults/active-rule.ts'
import { AppliedFault } from '../../../../src/sandbox/faults/applied-fault.ts'
import type { FaultEffect, FaultRule } from '../../../../src/sandbox/faults/rule.ts'
import type { FaultContext } from '../../../../src/sandbox/hooks.ts'
import { toJsonText } from '../../../../src/utils/json-text.ts'

const dropped = { status: 0, headers: {}, body: null }

function respondWith(body: string): ApiResponse {
  return { status: 200, headers: {}, body }
}

/** Applies a rule, and records what it calls. The client has disconnected if a listener is called at once. */
async function applyRule(
  rule: FaultRule,
  {
    delay = 0,
    own = respondWith('own'),
    onAbort,
  }: { delay?: number; own?: ApiResponse; onAbort?: ApiRequest['onAbort'] } = {},
) {
  const calls: string[] = []
  const call = (name: string, response: ApiResponse) => {
    calls.push(name)
    return response
  }
  const active = new ActiveRule('fault-7', { rule, preset: null })
  const stale = () => ({ stale: true }) as never
  const fault = new AppliedFault(active, delay, stale, () => call('run', respondWith('mutated')))
  const context = {
    request: { method: 'GET', ...(onAbort && { onAbort }) } as ApiRequest,
    runEndpoint: () => call('runEndpoint', own),
    respond: (given: unknown, authorize?: () => void) =>
      call(`respond ${given ? 'stale' : typeof authorize}`, respondWith('pipeline')),
  } as unknown as FaultContext
  return { fault, calls, response: await fault.apply(context) }
}

const aborted = (listener: () => void) => {
  listener()
  return () => {}
}

const responses: readonly [rule: FaultRule, response: object, calls: readonly string[]][] = [
  [{ effect: { error: 'throttled' } }, respondWith('pipeline'), ['respond function']],
  [
    { phase: 'after-commit', effect: { error: 'throttled' } },
    respondWith('pipeline'),
    ['run', 'respond function'],
  ],
  [{ effect: { stale: { writes: 1 } } }, respondWith('pipeline'), ['respond stale']],
  [{ effect: { drop: true } }, dropped, []],
  [{ phase: 'after-commit', effect: { drop: true } }, dropped, ['run']],
  [{ effect: { mutate: 'null' } }, respondWith('mutated'), ['run']],
  [{ effect: { delay_ms: 0 } }, respondWith('own'), ['runEndpoint']],
  [{ phase: 'after-commit', effect: { delay_ms: 0 } }, respondWith('mutated'), ['run']],
  [{ effect: { status: 503 } }, { ...dropped, status: 503 }, []],
  [
    { effect: { status: 204, headers: { 'X-A': 'b' } } },
    { ...dropped, status: 204, headers: { 'x-a': 'b' } },
    [],
  ],
  [
    { phase: 'after-commit', effect: { status: 500, body: 'é' } },
    {
      status: 500,
      headers: { 'content-type': 'text/plain;charset=utf-8' },
      body: 'é',
    },
    ['run'],
  ],
  [
    { effect: { status: 500, body: '' } },
    {
      status: 500,
      headers: { 'content-type': 'text/plain;charset=utf-8' },
      body: '',
    },
    [],
  ],
  [
    { effect: { status: 200, body: ['a'], headers: { 'X-A': 'b' } } },
    {
      status: 200,
      headers: { 'content-type': 'application/json', 'x-a': 'b' },
      body: toJsonText(['a']),
    },
    [],
  ],
  [
    { effect: { status: 200, body: null, headers: { 'Content-Type': 'text/x' } } },
    {
      status: 200,
      headers: { 'content-type': 'text/x' },
      body: toJsonText(null),
    },
    [],
  ],
]

test.each(responses)('the rule %j responds with %j', async (rule, response, calls) => {
  for (const delay of [0, 1]) {
    const applied = await applyRule(rule, { delay })

    expect(applied.response).toEqual(response)
    expect(applied.calls).toEqual(calls)
  }
})

test.each(responses)(
  'the rule %j drops a request that was aborted during its delay',
  async (rule) => {
    const { fault, response, calls } = await applyRule(rule, { delay: 60_000, onAbort: aborted })

    expect(response).toEqual(dropped)
    expect(calls).toEqual(fault.phase === 'after-commit' ? ['run'] : [])
  },
)

const broken = 'the connection breaks'

/** The chunks of a body, and whether it breaks off. */
async function readChunks(
  effect: FaultEffect,
  {
    text = 'abcdefg',
    delay = 0,
    onAbort,
  }: { text?: string; delay?: number; onAbort?: ApiRequest['onAbort'] } = {},
) {
  const own = respondWith(text)
  const { response } = await applyRule({ phase: 'mid-body', effect }, { own, delay, onAbort })
  expect(bodyText(response.body)).toBe(text)
  const chunks: string[] = []
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>)
      chunks.push(new TextDecoder().decode(chunk))
    return chunks
  } catch (error) {
    return [...chunks, isSimulatedNetworkError(error) ? broken : error]
  }
}

const bodies: readonly [effect: FaultEffect, chunks: readonly unknown[]][] = [
  [{ drop: true }, ['abcd', broken]],
  [{ cut_bytes: 0 }, ['', broken]],
  [{ cut_bytes: 1 }, ['a', broken]],
  [{ cut_bytes: 6 }, ['abcdef', broken]],
  [{ cut_bytes: 7 }, ['abcdefg']],
  [{ cut_bytes: 8 }, ['abcdefg']],
  [{ slow_bytes_per_s: 70 }, ['abcdefg']],
  [{ cut_bytes: 3, slow_bytes_per_s: 30 }, ['abc', broken]],
  [{ delay_ms: 0 }, ['abcdefg']],
]

test.each(bodies)('with the effect %j, a body arrives as %j', async (effect, chunks) => {
  expect(await readChunks(effect)).toEqual(chunks)
})

test('a pause comes after half of the body, rounded up', async () => {
  const effect = { delay_ms: 1 }

  expect(await readChunks(effect, { delay: 1 })).toEqual(['abcd', 'efg'])
  expect(await readChunks(effect, { delay: 1, text: 'ab' })).toEqual(['a', 'b'])
  expect(await readChunks(effect, { delay: 1, text: 'a' })).toEqual(['a'])
})

test.each([
  [{ slow_bytes_per_s: 69 }, 'abcdef'],
  [{ slow_bytes_per_s: 39 }, 'abc'],
  [{ slow_bytes_per_s: 19 }, 'a'],
  [{ slow_bytes_per_s: 1 }, 'a'],
  [{ cut_bytes: 5, slow_bytes_per_s: 20 }, 'ab'],
])('with the effect %j, a client that disconnects has got %j', async (effect, first) => {
  expect(await readChunks(effect, { onAbort: aborted })).toEqual([first, broken])
})

test('a body is slow in steps of a tenth of a second', async () => {
  expect(await readChunks({ slow_bytes_per_s: 45 })).toEqual(['abcd', 'efg'])
})

test('a client that disconnects during a pause has got half of the body', async () => {
  const options = { delay: 60_000, onAbort: aborted }

  expect(await readChunks({ delay_ms: 60_000 }, options)).toEqual(['abcd', broken])
})

test('a body that is slow from after a delay is dropped if the client disconnects before', async () => {
  const rule: FaultRule = { effect: { cut_bytes: 1, delay_ms: 60_000 } }

  const { response, calls } = await applyRule(rule, { delay: 60_000, onAbort: aborted })

  expect([response, calls]).toEqual([dropped, []])
})

test('a response without a text, or with a stream of its own, stays as it is', async () => {
  const rule: FaultRule = { effect: { cut_bytes: 1 } }
  const empty = respondWith('')
  const streamed = { ...respondWith(''), body: (async function* () {})() }

  expect((await applyRule(rule, { own: empty })).response).toBe(empty)
  expect((await applyRule(rule, { own: streamed })).response).toBe(streamed)
})

test('a body that is not read to its end removes its listeners', async () => {
  const listeners = new Set<() => void>()
  const onAbort = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const { response } = await applyRule({ effect: { slow_bytes_per_s: 1 } }, { onAbort })
  const chunks = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()

  await chunks.next()
  const waiting = chunks.next()
  await expect.poll(() => listeners.size).toBe(1)
  const returned = await chunks.return?.()

  await expect(waiting).rejects.toEqual(createNetworkError())
  expect([returned, listeners.size]).toEqual([{ done: true, value: undefined }, 0])
})
