import { expect, test } from 'vitest'
import { type PresetName, presetNames, presets } from '../../../src/simulator/faults/presets.ts'
import { annotationsPath as list } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

const text = (part: string) => ({ text: expect.stringContaining(part) })

test.each<[preset: PresetName, requests: readonly string[], responses: readonly object[]]>([
  ['outage', ['GET'], [{ status: 503, type: 'text/html', ...text('<h1>503 Service Unavailable') }]],
  [
    'read-only',
    ['GET', 'POST'],
    [{ status: 200 }, { status: 403, ...text('is read-only at the') }],
  ],
  [
    'throttled',
    ['GET', 'GET'],
    [{ status: 429, wait: '1', ...text('in 1 second.') }, { status: 200 }],
  ],
  [
    'failed-page',
    ['GET ?limit=2', 'GET ?limit=2&offset=2', 'GET ?limit=2&offset=2'],
    [{ status: 200 }, { status: 500 }, { status: 200 }],
  ],
])('%s answers %j with %j', async (preset, requests, responses) => {
  const client = await start()
  client.simulator.faults.add({ preset })

  const received: object[] = []
  for (const request of requests) {
    const [method = '', query = ''] = request.split(' ')
    const response = await client.send(method, list + query)
    const { status, headers } = response
    const [type, wait] = [headers.get('content-type'), headers.get('retry-after')]
    received.push({ status, type, wait, text: await response.text() })
  }

  expect(received).toMatchObject(responses)
  expect(client.simulator.world.annotations.count).toBe(8)
})

test('the shares of flaky are exactly those of its description', () => {
  let left = 1
  const shares = presets.flaky.rules.map(({ when }) => {
    const share = left * (when?.probability ?? 1)
    left -= share
    return Math.round(share * 1e9) / 1e9
  })

  expect(presets.flaky.description).toMatch(/^About one request in five fails: /)
  expect(shares).toEqual([0.05, 0.05, 0.05, 0.05])
})

test('each preset has a description, and adds its rules', async () => {
  const { simulator } = await start()
  for (const preset of presetNames) {
    expect.soft(presets[preset].description).toMatch(/^[A-Z].+\.$/)
    expect
      .soft(simulator.faults.add({ preset }))
      .toContainEqual(expect.objectContaining({ preset }))
  }
})
