import { expect, test } from 'vitest'
import type { Expectation } from '../../../src/simulator/journal/verify.ts'
import type { Json } from '../../../src/utils/json.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

test('an expectation is met by a request that contains the expected part of the body', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotationsPath, { body: { content: 'Launch', scope: 'project' } })

  expect(
    simulator.journal.verify({
      operation: 'createAnnotation',
      body: { content: 'Launch' },
      key: 'all',
      status: 201,
      count: 1,
    }),
  ).toEqual({
    passed: true,
    found: 1,
    nearest: [],
    message:
      'Verified: expected createAnnotation with body {"content":"Launch"}, key "all", status 201 exactly once, found 1.',
  })
})

const counts: readonly [Expectation, message: string][] = [
  [{ count: 2 }, 'Verified: expected listAnnotations exactly 2 times, found 2.'],
  [
    { count: 1 },
    'Failed to verify: expected listAnnotations exactly once, found 2 in 2 requests. Nearest: entry 1.',
  ],
  [{ at_least: 2 }, 'Verified: expected listAnnotations at least 2 times, found 2.'],
  [
    { at_least: 3 },
    'Failed to verify: expected listAnnotations at least 3 times, found 2 in 2 requests.',
  ],
  [{ at_most: 2 }, 'Verified: expected listAnnotations at most 2 times, found 2.'],
  [
    { at_most: 1 },
    'Failed to verify: expected listAnnotations at most once, found 2 in 2 requests. Nearest: entry 1.',
  ],
  [
    { at_least: 1, at_most: 2 },
    'Verified: expected listAnnotations at least once and at most 2 times, found 2.',
  ],
  [
    { at_least: 2, at_most: 2 },
    'Verified: expected listAnnotations at least 2 times and at most 2 times, found 2.',
  ],
  [{ at_least: 0 }, 'Verified: expected listAnnotations any number of times, found 2.'],
  [{}, 'Verified: expected listAnnotations at least once, found 2.'],
  [
    { status: '4xx' },
    'Failed to verify: expected listAnnotations with status 4xx at least once, found 0 in 2 requests. Nearest: entry 2 (status: expected 4xx, got 200).',
  ],
  [
    { status: '4xx', count: 0 },
    'Verified: expected listAnnotations with status 4xx exactly 0 times, found 0.',
  ],
]

test.each(counts)('with two requests, %j gives: %s', async (expectation, message) => {
  const { ask, simulator } = await start()
  await ask('GET', annotationsPath)
  await ask('GET', annotationsPath)

  const result = simulator.journal.verify({ operation: 'listAnnotations', ...expectation })

  expect(result.message).toBe(message)
  expect(result.passed).toBe(message.startsWith('Verified'))
})

test.each<[Expectation['query'], message: string]>([
  [
    { search: 'spring', limit: 10 },
    'Verified: expected listAnnotations with query {"search":"spring","limit":10} at least once, found 1.',
  ],
  [
    { search: 'sp' },
    'Failed to verify: expected listAnnotations with query {"search":"sp"} at least once, found 0 in 2 requests. Nearest: entry 2 (query.search: expected "sp", got nothing).',
  ],
  [
    { search: null, offset: 0 },
    'Failed to verify: expected listAnnotations with query {"search":null,"offset":0} at least once, found 0 in 2 requests. Nearest: entry 2 (query.offset: expected "0", got nothing).',
  ],
  [
    { search: null },
    'Verified: expected listAnnotations with query {"search":null} at least once, found 1.',
  ],
  [
    { personal_api_key: 'another-key' },
    'Failed to verify: expected listAnnotations with query {"personal_api_key":"…"} at least once, found 0 in 2 requests. Nearest: entry 2 (query.personal_api_key: expected "…", got nothing).',
  ],
])('the query %j is compared with the last value of each parameter', async (query, message) => {
  const { ask, simulator } = await start()
  await ask('GET', `${annotationsPath}?search=s&limit=10&search=spri%6eg`)
  await ask('GET', annotationsPath)

  const result = simulator.journal.verify({ operation: 'listAnnotations', query })

  expect(result.message).toBe(message)
})

test('verify compares values with their keys, and masks the keys in its result', async () => {
  const { ask, simulator } = await start()
  const [first, second] = ['phx_oneKeyOneKeyOneKey1234', 'phx_otherKeyOtherKeyOther1234']
  const raw = `personal_api_key=${first}`
  await ask('POST', annotationsPath, { body: { content: first, personal_api_key: [first] } })
  await ask('POST', annotationsPath, { raw, headers: { 'content-type': 'text/plain' } })
  const verify = (body: unknown) => simulator.journal.verify({ body })

  expect(verify({ content: first, personal_api_key: [first] }).passed).toBe(true)
  expect(verify(raw).passed).toBe(true)
  expect(verify({ content: second })).toMatchObject({
    passed: false,
    nearest: [
      {
        entry: 2,
        differences: ['body: expected {"content":"phx_…1234"}, got "personal_api_key=phx_…1234"'],
      },
      { entry: 1, differences: ['body.content: expected "phx_…1234", got "phx_…1234"'] },
    ],
  })
  expect(verify({ personal_api_key: ['another-key'] }).nearest[1]?.differences).toEqual([
    'body.personal_api_key[0]: expected "…", got "phx_…1234"',
  ])
  expect(verify({ personal_api_key: { x: 'another-key' } }).nearest[1]?.differences).toEqual([
    'body.personal_api_key: expected {"x":"…"}, got ["phx_…1234"]',
  ])
})

test('an expectation with an unknown key is rejected, since it would always be met with count 0', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  const { journal, keys } = simulator
  const unlabelled = keys.issue()
  keys.revoke(keys.issue({ label: 'gone' }))
  await ask('GET', annotationsPath, { key: 'phx_unknown' })

  const labels = simulator.keys.list().flatMap(({ label, value }) => (label === value ? [] : label))
  const shown = [...new Set(['gone', ...labels])].map((label) => `"${label}"`).join(', ')
  expect(() => journal.verify({ key: 'al', at_most: 0 })).toThrow(
    expect.objectContaining({
      name: 'UsageError',
      field: 'key',
      message: `Failed to verify: no key has the label or the value "al", and no request was sent with it. Did you mean "all"? The labels are ${shown}.`,
    }),
  )
  for (const key of ['gone', 'all', unlabelled])
    expect.soft(journal.verify({ key, at_most: 0 }).passed, key).toBe(true)
  expect(journal.verify({ key: 'phx_unknown', count: 1 }).passed).toBe(true)
  expect(JSON.stringify(journal.verify({ key: unlabelled }))).not.toContain(unlabelled)
})

test('a body is looked for as its JSON: with the text of a Date, and without undefined', async () => {
  const { ask, simulator } = await start()
  const sent = { content: 'Launch', date_marker: new Date(0) }
  const body = { ...sent, content: undefined } as object as Json
  await ask('POST', annotationsPath, { body: sent })
  simulator.faults.add({ operation: 'createAnnotation', body, effect: { status: 500 } })

  expect(simulator.journal.verify({ body, status: 201, count: 1 }).passed).toBe(true)
  expect((await ask('POST', annotationsPath, { body: sent })).status).toBe(500)
})

test('the three nearest requests are of the operation, with the fewest differences, and the latest', async () => {
  const { ask, simulator } = await start()
  const [list, others] = [annotationsPath, '/api/projects/?limit=1&offset=1']
  for (const path of [others, list, `${list}?limit=1`, list, list, others]) await ask('GET', path)

  const query = { limit: 1, offset: 1 }
  const { nearest } = simulator.journal.verify({ operation: 'listAnnotations', query })

  expect(nearest.map(({ entry }) => entry)).toEqual([3, 5, 4])
})

test('a refusal is no mistake if a verification expected it, and did not fail', async () => {
  const { ask, simulator } = await start({ clock: 'real' })
  const effect = { error: 'throttled', retry_after_s: 60 } as const
  simulator.faults.add({ operation: 'listProjects', effect })
  for (const method of ['DELETE', 'PUT'] as const) await ask(method, `${annotationsPath}1/`)

  const failed = simulator.journal.verify({ operation: 'deleteAnnotation', status: 405, count: 2 })
  const before = simulator.journal.mistakes()
  simulator.journal.verify({ status: 405 })

  expect([failed.passed, before.length, simulator.journal.mistakes()]).toEqual([false, 1, []])
  for (let sent = 0; sent < 2; sent += 1) await ask('GET', '/api/projects/')
  simulator.journal.verify({ status: 429 })
  expect(simulator.journal.mistakes()).toMatchObject([{ rule: 'early-retry' }])
})

test('of a large body the first differences are described, and nothing that a name behind them hides', async () => {
  const { ask, simulator } = await start()
  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f${at}`, at]))
  const verify = (expected: Expectation) => simulator.journal.verify(expected).nearest[0]

  expect(verify({ body: many })?.differences).toHaveLength(100)
  expect(verify({ query: many })?.differences).toHaveLength(100)
  const [shown] = verify({ body: [{ value: 'opaque', ...many, name: 'token' }] })?.differences ?? []
  expect(shown).toContain('expected [{"value":"…","f0":0,')
})

test('an item that a list has once more is named', async () => {
  const { ask, simulator } = await start()
  await ask('PATCH', `${annotationsPath}1/`, { body: { tags: ['a', 'a'] } })

  const { message } = simulator.journal.verify({ body: { tags: ['a'] } })

  expect(message).toContain('[1]')
})

test.each([
  [1, '1 request.'],
  [2, '2 requests.'],
])('with %i entries kept of one more, the message says so', async (entries, requests) => {
  const { ask, simulator } = await start({ journal: { entries } })
  for (let index = 0; index <= entries; index += 1) await ask('GET', '/api/project/')

  const { message } = simulator.journal.verify({ operation: 'listProjects' })

  const evicted = '1 earlier request was evicted from the journal.'
  expect(message).toContain(` in ${requests} ${evicted}`)
  expect(message).toContain('got none: GET /api/project/ is unknown (closest: GET /api/projects, ')
  expect(simulator.journal.verify({}).message).toContain(evicted)
  simulator.journal.clear()
  expect(simulator.journal.verify({ count: 0 }).message).not.toContain(evicted)
})
