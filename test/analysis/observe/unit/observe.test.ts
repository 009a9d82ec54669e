import { expect, test } from 'vitest'
import { parseKeys } from '../../../../src/analysis/observe/keys.ts'
import { type Finding, probes } from '../../../../src/analysis/observe/observe.ts'
import type { PolicyId } from '../../../../src/policies/policies.ts'
import { htmlPage, observeOddServer } from '../../../support/observe/odd-server.ts'

const error = (status: number) => () =>
  Response.json({ type: 'a', code: 'b', detail: 'No.', attr: null }, { status })
const find = (findings: readonly Finding[], wanted: PolicyId) =>
  findings.find(({ id }) => id === wanted)
const keys = parseKeys({ all: 'phx_all' })
const whole = { allowWrites: false, keys }
/** Enough for all policies of lists. */
const reads = { ...whole, maxRequests: 30 }

test.each([
  [401, error(401), 'The key was refused (401).', true, 2],
  [403, error(403), 'The key was refused (403).', true, 2],
  [404, error(404), 'The server has no project for this key.', true, 2],
  ['{}', () => Response.json({}), 'The server is not this API.', true, 2],
  ['HTML and 404', () => htmlPage(404), 'The server is not this API.', true, 2],
  ['HTML and 302', () => htmlPage(302), 'The server is not this API.', true, 2],
  [500, error(500), 'The server failed with 500.', false, 2],
])(
  'a server that answers everything with %s shows nothing: %s',
  async (_title, answer, reason, isRefused, requests) => {
    const observation = await observeOddServer(answer, reads)

    const { findings, simulator, wrong, methods, waits, ...rest } = observation
    const hidden = Object.values(probes).flatMap((probe) => ('hidden' in probe ? probe.hidden : []))
    const open = findings.map((finding) => finding.open)
    expect(open.filter((text) => !hidden.includes(text as string))).toEqual(
      Array(Object.keys(probes).length - hidden.length).fill(reason),
    )
    expect(open).toEqual(expect.arrayContaining(hidden))
    expect(rest).toEqual({
      policies: {},
      requests,
      left: [],
      refused: isRefused ? reason : null,
      ended: null,
    })
  },
)

test('a server that ends the preparation shows nothing, and why', async () => {
  const { findings, requests, refused, ended } = await observeOddServer(() => null, {
    ...reads,
    maxRequests: 4,
  })

  const reason = 'All 4 requests are used.'
  expect(find(findings, 'errors.body')).toEqual({
    id: 'errors.body',
    value: null,
    open: reason,
    evidence: [],
  })
  expect({ requests, refused, ended }).toEqual({ requests: 4, refused: null, ended: reason })
})

test.each([
  ['lists.limit.maximum', 999, null],
  ['lists.limit.maximum', 1000, '1000'],
  ['annotations.list.limit.default', 0, null],
  ['annotations.list.limit.default', 1, 1],
  ['annotations.list.limit.default', 1_000_000, 1_000_000],
  ['annotations.list.limit.default', 1_000_001, null],
] as const)('of %s, the server may show the value %i: %j', async (id, limit, value) => {
  const previous = `http://localhost/?limit=${limit}`
  const isAsked = (url: string) => url.includes('limit=100000') === (id === 'lists.limit.maximum')
  const { findings } = await observeOddServer(
    (_, url) =>
      url.includes('/annotations/?offset=1000') && isAsked(url)
        ? Response.json({ count: 0, next: null, previous, results: [] })
        : null,
    reads,
  )

  const query = id === 'lists.limit.maximum' ? '&limit=100000' : ''
  expect(find(findings, id)).toEqual({
    id,
    value,
    open: value === null ? 'The server shows a value that the policy does not have.' : null,
    evidence: [1, 2].map(
      (round) =>
        `GET /api/projects/:project_id/annotations/?offset=100000000${round}${query} → 200`,
    ),
  })
})

test('two rounds that disagree leave a policy open, with the requests of both', async () => {
  const { findings } = await observeOddServer(
    (_, url) => (url.includes('offset=none') ? error(400)() : null),
    reads,
  )

  const list = 'GET /api/projects/:project_id/annotations/'
  expect(find(findings, 'lists.limit.invalid')).toEqual({
    id: 'lists.limit.invalid',
    value: null,
    open: 'Two rounds of requests disagree: default and refused.',
    evidence: [`${list}?limit=many&offset=1000000000 → 200`, `${list}?offset=none&limit=1 → 400`],
  })
})

test('a second round that shows nothing leaves a policy open, with the requests of both', async () => {
  const { findings } = await observeOddServer(
    (_, url) => (url.includes('offset=none') ? error(404)() : null),
    reads,
  )

  const list = 'GET /api/projects/:project_id/annotations/'
  expect(find(findings, 'lists.limit.invalid')).toEqual({
    id: 'lists.limit.invalid',
    value: null,
    open: 'The status was 404, and the values would show as 200 or 400.',
    evidence: [`${list}?limit=many&offset=1000000000 → 200`, `${list}?offset=none&limit=1 → 404`],
  })
})

test('an answer without a key that is no error shows no form of errors', async () => {
  const other = () => Response.json({ message: 'No.' }, { status: 404 })
  const { findings } = await observeOddServer((_, url, { headers = {} }) => {
    if (url.includes('@current')) return other()
    return 'authorization' in headers ? null : Response.json({ results: [] })
  }, reads)

  expect(find(findings, 'paths.current')?.open).toBe(
    'A response with 404 had another form than the errors of this server.',
  )
})

const late = 'No request after it succeeded.'

test.each([
  ['works', () => null, 'refused', null],
  ['refuses', error(403), null, late],
  ['has no JSON', () => htmlPage(200), null, late],
  [
    'breaks the connection',
    () => Promise.reject(new TypeError('fetch failed')) as never,
    null,
    late,
  ],
])(
  'a last value that a refusal shows counts if the server then %s',
  async (_title, last, value, open) => {
    const urls: string[] = []
    const { findings, ended, policies } = await observeOddServer((number, url) => {
      urls.push(url)
      if (number >= 48) return last()
      return /plugins\/\w/.test(url) ? error(403)() : null
    }, whole)

    const id = 'plugins.unused.scope'
    expect({ ...find(findings, id), inPolicies: id in policies, ended }).toEqual({
      ...{ id, value, open, inPolicies: value !== null, ended: null },
      evidence: [1, 2].flatMap((limit) => [
        `GET /api/organizations/:organization_id/plugins/?limit=${limit} → 200`,
        `GET /api/organizations/:organization_id/plugins/unused/?limit=${limit} → 403`,
      ]),
    })
    expect(urls[47]).toBe('http://localhost/api/projects/1/annotations/?limit=1')
  },
)

test('an observation that ends early does not ask whether the server still works', async () => {
  const controller = new AbortController()
  const { findings, requests, ended } = await observeOddServer(
    (number, url) => {
      if (number === 40) controller.abort()
      return /plugins\/\w/.test(url) ? error(403)() : null
    },
    { ...whole, signal: controller.signal },
  )

  expect([requests, ended]).toEqual([40, 'The observation was interrupted.'])
  expect(find(findings, 'plugins.activity.scope')?.open).toBe(late)
})
