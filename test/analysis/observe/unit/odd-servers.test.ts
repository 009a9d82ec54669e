import { expect, test } from 'vitest'
import { UnreachableError } from '../../../../src/scenarios/run/target.ts'
import { ownRows } from '../../../support/observe/check-recovery.ts'
import { createHiddenServer, observeSimulator } from '../../../support/observe/hidden-server.ts'
import { htmlPage, lies, observeOddServer, throttled } from '../../../support/observe/odd-server.ts'

const breakConnection = (): never => {
  throw new TypeError('fetch failed')
}

test.each([1, 3])(
  'a server that breaks all connections from request %i on does not respond',
  async (first) => {
    const observation = observeOddServer((number) => (number >= first ? breakConnection() : null))

    await expect(observation).rejects.toThrow(
      new UnreachableError(
        'Failed to reach http://localhost: expected a running server, got no response. Check the server.',
      ),
    )
  },
)

test('two rounds that disagree leave a policy open', async () => {
  const { findings } = await observeOddServer((_, url) =>
    url.includes('offset=none') ? (lies['an invalid body'] as () => Response)() : null,
  )

  expect(findings.find(({ id }) => id === 'lists.limit.invalid')).toMatchObject({
    value: null,
    open: 'Two rounds of requests disagree: default and refused.',
  })
})

test('a value after which no request succeeded stays open', async () => {
  // The error of a missing row is the same as that of a server that is gone.
  const { findings, wrong } = await observeOddServer((number) =>
    number >= 30 ? (lies['a missing row'] as () => Response)() : null,
  )

  expect(wrong).toEqual([])
  expect(findings.map(({ open }) => open)).toContain('No request after it succeeded.')
})

test('a server that dies keeps the rows of the observation, and the result says so', async () => {
  const { left } = await observeOddServer((number) => (number > 60 ? htmlPage(502) : null))

  expect(left).toContain(
    'An annotation could not be removed. Remove it with PATCH /api/projects/1/annotations/9/ with {"deleted": true}.',
  )
})

test.each(['before', 'after'])(
  'a server that fails %s every fifth change keeps no row, or the result names its path',
  async (when) => {
    const simulator = createHiddenServer({})
    let changes = 0
    const { left } = await observeSimulator(
      {
        async fetch(url, init) {
          const isChange = init?.method !== 'GET' && init?.method !== 'OPTIONS'
          changes += isChange ? 1 : 0
          const isLost = isChange && changes % 5 === 0
          if (isLost && when === 'before') return htmlPage(500)
          const response = await simulator.fetch(url, init)
          return isLost ? htmlPage(500) : response
        },
      },
      { wait: async () => {}, maxRequests: 300 },
    )

    expect(left).toEqual([])
    expect(ownRows(simulator)).toEqual([])
  },
)

test('a wait that a 429 names in its header or its words is kept, and counts as a request', async () => {
  const { requests, waits, policies, wrong } = await observeOddServer((number) => {
    if (number === 5) return throttled({ 'retry-after': '7' })
    return number === 9 ? throttled({}, 'Expected available in 12 seconds.') : null
  })

  expect(waits.filter((milliseconds) => milliseconds > 0)).toEqual([7000, 12_000])
  expect(requests).toBeLessThanOrEqual(200)
  expect(wrong).toEqual([])
  // One of the two had the header, and the other had none.
  expect(policies).not.toHaveProperty('limits.retry_after')
})

test('a server that throttles for hours is not waited for', async () => {
  const { ended, waits } = await observeOddServer((number) =>
    number > 20 ? throttled({ 'retry-after': '3600' }) : null,
  )

  expect(ended).toBe('The server throttles after 21 requests, and wants a wait of 3600 seconds.')
  expect(waits.every((milliseconds) => milliseconds < 1000)).toBe(true)
})

test('a row whose creation was not confirmed is searched for and removed', async () => {
  const simulator = createHiddenServer({})
  let created = 0
  const { left } = await observeSimulator({
    async fetch(url, init) {
      const response = await simulator.fetch(url, init)
      if (init?.method !== 'POST' || !/(annotations|plugins)\/$/.test(String(url))) return response
      created += 1
      return created <= 3 ? htmlPage(504) : response
    },
  })

  expect(created).toBeGreaterThan(3)
  expect(ownRows(simulator)).toEqual([])
  expect(left).toEqual([])
})

test('the number of requests is a limit, and leaves enough to clean up', async () => {
  for (const maxRequests of [10, 80]) {
    const { requests, simulator, ended, left } = await observeOddServer(() => null, { maxRequests })

    expect(requests).toBeLessThanOrEqual(maxRequests)
    expect({ rows: ownRows(simulator), left }).toEqual({ rows: [], left: [] })
    expect(ended).toMatch(/requests are used\./)
  }
})
