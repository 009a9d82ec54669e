import { expect, test } from 'vitest'
import type { Expectation } from '../../../src/simulator/journal/verify.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { initOf, type RequestOptions } from '../../support/lanes/client.ts'

type Request = readonly [method: string, path: string, options?: RequestOptions]

const unknown = 'phx_0123456789abcdef1234'

/** Sends requests, and verifies their journal. */
async function verify(requests: readonly Request[], expectation: Expectation, entries = 1_000) {
  const simulator = createSimulator({ journal: { entries } })
  for (const [method, path, options = {}] of requests) {
    await simulator.fetch(path, initOf(method, options))
  }
  return simulator.journal.verify(expectation)
}

const read: Request = ['GET', annotationsPath]
const post = (body: unknown): Request => ['POST', annotationsPath, { body }]

test('the requests with the fewest differences are listed, of equal ones the latest, and others last', async () => {
  const requests = [
    read,
    post({ content: 'A' }),
    post({ content: 'B', scope: 'x' }),
    read,
    post({ content: 'C', scope: 'y' }),
    post({ content: 'D' }),
  ]
  const entriesOf = async (expectation: Expectation) =>
    (await verify(requests, expectation)).nearest.map(({ entry }) => entry)

  expect(await entriesOf({ operation: 'createAnnotation', body: { content: 'E' } })).toEqual([
    6, 5, 3,
  ])
  expect(
    await entriesOf({ operation: 'createAnnotation', body: { scope: 'x', content: 'A' } }),
  ).toEqual([3, 2, 6])
  expect(
    await entriesOf({ operation: 'listAnnotations', body: { scope: 'x', content: 'A' } }),
  ).toEqual([4, 1, 3])
  expect(
    await entriesOf({ operation: 'createAnnotation', body: { content: 'A' }, count: 2 }),
  ).toEqual([6, 5, 3])
  expect(await entriesOf({ operation: 'createAnnotation', at_most: 2 })).toEqual([2, 3, 5])
  expect(await entriesOf({ operation: 'createAnnotation', at_most: 4 })).toEqual([])
})

test.each<[request: Request, expectation: Expectation, differences: string[]]>([
  [read, { operation: 'listPlugins' }, ['operation: expected listPlugins, got listAnnotations']],
  [
    ['GET', `/api/${unknown}/`],
    { operation: 'listProjects' },
    [
      'operation: expected listProjects, got none: GET /api/phx_…1234/ is unknown (closest: GET /api/projects, segment 2: expected projects, got phx_…1234)',
    ],
  ],
  [read, { key: 'none' }, ['key: expected "none", got "all"']],
  [read, { key: 'phx_none' }, ['key: expected "phx_…", got "all"']],
  [['GET', annotationsPath, { key: null }], { key: 'all' }, ['key: expected "all", got no key']],
  [
    ['GET', annotationsPath, { key: unknown }],
    { key: 'all' },
    ['key: expected "all", got "phx_…1234"'],
  ],
  [read, { status: 404 }, ['status: expected 404, got 200']],
  [
    read,
    { status: '5xx', body: {} },
    ['status: expected 5xx, got 200', 'body: expected {}, got null'],
  ],
  [post({ a: [{ b: 1 }, 2] }), { body: { a: [{ b: 2 }, 2] } }, ['body.a[0].b: expected 2, got 1']],
  [post({ a: [1] }), { body: { a: [1, 2] } }, ['body.a: expected 2 items, [1] is 2, got 1 item']],
  [
    post({ a: [unknown] }),
    { body: { a: [] } },
    ['body.a: expected 0 items, got 1 item, [0] is "phx_…1234"'],
  ],
  [post({ token: 'one' }), { body: { token: 'two' } }, ['body.token: expected "…", got "…"']],
  [post({ [unknown]: 1 }), { body: { [unknown]: 2 } }, ['body.phx_…1234: expected 2, got 1']],
  [post('text'), { body: null }, ['body: expected null, got "text"']],
])('the differences between %j and %j', async (request, expectation, differences) => {
  const { passed, found, nearest, message } = await verify([request], expectation)

  expect({ passed, found, nearest }).toEqual({
    passed: false,
    found: 0,
    nearest: [{ entry: 1, differences }],
  })
  expect(message.split(' in 1 request. ')[1]).toBe(`Nearest: entry 1 (${differences.join('; ')}).`)
})

test.each<[expectation: Expectation, text: string]>([
  [
    { operation: 'listPlugins', key: 'none', status: 200 },
    'listPlugins with key "none", status 200 at least once',
  ],
  [{ body: { token: 'x' }, count: 2 }, 'a request with body {"token":"…"} exactly 2 times'],
  [{ body: unknown, at_least: 2 }, 'a request with body "phx_…1234" at least 2 times'],
  [
    { key: 'phx_none', at_least: 1, at_most: 3 },
    'a request with key "phx_…" at least once and at most 3 times',
  ],
])('the expectation %j is described without keys', async (expectation, text) => {
  const { message } = await verify([], expectation)

  expect(message).toBe(`Failed to verify: expected ${text}, found 0 in 0 requests.`)
})

test.each<[entries: number, expectation: Expectation, message: string]>([
  [
    2,
    { count: 2 },
    'Verified: expected a request exactly 2 times, found 2. 1 earlier request was evicted from the journal.',
  ],
  [
    1,
    { count: 1 },
    'Verified: expected a request exactly once, found 1. 2 earlier requests were evicted from the journal.',
  ],
  [3, { at_most: 3 }, 'Verified: expected a request at most 3 times, found 3.'],
  [
    2,
    { count: 0 },
    'Failed to verify: expected a request exactly 0 times, found 2 in 2 requests. 1 earlier request was evicted from the journal. Nearest: entry 2.',
  ],
])(
  'of three requests, a journal of %i is verified with %j',
  async (entries, expectation, message) => {
    expect(await verify([read, read, read], expectation, entries)).toMatchObject({ message })
  },
)
