import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../src/sandbox/simulator-options.ts'
import { refusal } from '../support/api/errors.ts'
import { type Started, start } from '../support/lanes/start.ts'

const path = '/api/projects/1/annotations/1/'
const limited: SimulatorOptions = { policies: { 'limits.rate': 'observed' } }
const throttled = (wait: string) =>
  refusal(
    429,
    'throttled_error',
    'throttled',
    `Request was throttled. Expected available in ${wait}.`,
  )

/** Sends many requests with a key through simulator.fetch, the fastest way. Returns the distinct statuses. */
async function spend({ simulator }: Started, count: number, key = 'phx_all'): Promise<number[]> {
  const statuses = new Set<number>()
  for (let sent = 0; sent < count; sent++) {
    const headers = { authorization: `Bearer ${key}` }
    statuses.add((await simulator.fetch(path, { headers })).status)
  }
  return [...statuses]
}

test('a key may send 480 requests per minute, then a 429 contains the wait [§7:rate-limits] [§1:throttled]', async () => {
  const client = await start(limited)
  const { ask, simulator } = client

  expect(await spend(client, 479)).toEqual([200])
  expect(await ask('GET', path)).toMatchObject({ status: 200 })
  expect(await ask('GET', path)).toEqual(throttled('60 seconds'))

  simulator.clock.advance({ seconds: 47.5 })
  expect(await ask('GET', path)).toEqual(throttled('13 seconds'))
  simulator.clock.advance({ seconds: 11.5 })
  expect(await ask('GET', path)).toEqual(throttled('1 second'))
  simulator.clock.advance({ milliseconds: 999 })
  expect(await ask('GET', path)).toEqual(throttled('1 second'))
  simulator.clock.advance({ milliseconds: 1 })
  expect(await ask('GET', path)).toMatchObject({ status: 200 })
})

test('the window of a minute slides: each request counts for 60 seconds [§7:rate-limits]', async () => {
  const client = await start(limited)
  const { ask, simulator } = client

  await spend(client, 1)
  simulator.clock.advance({ seconds: 40 })
  await spend(client, 479)
  expect(await ask('GET', path)).toEqual(throttled('20 seconds'))

  simulator.clock.advance({ seconds: 20 })
  expect(await ask('GET', path)).toMatchObject({ status: 200 })
  expect(await ask('GET', path)).toEqual(throttled('40 seconds'))
})

test('a key may send 4,800 requests per hour [§7:rate-limits] [§1:throttled]', async () => {
  const client = await start(limited)
  const { ask, simulator } = client

  for (let minute = 0; minute < 10; minute++) {
    expect(await spend(client, 480)).toEqual([200])
    simulator.clock.advance({ minutes: 1 })
  }
  expect(await ask('GET', path)).toEqual(throttled('3000 seconds'))

  simulator.clock.advance({ minutes: 49, seconds: 59 })
  expect(await ask('GET', path)).toEqual(throttled('1 second'))
  simulator.clock.advance({ milliseconds: 999 })
  expect(await ask('GET', path)).toEqual(throttled('1 second'))
  simulator.clock.advance({ milliseconds: 1 })
  expect(await spend(client, 480)).toEqual([200])
  expect(await ask('GET', path)).toEqual(throttled('60 seconds'))
})

test('each key has its own limit, even if two keys belong to one user [§7:rate-limits]', async () => {
  const client = await start(limited)
  const { ask } = client

  await spend(client, 480)

  expect(await ask('GET', path)).toEqual(throttled('60 seconds'))
  expect(await ask('GET', path, { key: 'phx_annotations' })).toMatchObject({ status: 200 })
})

test('all operations count, and failed requests only if they pass the check of the project [§7:rate-limits]', async () => {
  const client = await start(limited)
  const { ask } = client
  await spend(client, 476)

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
    expect((await ask(method, address, options)).status, `${method} ${address}`).toBe(status)
  }
})

test('only the detail of a 429 contains the wait [§1:no-www-authenticate] [§7:rate-limits]', async () => {
  const client = await start(limited)
  await spend(client, 480)

  const { status, headers } = await client.send('GET', path)

  expect(status).toBe(429)
  expect([...headers.keys()].filter((name) => /retry|rate/.test(name))).toEqual([])
})

test.each(['envelope', 'detail', 'list', 'html', 'empty'] as const)(
  'the header has the wait, whatever the body of errors is: %s [§7:rate-limits]',
  async (body) => {
    const policies = {
      ...limited.policies,
      'limits.retry_after': 'present',
      'errors.body': body,
    } as const
    const client = await start({ policies })
    await spend(client, 480)

    const { status, headers } = await client.send('GET', path)

    expect([status, headers.get('retry-after')]).toEqual([429, '60'])
  },
)

test('by default there is no rate limit [§7:rate-limits]', async () => {
  for (const profile of ['documented', 'live'] as const) {
    const client = await start({ profile })
    expect(await spend(client, 500)).toEqual([200])
    expect(await client.ask('GET', path)).toMatchObject({ status: 200 })
  }
})

test('a sandbox limits its own keys by its own clock [§7:rate-limits]', async () => {
  const { ask, simulator } = await start()
  const { id, keys } = simulator.sandboxes.create({
    policies: { 'limits.rate': 'observed' },
    clock: '2030-01-01T00:00:00Z',
  })
  const key = keys.find(({ scopes }) => scopes?.includes('*'))?.value ?? ''
  const sandbox = simulator.sandboxes.get(id)
  const headers = { authorization: `Bearer ${key}` }
  for (let sent = 0; sent < 480; sent++) await simulator.fetch(path, { headers })

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

test('a fault throttles a request within the limit [§7:rate-limits]', async () => {
  const { ask, simulator } = await start({ policies: { 'limits.rate': 'observed' } })
  const effect = { error: 'throttled', retry_after_s: 60 } as const
  simulator.faults.add({ operation: 'retrieveAnnotation', when: { times: 1 }, effect })

  expect(await ask('GET', path)).toEqual(throttled('60 seconds'))
  expect(await ask('GET', path)).toMatchObject({ status: 200 })
})
