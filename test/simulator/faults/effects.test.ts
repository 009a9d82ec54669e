import { STATUS_CODES } from 'node:http'
import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/index.ts'
import type { EffectName, FaultEffect } from '../../../src/simulator/faults/fault.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'

/** Each effect, and what the reason says that it did to a list. */
const effects: Readonly<Record<EffectName, readonly [effect: FaultEffect, did: string]>> = {
  error: [{ error: 'throttled' }, 'the response is a 429 (throttled)'],
  status: [{ status: 418 }, 'the response is a 418'],
  drop: [{ drop: true }, 'the connection drops before the request is carried out'],
  edit: [
    { edit: [{ rows: { annotations: [{}] } }] },
    'another client changes rows after the request',
  ],
  cut_bytes: [{ cut_bytes: 5 }, 'the connection drops after 5 bytes of the body'],
  hold: [
    { hold: true, timeout_ms: 1 },
    'the request waits until the fault is removed or times out',
  ],
  stall_bytes: [
    { stall_bytes: 0, timeout_ms: 1 },
    'the response stops after its headers until the fault is removed or times out',
  ],
  bytes_per_s: [{ bytes_per_s: 9_000 }, 'the body comes at 9000 bytes per second'],
  delay_ms: [{ delay_ms: 1 }, 'the response is delayed by 1 ms'],
}

test.each(Object.entries(effects))(
  'the effect %s is applied, and the reason says it',
  async (_, [effect, did]) => {
    const simulator = createSimulator()
    simulator.faults.add({ effect })

    await simulator.fetch(annotationsPath, { headers: authorization() }).catch(() => {})

    const [entry] = simulator.journal.find()
    expect(entry?.reason).toMatch(/: the fault `fault-1` was applied: /)
    expect(entry?.reason).toContain(did)
  },
)

const named = [200, 201, 204, 400, 401, 403, 404, 405, 406, 413, 415, 429, 500, 502, 503, 504]

test.each(named)('in-process a %i has the reason phrase that a server sends', async (status) => {
  const simulator = createSimulator()
  simulator.faults.add({ effect: { status } })

  const { statusText } = await simulator.fetch(annotationsPath, { headers: authorization() })

  expect(statusText).toBe(STATUS_CODES[status])
})
