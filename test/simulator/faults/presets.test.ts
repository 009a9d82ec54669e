import { expect, test } from 'vitest'
import { presetNames, presets } from '../../../src/simulator/faults/presets.ts'
import { forbidden } from '../../support/api/errors.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

test('outage responds to every request with an HTML page', async () => {
  const client = await start()
  client.simulator.faults.add({ preset: 'outage' })

  const response = await client.send('GET', annotationsPath)

  expect([response.status, response.headers.get('content-type')]).toEqual([503, 'text/html'])
  expect(await response.text()).toContain('<h1>503 Service Unavailable</h1>')
})

test('read-only allows reads and rejects writes', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ preset: 'read-only' })

  expect(await ask('GET', annotationsPath)).toMatchObject({ status: 200 })
  expect(await ask('POST', annotationsPath, { body: {} })).toEqual(
    forbidden('The service is read-only at the moment.'),
  )
  expect(simulator.world.annotations.count).toBe(8)
})

test('throttled answers the first request with a 429 that has Retry-After', async () => {
  const client = await start()
  client.simulator.faults.add({ preset: 'throttled' })

  const [first, second] = [
    await client.send('GET', annotationsPath),
    await client.send('GET', annotationsPath),
  ]

  expect([first.status, first.headers.get('retry-after'), second.status]).toEqual([429, '1', 200])
  expect(await first.json()).toMatchObject({
    code: 'throttled',
    detail: 'Request was throttled. Expected available in 1 second.',
  })
})

test('failed-page answers the second page of a list with a 500', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ preset: 'failed-page' })

  const pages = [0, 2, 2].map((offset) => `${annotationsPath}?limit=2&offset=${offset}`)
  const statuses: number[] = []
  for (const page of pages) statuses.push((await ask('GET', page)).status)

  expect(statuses).toEqual([200, 500, 200])
})

test('the shares of flaky are exactly those of its description', () => {
  let left = 1
  const shares = presets.flaky.rules.map(({ when }) => {
    const share = left * (when?.probability ?? 1)
    left -= share
    return Math.round(share * 1e9) / 1e9
  })

  expect(presets.flaky.description).toMatch(/^One request in five fails: /)
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
