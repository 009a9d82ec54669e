import { expect, test, vi } from 'vitest'
import { probes } from '../../../../src/analysis/observe/observe.ts'
import type { Probe } from '../../../../src/analysis/observe/round.ts'
import { UnreachableError } from '../../../../src/scenarios/run/target.ts'
import { ownRows } from '../../../support/observe/check-recovery.ts'
import { createHiddenServer, observeSimulator } from '../../../support/observe/hidden-server.ts'
import { htmlPage, lies, observeOddServer, throttled } from '../../../support/observe/odd-server.ts'

const redirect = () =>
  new Response(null, { status: 302, headers: { location: 'https://example.com/login' } })

test.each([
  ['redirects', redirect],
  ['answers with HTML', () => htmlPage(200)],
  ['answers with HTML errors', () => htmlPage(404)],
  ['fails', () => htmlPage(503)],
])('nothing is found of a server that %s', async (_, respond) => {
  const { policies, requests, left } = await observeOddServer(respond)

  expect(policies).toEqual({})
  expect(requests).toBeLessThan(15)
  expect(left).toEqual([])
})

const breakConnection = (): never => {
  throw new TypeError('fetch failed')
}

test.each([2, 5])(
  'a connection that breaks at request %i of the preparation is no end of the observation',
  async (at) => {
    const { findings, wrong } = await observeOddServer(
      (number) => (number === at ? breakConnection() : null),
      { maxRequests: 20, allowWrites: false },
    )

    expect(wrong).toEqual([])
    expect(findings.filter(({ value }) => value !== null).length).toBeGreaterThan(2)
  },
)

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

// Every position of every lie is in odd-servers.slow.test.ts.
test.each([
  ['an HTML page', 4],
  ['an empty list', 9],
  ['a missing row', 46],
  ['an unknown key', 64],
] as const)('%s in place of response %i leads to no wrong value', async (name, at) => {
  const { wrong } = await observeOddServer((number) =>
    number === at ? (lies[name] as () => Response)() : null,
  )

  expect(wrong).toEqual([])
})

test('two rounds that disagree leave a policy open', async () => {
  const { findings } = await observeOddServer((_, url) =>
    url.includes('offset=none') ? (lies['an invalid body'] as () => Response)() : null,
  )

  expect(findings.find(({ id }) => id === 'lists.limit.invalid')).toMatchObject({
    value: null,
    open: 'Two rounds of requests disagree: default and refused.',
  })
})

test('an error in another form than those of the server shows no value', async () => {
  const { findings } = await observeOddServer((_, url) =>
    url.includes('@current') ? htmlPage(404) : null,
  )

  expect(findings.find(({ id }) => id === 'paths.current')).toEqual({
    id: 'paths.current',
    value: null,
    open: 'A response with 404 had another form than the errors of this server.',
    evidence: ['GET /api/projects/@current/annotations/?limit=1 → 404'],
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

test.each([
  ['breaks all connections', () => Promise.reject(new TypeError('fetch failed')) as never],
  ['answers with HTML errors', () => htmlPage(404)],
  ['answers with empty pages', () => htmlPage(200)],
])('a server that dies midway and %s shows no wrong value', async (_, respond) => {
  const { wrong, findings, policies } = await observeOddServer(
    (number) => (number >= 40 ? respond() : null),
    { policies: { 'errors.body': 'html' } },
  )

  expect(wrong).toEqual([])
  expect(Object.keys(policies).length).toBeGreaterThan(3)
  expect(findings.every(({ value, open }) => (value === null) === (open !== null))).toBe(true)
})

test('a server that dies keeps the rows of the observation, and the result says so', async () => {
  const { left } = await observeOddServer((number) => (number > 100 ? htmlPage(502) : null))

  expect(left.length).toBeGreaterThan(0)
  expect(left[0]).toBe(
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

test('a failed request that removes a row is repeated', async () => {
  const failed = new Set<string>()
  const { left, simulator } = await observeOddServer(
    (_, url, { method, body }) => {
      const isRemoval = method === 'DELETE' || body === '{"deleted":true}'
      if (!isRemoval || failed.has(url)) return null
      failed.add(url)
      return htmlPage(502)
    },
    { maxRequests: 300 },
  )

  expect(failed.size).toBeGreaterThan(1)
  expect(left).toEqual([])
  expect(ownRows(simulator)).toEqual([])
})

test('a wait that a 429 names in its header or its words is kept, and counts as a request', async () => {
  const { requests, waits, policies, wrong } = await observeOddServer((number) => {
    if (number === 5) return throttled({ 'retry-after': '7' })
    return number === 9 ? throttled({}, 'Expected available in 12 seconds.') : null
  })

  expect(waits.filter((milliseconds) => milliseconds > 0)).toEqual([7000, 12_000])
  expect(requests).toBeLessThanOrEqual(150)
  expect(wrong).toEqual([])
  // One of the two had the header, and the other had none.
  expect(policies).not.toHaveProperty('limits.retry_after')
})

test('two 429 show whether they have Retry-After', async () => {
  const { policies } = await observeOddServer(
    (number) => (number === 5 || number === 9 ? throttled({ 'retry-after': '1' }) : null),
    { policies: { 'limits.retry_after': 'present' } },
  )

  expect(policies).toMatchObject({ 'limits.retry_after': 'present' })
})

test('a server that throttles for hours is not waited for', async () => {
  const { ended, waits } = await observeOddServer((number) =>
    number > 20 ? throttled({ 'retry-after': '3600' }) : null,
  )

  expect(ended).toBe('The server throttles after 21 requests, and wants a wait of 3600 seconds.')
  expect(waits.every((milliseconds) => milliseconds < 1000)).toBe(true)
})

test('an interrupt removes the rows of the observation', async () => {
  const controller = new AbortController()
  const { ended, simulator, left, requests } = await observeOddServer(
    (number) => {
      if (number === 110) controller.abort()
      return null
    },
    { signal: controller.signal },
  )

  expect(ended).toBe('The observation was interrupted.')
  expect(ownRows(simulator)).toEqual([])
  expect(left).toEqual([])
  expect(requests).toBeGreaterThan(110)
})

test('an interrupt ends a wait', async () => {
  const controller = new AbortController()
  const simulator = createHiddenServer({})
  let count = 0

  const { ended, requests } = await observeSimulator(
    {
      async fetch(url, init) {
        count += 1
        if (count < 9) return simulator.fetch(url, init)
        setTimeout(() => controller.abort(), 20)
        return throttled({ 'retry-after': '50' })
      },
    },
    { signal: controller.signal },
    'real waits',
  )

  expect({ ended, requests }).toEqual({ ended: 'The observation was interrupted.', requests: 9 })
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

test('a probe that fails leaves its policy open, and the rows are removed', async () => {
  const probe = vi.spyOn(probes['annotations.restore'] as Probe, 'observe')
  probe.mockRejectedValue(new TypeError('secret'))

  const { findings, simulator, left } = await observeOddServer(() => null).finally(() =>
    probe.mockRestore(),
  )

  expect(findings.find(({ id }) => id === 'annotations.restore')).toMatchObject({
    value: null,
    open: 'The probe cannot read a response (TypeError).',
  })
  expect(findings.find(({ id }) => id === 'headers.location')?.value).not.toBe(null)
  expect({ rows: ownRows(simulator), left }).toEqual({ rows: [], left: [] })
})

test('a list that contains null shows no value, and the rows are removed', async () => {
  const { findings, simulator, left } = await observeOddServer((_, url) =>
    url.includes('search=k2j4')
      ? Response.json({ count: 1, next: null, previous: null, results: [null] })
      : null,
  )

  expect(findings.find(({ id }) => id === 'annotations.deleted.visibility')?.open).toBe(
    'The search does not find an own annotation.',
  )
  expect({ rows: ownRows(simulator), left }).toEqual({ rows: [], left: [] })
})

test('each request waits for the rate, also those that remove unconfirmed rows', async () => {
  const simulator = createHiddenServer({})
  const events: (string | number)[] = []

  const { requests } = await observeSimulator(
    {
      async fetch(url, init) {
        events.push('send')
        const response = await simulator.fetch(url, init)
        return init?.method === 'POST' && response.status === 201 ? htmlPage(504) : response
      },
    },
    { rate: 5, wait: async (milliseconds) => void events.push(milliseconds) },
  )

  const alternating = Array.from({ length: requests - 1 }, () => [200, 'send']).flat()
  expect(events).toEqual(['send', ...alternating])
  expect(ownRows(simulator)).toEqual([])
})

test('enough requests are kept to remove every unconfirmed row', async () => {
  for (const maxRequests of [41, 47, 54, 71]) {
    const simulator = createHiddenServer({})
    const { requests, left } = await observeSimulator(
      {
        async fetch(url, init) {
          const response = await simulator.fetch(url, init)
          return init?.method === 'POST' && response.status === 201 ? htmlPage(504) : response
        },
      },
      { maxRequests },
    )

    expect(requests).toBeLessThanOrEqual(maxRequests)
    expect({ rows: ownRows(simulator), left }).toEqual({ rows: [], left: [] })
  }
})
