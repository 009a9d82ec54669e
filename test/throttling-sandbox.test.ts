import { expect, test } from 'vitest'
import { refusal } from './support/refusals.ts'
import { start } from './support/start.ts'

const path = '/api/projects/1/annotations/1/'
const throttled = (wait: string) =>
  refusal(
    429,
    'throttled_error',
    'throttled',
    `Request was throttled. Expected available in ${wait}.`,
  )

test('a sandbox limits its own keys, by its own clock [§7:rate-limits]', async () => {
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

  // The clock of the simulator is another one.
  simulator.clock.advance({ minutes: 5 })
  expect(await ask('GET', path, { key })).toEqual(throttled('60 seconds'))

  sandbox?.clock.advance({ seconds: 59 })
  expect(await ask('GET', path, { key })).toEqual(throttled('1 second'))
  sandbox?.clock.advance({ seconds: 1 })
  expect(await ask('GET', path, { key })).toMatchObject({ status: 200 })
})

test('a fault throttles once, whatever the key has left [§7:rate-limits]', async () => {
  const { ask, simulator } = await start({ policies: { 'limits.rate': 'observed' } })
  const effect = { error: 'throttled', retry_after_s: 60 } as const
  simulator.faults.add({ operation: 'retrieveAnnotation', when: { times: 1 }, effect })

  expect(await ask('GET', path)).toEqual(throttled('60 seconds'))
  expect(await ask('GET', path)).toMatchObject({ status: 200 })
})
