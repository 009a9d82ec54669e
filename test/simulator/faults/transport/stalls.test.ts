import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../../src/index.ts'
import { listen } from '../../../../src/server/listen.ts'
import type { FaultEffect } from '../../../../src/simulator/faults/fault.ts'
import { type Send, transports } from '../../../adapters/transports.ts'
import { authorization } from '../../../support/api/headers.ts'
import { annotationsPath, annotationPath as row } from '../../../support/api/paths.ts'

const headers = authorization()
const waiting = (simulator: Simulator) => simulator.faults.list().flatMap((fault) => fault.waiting)
const isStalled = (simulator: Simulator) => expect.poll(() => waiting(simulator)).toHaveLength(1)

async function stalled(open: (simulator: Simulator) => Promise<Send>, effect: FaultEffect) {
  const simulator = createSimulator()
  const send = await open(simulator)
  const whole = await (await send(row, { headers })).text()
  const [rule] = simulator.faults.add({ effect })
  return { simulator, send, whole, id: rule?.id as string }
}

test.each(transports)('a body stalls until its fault is removed: %s', async (_, open) => {
  const { simulator, send, whole, id } = await stalled(open, { stall_bytes: 20 })

  const response = await send(row, { headers })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const first = await reader.read()
  const rest = reader.read()
  await isStalled(simulator)
  const during = waiting(simulator)
  simulator.faults.remove(id)

  expect(response.headers.get('content-length')).toBe(String(whole.length))
  const text = (chunk: { value?: Uint8Array | undefined }) => new TextDecoder().decode(chunk.value)
  expect([text(first), text(await rest)]).toEqual([whole.slice(0, 20), whole.slice(20)])
  expect(during).toMatchObject([{ id: 2, method: 'GET', path: row }])
  expect(waiting(simulator)).toEqual([])
  expect(simulator.journal.get(2)).toMatchObject({
    reason:
      '200: the fault `fault-1` was applied: the response stops after 20 bytes of the body until the fault is removed or times out',
    response: { body: JSON.parse(whole) },
  })
})

test.each(transports)('a client gives up on a body that stalls: %s', async (_, open) => {
  const { simulator, send } = await stalled(open, { stall_bytes: 0 })
  const controller = new AbortController()

  const response = await send(row, { headers, signal: controller.signal })
  const body = response.json()
  await isStalled(simulator)
  controller.abort(new DOMException('Too slow.', 'TimeoutError'))

  await expect(body).rejects.toMatchObject({ name: 'TimeoutError' })
  await expect.poll(() => waiting(simulator)).toEqual([])
})

test.each(transports)('reset breaks the connection of a body that stalls: %s', async (_, open) => {
  const { simulator, send } = await stalled(open, { stall_bytes: 0 })

  const body = (await send(row, { headers })).text()
  await isStalled(simulator)
  simulator.reset()

  await expect(body).rejects.toThrow(TypeError)
})

test.each(transports)('a body comes in parts, or goes on after its time: %s', async (_, open) => {
  const { simulator, send, whole } = await stalled(open, { bytes_per_s: 5_000 })
  const parts: Uint8Array[] = []

  for await (const part of (await send(row, { headers })).body ?? []) parts.push(part)
  simulator.faults.clear()
  simulator.faults.add({ effect: { stall_bytes: 1, timeout_ms: 1, bytes_per_s: 1_000_000 } })
  const late = await (await send(row, { headers })).text()

  expect(parts.length).toBe(Math.ceil(whole.length / 500))
  expect([Buffer.concat(parts).toString(), late]).toEqual([whole, whole])
})

test.each(transports)(
  'a fault that is removed before its body is read holds nothing: %s',
  async (_, open) => {
    const { simulator, send, whole, id } = await stalled(open, { stall_bytes: 0 })

    const response = await send(row, { headers })
    simulator.faults.remove(id)

    expect(await response.text()).toBe(whole)
  },
)

test.each(transports)(
  'an error of a fault stalls, and what has no body does not: %s',
  async (_, open) => {
    const { simulator, send } = await stalled(open, { status: 503, body: '<h1>', stall_bytes: 2 })

    const response = await send(row, { headers })
    const cut = response.text()
    await isStalled(simulator)
    simulator.faults.clear()
    simulator.faults.add({ effect: { status: 204, stall_bytes: 0 } })
    const empty = await send(row, { headers })
    const head = await send(annotationsPath, { method: 'HEAD', headers })

    expect([response.status, await cut, empty.status, head.status]).toEqual([503, '<h1>', 204, 204])
    simulator.faults.clear()
    simulator.faults.add({ effect: { stall_bytes: 0 } })
    expect((await send(annotationsPath, { method: 'HEAD', headers })).status).toBe(200)
  },
)

test('a server that stops sends the rest of a body that stalls', async () => {
  const simulator = createSimulator()
  const server = await listen(simulator)
  simulator.faults.add({ effect: { stall_bytes: 20, cut_bytes: 40 } })

  const reader = (await fetch(server.url + row, { headers })).body?.getReader()
  const first = await reader?.read()
  const rest = reader?.read()
  await isStalled(simulator)
  await server.close({ timeout: 1_000 })

  expect([first?.value?.length, (await rest)?.value?.length]).toEqual([20, 20])
  await expect(reader?.read()).rejects.toThrow(TypeError)
})
