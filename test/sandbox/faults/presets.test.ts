import { expect, test } from 'vitest'
import { presetNames, presets } from '../../../src/sandbox/faults/rule.ts'
import { forbidden } from '../../support/api/errors.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

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

test('flaky makes one request in five fail, in the same way in each run', async () => {
  const run = async () => {
    const { simulator } = await start()
    simulator.faults.add({ preset: 'flaky' })
    for (let count = 0; count < 1_000; count++)
      await simulator.fetch(annotationsPath).catch(() => null)
    return simulator.faults.list()
  }

  const faults = await run()

  expect(faults).toMatchObject([
    { id: 'fault-1', preset: 'flaky', effect: { error: 'server_error' } },
    { id: 'fault-2', preset: 'flaky', phase: 'before', effect: { drop: true } },
    { id: 'fault-3', preset: 'flaky', phase: 'after-commit', effect: { drop: true } },
  ])
  const [errors = 0, ...drops] = faults.map(({ applied }) => applied)
  expect(errors).toBeGreaterThan(60)
  expect(errors).toBeLessThan(140)
  for (const count of drops) expect([count > 20, count < 80]).toEqual([true, true])
  expect(await run()).toEqual(faults)
})

test('the shares of flaky are exactly those of its description', () => {
  let left = 1
  const shares = presets.flaky?.rules.map(({ when }) => {
    const share = left * (when?.probability ?? 1)
    left -= share
    return Math.round(share * 1e9) / 1e9
  })

  expect(presets.flaky?.description).toMatch(
    /^One request in five fails: half of them with a server error/,
  )
  expect(shares).toEqual([0.1, 0.05, 0.05])
})

test('each preset has a description, and adds its rules', async () => {
  const { simulator } = await start()
  expect(presetNames).toEqual(['flaky', 'slow-3g', 'outage', 'read-only'])

  for (const preset of presetNames) {
    expect(presets[preset]?.description).toMatch(/^[A-Z].+\.$/)
    expect(simulator.faults.add({ preset })).toContainEqual(expect.objectContaining({ preset }))
  }
})
