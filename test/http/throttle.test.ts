import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import { throttled } from '../support/api/errors.ts'
import { spendRequests } from '../support/api/rate-limit.ts'
import { start } from '../support/transports/start.ts'

const path = '/api/projects/1/annotations/1/'
const limited: SimulatorOptions = { settings: { 'limits.rate': '480_per_minute' } }

test('a key may send 480 requests per minute, then only the detail of a 429 contains the wait', async () => {
  const client = await start(limited)
  const { ask, simulator } = client
  spendRequests(simulator, 'phx_all', 479)

  expect(await ask('GET', path)).toMatchObject({ status: 200 })
  expect(await ask('GET', path)).toEqual(throttled('60 seconds'))
  expect((await ask('GET', path, { key: 'phx_annotations' })).status).toBe(200)

  const { headers } = await client.send('GET', path)
  expect([...headers.keys()].filter((name) => /retry|rate/.test(name))).toEqual([])
  simulator.clock.advance({ seconds: 47.5 })
  expect(await ask('GET', path)).toEqual(throttled('13 seconds'))
  simulator.clock.advance({ seconds: 11.5 })
  expect(await ask('GET', path)).toEqual(throttled('1 second'))
  simulator.clock.advance({ milliseconds: 999 })
  expect(await ask('GET', path)).toEqual(throttled('1 second'))
  simulator.clock.advance({ milliseconds: 1 })
  expect(await ask('GET', path)).toMatchObject({ status: 200 })
})

test('the window of a minute slides: each request counts for 60 seconds', async () => {
  const { ask, simulator } = await start(limited)

  await ask('GET', path)
  simulator.clock.advance({ seconds: 40 })
  spendRequests(simulator, 'phx_all', 479)
  expect(await ask('GET', path)).toEqual(throttled('20 seconds'))

  simulator.clock.advance({ seconds: 20 })
  expect(await ask('GET', path)).toMatchObject({ status: 200 })
  expect(await ask('GET', path)).toEqual(throttled('40 seconds'))
})

test('a key may send 4,800 requests per hour', async () => {
  const { ask, simulator } = await start(limited)

  for (let minute = 0; minute < 10; minute++) {
    spendRequests(simulator)
    simulator.clock.advance({ minutes: 1 })
  }
  expect(await ask('GET', path)).toEqual(throttled('3000 seconds'))

  simulator.clock.advance({ minutes: 49, seconds: 59 })
  expect(await ask('GET', path)).toEqual(throttled('1 second'))
  simulator.clock.advance({ milliseconds: 999 })
  expect(await ask('GET', path)).toEqual(throttled('1 second'))
  simulator.clock.advance({ milliseconds: 1 })
  expect(await ask('GET', path)).toMatchObject({ status: 200 })
  spendRequests(simulator, 'phx_all', 479)
  expect(await ask('GET', path)).toEqual(throttled('60 seconds'))
})

test('after the clock was set back, requests of later times do not count', async () => {
  const { ask, simulator } = await start(limited)
  spendRequests(simulator)

  simulator.clock.advance({ hours: -2 })

  expect(await ask('GET', path)).toMatchObject({ status: 200 })
})

test('all operations count, and failed requests only if they pass the check of the project', async () => {
  const { ask, simulator } = await start(limited)
  spendRequests(simulator, 'phx_all', 476)

  for (const [method, address, options, status] of [
    ['POST', '/api/projects/1/annotations/', { body: {} }, 201],
    ['GET', '/api/projects/1/annotations/999/', {}, 404],
    ['DELETE', path, {}, 405],
    ['GET', '/api/projects/999/annotations/', {}, 404],
    ['GET', '/api/nothing/', {}, 404],
    ['GET', path, { key: 'phx_nobody' }, 401],
    ['GET', '/api/projects/', {}, 200],
    ['GET', '/api/projects/', {}, 429],
    ['PATCH', path, { body: { content: 'Too late' } }, 429],
  ] as const) {
    expect.soft((await ask(method, address, options)).status, `${method} ${address}`).toBe(status)
  }
})

test.each(['envelope', 'detail', 'list', 'html', 'empty'] as const)(
  'by setting a 429 has the seconds to wait in a header, whatever the body of errors is: %s',
  async (body) => {
    const settings = {
      ...limited.settings,
      'limits.retry_after': 'present',
      'errors.body': body,
    } as const
    const client = await start({ settings })
    spendRequests(client.simulator)
    client.simulator.clock.advance({ seconds: 20.5 })

    const { status, headers } = await client.send('GET', path)

    expect([status, headers.get('retry-after')]).toEqual([429, '40'])
  },
)

test('a sandbox limits its own keys by its own clock', async () => {
  const { ask, simulator } = await start()
  const { id, keys } = simulator.sandboxes.create({
    settings: { 'limits.rate': '480_per_minute' },
    clock: '2030-01-01T00:00:00Z',
  })
  const key = keys.find(({ scopes }) => scopes?.includes('*'))?.value ?? ''
  const sandbox = simulator.sandboxes.get(id)
  if (sandbox) spendRequests(sandbox, key)

  expect(await ask('GET', path, { key })).toEqual(throttled('60 seconds'))
  expect(await ask('GET', path)).toMatchObject({ status: 200 })

  // The clock of the simulator does not affect the sandbox.
  simulator.clock.advance({ minutes: 5 })
  expect(await ask('GET', path, { key })).toEqual(throttled('60 seconds'))

  sandbox?.clock.advance({ seconds: 59 })
  expect(await ask('GET', path, { key })).toEqual(throttled('1 second'))
  sandbox?.clock.advance({ seconds: 1 })
  expect(await ask('GET', path, { key })).toMatchObject({ status: 200 })
})
