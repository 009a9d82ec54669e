import { expect, test } from 'vitest'
import type { FaultEffect } from '../../src/simulator/faults/fault.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'
import type { Client } from '../support/transports/client.ts'
import { start } from '../support/transports/start.ts'

const readKey = { key: 'phx_annotation_read' }

test('a fault without an effect on the response does not decide', async () => {
  const client = await start()
  client.simulator.faults.add({ method: 'POST', effect: { delay_ms: 1 } })
  await client.ask('POST', annotationsPath, { body: { scope: 'tag' } })

  const { decided_by } = await client.simulator.explain(1)

  expect(decided_by?.id).toBe('annotations.scope.values')
})

test.each<[effect: FaultEffect, sent: Parameters<Client['ask']>, sentence: string, id?: string]>([
  [
    { delay_ms: 1 },
    ['PATCH', `${annotationsPath}6/`, { body: { deleted: false } }],
    '200: the fault `fault-1` was applied: the response is delayed by 1 ms',
  ],
  [
    { cut_bytes: 10 },
    ['GET', `${annotationsPath}1/`],
    '200: the fault `fault-1` was applied: the connection drops after 10 bytes of the body',
  ],
  [
    { cut_bytes: 100_000 },
    ['GET', `${annotationsPath}1/`, readKey],
    '200: the fault `fault-1` matched, and changed nothing',
  ],
  [
    { cut_bytes: 0 },
    ['DELETE', `/api/organizations/${acme}/plugins/21/`, { key: 'phx_plugin_write' }],
    '204: the fault `fault-1` matched, and changed nothing',
  ],
  [
    { error: 'throttled' },
    ['GET', annotationsPath, { headers: { accept: 'text/html' } }],
    '406: the Accept header `text/html` does not allow application/json; the fault `fault-1` matched, and changed nothing',
  ],
])('a fault is named for what it did: %j', async (effect, sent, sentence, id) => {
  const client = await start()
  client.simulator.faults.add({ effect })
  await client.send(...sent)

  const reasons = await client.simulator.explain(1)

  expect([reasons.sentence, reasons.decided_by?.id]).toEqual([sentence, id])
})

test.each<[effect: FaultEffect, sent: Parameters<Client['ask']>]>([
  [{ status: 502 }, ['GET', annotationsPath]],
  [{ cut_bytes: 10 }, ['DELETE', `${annotationsPath}1/`]],
])('no setting decides what %j changed, and no request is suggested', async (effect, sent) => {
  const client = await start()
  client.simulator.faults.add({ effect })
  await client.ask(...sent).catch(() => {})

  const { sentence, decided_by, would_succeed } = await client.simulator.explain(1)

  expect(sentence).toContain('the fault `fault-1` was applied')
  expect([decided_by, would_succeed]).toEqual([null, null])
})
