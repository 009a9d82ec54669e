import { expect, test } from 'vitest'
import type { FaultEffect } from '../../../src/index.ts'
import { annotationsPath, annotationPath as row } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

test('an effect can set status, headers and body, before or after the commit', async () => {
  const client = await start()
  const { ask, simulator } = client
  const effect = { status: 502, headers: { 'X-Proxy': '{base_url}/a' }, body: 'Bad gateway' }
  simulator.faults.add({ operation: 'createAnnotation', when: { times: 1 }, effect })
  const teapot = { status: 418, body: { pots: ['{base_url}/1', '{base_url}/2'] } }
  simulator.faults.add({ operation: 'updateAnnotation', phase: 'after-commit', effect: teapot })

  const response = await client.send('POST', annotationsPath, { body: {} })
  expect([response.status, response.headers.get('x-proxy'), await response.text()]).toEqual([
    502,
    `${client.origin}/a`,
    'Bad gateway',
  ])
  expect(response.headers.get('content-type')).toBe('text/plain;charset=utf-8')
  expect(simulator.world.annotations.count).toBe(8)

  expect(await ask('PATCH', row, { body: { content: 'Changed' } })).toEqual({
    status: 418,
    body: { pots: [`${client.origin}/1`, `${client.origin}/2`] },
  })
  expect(simulator.world.annotations.get(1)?.content).toBe('Changed')
})

test('if several rules match, the most recent one applies, and each counts the request', async () => {
  const { ask, simulator } = await start()
  const [every] = simulator.faults.add({ effect: { status: 500 } })
  const [once] = simulator.faults.add({ when: { times: 1 }, effect: { status: 503 } })

  const statuses = [await ask('GET', row), await ask('GET', row)].map(({ status }) => status)

  expect(statuses).toEqual([503, 500])
  expect(simulator.faults.list()).toEqual([
    { ...once, matched: 2, applied: 1 },
    { ...every, matched: 2, applied: 1 },
  ])
})

/** Effects at the limits of their values, and all that one can be combined with. */
const accepted: readonly FaultEffect[] = [
  { error: 'throttled', detail: 'x', retry_after_s: 0, delay_ms: 0 },
  { status: 200, headers: {}, body: null, delay_ms: 0 },
  { status: 599, headers: { 'X-Proxy': 'edge', 'content-type': 'text/html', 'x-a': 'a\tb é ~' } },
  { status: 203, headers: { 'x-a': '' }, body: '' },
  { status: 204 },
  { cut_bytes: 0, delay_ms: 0 },
  { delay_ms: 86_400_000 },
  { delay_ms: 0.5 },
]

test.each(accepted)('the effect %j is accepted', async (effect) => {
  const { simulator } = await start()

  expect(simulator.faults.add({ effect })).toMatchObject([{ effect }])
})
