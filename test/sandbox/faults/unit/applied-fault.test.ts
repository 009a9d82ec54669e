import { expect, test } from 'vitest'
import {
  type ApiRequest,
  createNetworkError,
  isSimulatedNetworkError,
  type MessageBody,
} from '../../../../src/http/messages.ts'
import { type AppliedFault, applyFault } from '../../../../src/sandbox/faults/effects.ts'
import type { FaultEffect } from '../../../../src/sandbox/faults/rule.ts'

type OnAbort = NonNullable<ApiRequest['onAbort']>

interface Sent {
  readonly body?: MessageBody
  readonly delay?: number
  readonly onAbort?: OnAbort
}

/** Applies an effect while the body is sent. */
async function applyMidBody(
  effect: FaultEffect,
  { body = 'abcdefg', delay = 0, onAbort }: Sent = {},
) {
  const event = { request: { method: 'GET', ...(onAbort && { onAbort }) }, record: {} }
  const own = { status: 200, headers: {}, body }
  const fault = { phase: 'mid-body', effect, delay, event, next: () => own }
  return { own, response: await applyFault(fault as unknown as AppliedFault) }
}

const aborted: OnAbort = (listener) => {
  listener()
  return () => {}
}

const broken = 'the connection breaks'

/** The chunks of a body, and whether it breaks off. */
async function readChunks(effect: FaultEffect, sent?: Sent): Promise<unknown[]> {
  const { body } = (await applyMidBody(effect, sent)).response
  const chunks: string[] = []
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>)
      chunks.push(new TextDecoder().decode(chunk))
    return chunks
  } catch (error) {
    return [...chunks, isSimulatedNetworkError(error) ? broken : error]
  }
}

const bodies: readonly [effect: FaultEffect, chunks: readonly unknown[], sent?: Sent][] = [
  [{ drop: true }, ['abcd', broken]],
  [{ cut_bytes: 0 }, ['', broken]],
  [{ cut_bytes: 6 }, ['abcdef', broken]],
  [{ cut_bytes: 7 }, ['abcdefg']],
  [{ cut_bytes: 8 }, ['abcdefg']],
  [{ slow_bytes_per_s: 70 }, ['abcdefg']],
  [{ slow_bytes_per_s: 45 }, ['abcd', 'efg']],
  [{ cut_bytes: 3, slow_bytes_per_s: 30 }, ['abc', broken]],
  [{ delay_ms: 0 }, ['abcdefg']],
  [{ delay_ms: 1 }, ['abcd', 'efg'], { delay: 1 }],
  [{ delay_ms: 1 }, ['a', 'b'], { delay: 1, body: 'ab' }],
  [{ delay_ms: 1 }, ['a'], { delay: 1, body: 'a' }],
  // A client that disconnects
  [{ delay_ms: 60_000 }, ['abcd', broken], { delay: 60_000, onAbort: aborted }],
  [{ slow_bytes_per_s: 69 }, ['abcdef', broken], { onAbort: aborted }],
  [{ slow_bytes_per_s: 19 }, ['a', broken], { onAbort: aborted }],
  [{ slow_bytes_per_s: 1 }, ['a', broken], { onAbort: aborted }],
  [{ cut_bytes: 5, slow_bytes_per_s: 20 }, ['ab', broken], { onAbort: aborted }],
]

test.each(bodies)('with the effect %j, a body arrives as %j', async (effect, chunks, sent) => {
  expect(await readChunks(effect, sent)).toEqual(chunks)
})

test('a client that disconnects during a delay gets no body', async () => {
  const { response } = await applyMidBody(
    { cut_bytes: 1, delay_ms: 60_000 },
    { delay: 60_000, onAbort: aborted },
  )

  expect(response).toEqual({ status: 0, headers: {}, body: null })
})

test('a response without a text, or with chunks of its own, stays as it is', async () => {
  for (const body of [null, '', (async function* () {})()]) {
    const { own, response } = await applyMidBody({ cut_bytes: 1 }, { body })

    expect(response).toBe(own)
  }
})

test('a body that is not read to its end removes its listeners', async () => {
  const listeners = new Set<() => void>()
  const onAbort: OnAbort = (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const { response } = await applyMidBody({ slow_bytes_per_s: 1 }, { onAbort })
  const chunks = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()

  await chunks.next()
  const waiting = chunks.next()
  await expect.poll(() => listeners.size).toBe(1)
  const returned = await chunks.return?.()

  await expect(waiting).rejects.toEqual(createNetworkError())
  expect([returned, listeners.size]).toEqual([{ done: true, value: undefined }, 0])
})
