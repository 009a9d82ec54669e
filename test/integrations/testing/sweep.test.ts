import { expect, test, vi } from 'vitest'
import { sweep } from '../../../src/integrations/testing/sweep.ts'

const deleted = 'https://app.example.com/api/projects/1/annotations/6/'

test('sweep names what a function depends on, with its evidence', async () => {
  const { dependences, outcomes } = await sweep(async ({ as }) => {
    const { status } = await fetch(deleted, as('all'))
    if (status !== 404) throw new Error(`status ${status}`)
  })

  expect(dependences.map(({ sentence }) => sentence)).toEqual([
    "Your client depends on `annotations.deleted.visibility = hidden` (from the service's source, not from the documentation): the client fails (status 200) with `retrievable`; the client fails (status 200) with `listed`.",
  ])
  expect(outcomes.length).toBeGreaterThan(5)
  expect(outcomes.filter(({ outcome }) => outcome === 'failed')).toHaveLength(2)
  expect(
    outcomes.filter(({ outcome }) => outcome === 'not_tested').map(({ variant }) => variant.id),
  ).toEqual(['annotations.search.reach=every_lookup', 'limits.rate=480_per_minute'])
})

test('a function that would go on for ever fails, and ends', async () => {
  let [requests, now] = [0, 0]
  // Each look at the clock takes 100 ms, so that the time limit is a number of requests.
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 100))
  const { dependences } = await sweep({ timeout: 20_000 }, async ({ as }) => {
    for (;;) {
      requests += 1
      const { count, results } = await (
        await as('all').fetch('/api/projects/1/annotations/')
      ).json()
      if (results.length === count) return
    }
  })
  const before = requests
  await new Promise((resolve) => setTimeout(resolve, 20))

  expect(dependences.map(({ on, kind }) => [on, kind])).toEqual([
    ['annotations.list.limit.default', 'source'],
  ])
  expect(dependences[0]?.sentence).toContain('does not end within 20000 ms with `2`')
  expect(requests).toBe(before)
})

test('sweep does not blame a setting for a function that fails by itself', async () => {
  const send = (): Promise<Response> => fetch(deleted)
  let runs = 0

  await expect(sweep(() => Promise.reject(new Error('no\nstack')))).rejects.toThrow(
    'Failed to sweep: the function fails with the service as it is: the client fails (no).',
  )
  await expect(
    sweep(async () => {
      await send()
      runs += 1
      if (runs === 2) throw new Error('sometimes')
    }),
  ).rejects.toThrow(
    'Failed to sweep: the function fails in some of several equal runs: the client fails (sometimes).',
  )
  await expect(sweep(() => {})).rejects.toThrow('Failed to sweep: the function sends no requests.')
})
