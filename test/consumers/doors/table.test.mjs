// Each client, in each environment, beside each msw and Vitest: what tests of a page do.

import { test } from 'understudy-api/vitest'
import { afterAll, describe, expect } from 'vitest'
import { clients } from './clients.mjs'
import { reached } from './network.mjs'

const path = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all' }
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

afterAll(async () => {
  await pause(50)
  expect(reached).toEqual([])
})

describe.for(Object.entries(clients))('%s', ([, read]) => {
  // A connection that one test leaves open is that of the next one.
  test.for([0, 5, 0, 5])('one request, and a pause of %i ms', async (ms, { simulator }) => {
    expect(JSON.parse(await read(path, { headers })).count).toBe(6)
    await pause(ms)
    expect(simulator).toHaveReceived({ operation: 'listAnnotations', count: 1 })
  })

  test('a list that is read twice', async () => {
    const first = await read(path, { headers })
    expect(JSON.parse(first).count).toBe(6)
    expect(await read(path, { headers })).toBe(first)
  })

  test('a component that is mounted twice aborts its first request', async () => {
    const mounted = new AbortController()
    const first = read(path, { headers, signal: mounted.signal })
    mounted.abort()
    const second = read(path, { headers, signal: new AbortController().signal })
    expect(JSON.parse(await second).count).toBe(6)
    await first.catch(() => {})
  })

  test('a test that does not wait for its request', ({ simulator }) => {
    simulator.faults.add({ operation: 'listAnnotations', effect: { hold: true } })
    read(path, { headers }).catch(() => {})
  })

  describe('at the same time', { concurrent: true }, () => {
    test.for([0, 1, 2])('each test has its rows: %i', async (extra, { simulator, expect }) => {
      for (let made = 0; made < extra; made++) simulator.world.annotations.add({ content: 'A' })
      expect(JSON.parse(await read(path, { headers })).count).toBe(6 + extra)
      await pause(extra)
      expect(JSON.parse(await read(path, { headers })).count).toBe(6 + extra)
      expect(simulator.journal.find()).toHaveLength(2)
    })
  })
})
