import { expect, test } from 'vitest'
import type { RequestStep } from '../../../../src/scenarios/format/scenario.ts'
import { applyChange, sendRequest } from '../../../../src/scenarios/run/execute-step.ts'
import {
  createHttpTarget,
  type ReceivedResponse,
  type SentRequest,
  type Target,
  UnreachableError,
} from '../../../../src/scenarios/run/target.ts'
import { UsageError } from '../../../../src/utils/usage-error.ts'
import type { AddedIds } from '../../../../src/world/edit/add-rows.ts'

const baseUrl = 'http://localhost:4010'
const ok: ReceivedResponse = { status: 200, headers: new Headers(), text: '', broken: false }

/** A target with one key, that collects requests and changes. */
function createTarget(response: Partial<ReceivedResponse> = {}, ids: AddedIds = {}) {
  const sent: SentRequest[] = []
  const changes: unknown[] = []
  const target: Target = {
    ...createHttpTarget(baseUrl, { keys: { mine: 'phx_1' } }),
    async send(request) {
      sent.push(request)
      return { ...ok, ...response }
    },
    async change(change) {
      changes.push(change)
      return ids
    },
  }
  return { target, sent, changes }
}

const savedValues = () =>
  new Map<string, unknown>([
    ['id', 5],
    ['word', 'a&b'],
    ['next', `${baseUrl}/api/?offset=1`],
  ])

const at = (path: string, more: object = {}) => ({ method: 'POST', path, ...more })
const json = { 'content-type': 'application/json' }

/** A step, and the URL, headers and body of its request. */
test.each<[RequestStep, url: string, headers: object, body?: unknown]>([
  [at('/api/'), '/api/', {}],
  [at('/api/{id}/?a={word}'), '/api/5/?a=a&b', {}],
  [at('/api/', { query: { a: '{word}', b: 1, c: true } }), '/api/?a=a%26b&b=1&c=true', {}],
  [at('/api/?z=1', { query: { a: 'b c' } }), '/api/?z=1&a=b+c', {}],
  [at('/api/', { query: {} }), '/api/?', {}],
  [at('{next}', { query: { limit: 2 } }), '/api/?offset=1&limit=2', {}],
  [at('/api/', { as: 'mine' }), '/api/', { authorization: 'Bearer phx_1' }],
  [at('/api/', { as: 'other' }), '/api/', {}],
  [at('/api/', { headers: { 'X-Id': 'no. {id}' } }), '/api/', { 'x-id': 'no. 5' }],
  [
    at('/api/', { as: 'mine', body: 1, headers: { Authorization: 'x', 'Content-Type': 'y' } }),
    '/api/',
    { authorization: 'x', 'content-type': 'y' },
    '1',
  ],
  [at('/api/', { body: null }), '/api/', json, 'null'],
  [
    at('/api/', { body: { a: [{ $saved: 'id' }], b: { $literal: { $saved: 'id' } } } }),
    '/api/',
    json,
    '{"a":[5],"b":{"$saved":"id"}}',
  ],
  [at('/api/', { text: '' }), '/api/', {}, ''],
  [at('/api/', { text: '{id}' }), '/api/', {}, '{id}'],
  [at('/api/', { text: { $text: 'No. {id}' } }), '/api/', {}, 'No. 5'],
  [at('/api/', { base64: '' }), '/api/', {}, new Uint8Array()],
  [at('/api/', { base64: '/wAB' }), '/api/', {}, Uint8Array.of(0xff, 0, 1)],
])('the step %j is sent to %s with the headers %j', async (step, url, headers, body) => {
  const { target, sent } = createTarget()

  const executed = await sendRequest(step, target, savedValues())

  expect(sent).toEqual([
    { method: 'POST', url: baseUrl + url, headers, ...(body !== undefined && { body }) },
  ])
  expect(executed).toEqual({
    request: { method: 'POST', url: baseUrl + url },
    response: { status: 200, text: '' },
    differences: [],
  })
})

test.each([
  [`${baseUrl}`, true],
  [`${baseUrl}/`, true],
  [`${baseUrl}1/api/`, false],
  ['http://localhost:4010.example.com/', false],
  ['https://localhost:4010/api/', false],
])('the saved URL %s is below the base URL: %j', async (url, isBelow) => {
  const { target, sent } = createTarget()

  const { request, response, differences } = await sendRequest(
    at('{next}'),
    target,
    new Map([['next', url]]),
  )

  expect([request, sent.length]).toEqual([{ method: 'POST', url }, Number(isBelow)])
  expect([response, differences]).toEqual(
    isBelow
      ? [{ status: 200, text: '' }, []]
      : [
          null,
          [
            {
              path: ['path'],
              where: 'path',
              expected: `a URL below ${baseUrl}`,
              got: url,
              inWords: true,
            },
          ],
        ],
  )
})

const text = JSON.stringify({ id: 0, 'a/b~c': [{ d: null }], '~1': 'e' })

/** A JSON Pointer into that text, and the value there. */
test.each([
  ['', JSON.parse(text)],
  ['/id', 0],
  ['/a~1b~0c/0', { d: null }],
  ['/a~1b~0c/0/d', null],
  ['/~01', 'e'],
])('a step saves the value at %j', async (pointer, value) => {
  const { target } = createTarget({ text })
  const saved = new Map<string, unknown>()

  const { differences } = await sendRequest(at('/', { save: { it: pointer } }), target, saved)

  expect([differences, Object.fromEntries(saved)]).toEqual([[], { it: value }])
})

test.each([
  ['/a', text],
  ['/a~1b~0c/1', text],
  ['/a~1b~0c/0/d/e', text],
  ['/id/toFixed', text],
  ['/toString', text],
  ['/length', '"text"'],
  ['', ''],
])(
  'a value at %j of %j that is missing is a difference, and others are saved',
  async (pointer, body) => {
    const { target } = createTarget({ text: body })
    const saved = new Map<string, unknown>()
    const step = at('/', { expect: { status: 201 }, save: { it: pointer, whole: '' } })

    const { response, differences } = await sendRequest(step, target, saved)

    const missing = (name: string, where: string) => ({
      path: ['save', name],
      where: `save.${name}`,
      expected: `a value at ${where}`,
      got: 'nothing',
      inWords: true,
    })
    expect(response).toEqual({ status: 200, text: body })
    expect(differences).toEqual([
      { path: ['expect', 'status'], where: 'status', expected: 201, got: 200 },
      missing('it', pointer),
      ...(body === '' ? [missing('whole', '')] : []),
    ])
    expect([...saved.keys()]).toEqual(body === '' ? [] : ['whole'])
  },
)

test.each(['body', 'exact_body'] as const)('a step can expect the %s only', async (part) => {
  const { target } = createTarget({ text: '{"id":1}' })

  const { differences } = await sendRequest(
    at('/', { expect: { [part]: { id: 1 } } }),
    target,
    new Map(),
  )

  expect(differences).toEqual([])
})

test('a body that is no JSON is saved as a text', async () => {
  const { target } = createTarget({ text: '{"half' })
  const saved = new Map<string, unknown>()

  await sendRequest(at('/', { save: { it: '' } }), target, saved)

  expect(saved.get('it')).toBe('{"half')
})

test('a change gets its saved values, and the rows of a world stay as they are', async () => {
  const value = { a: { $saved: 'id' }, b: { $literal: '{id}' } }
  const { target, changes } = createTarget({}, { annotations: [7] })
  const saved = savedValues()
  const save = { first: '/annotations/0', second: '/annotations/1' }

  const results = [
    await applyChange({ title: 'A', save, rows: value } as never, target, saved),
    await applyChange({ world: value } as never, target, saved),
    await applyChange({ title: 'A', rows: {} }, target, saved),
  ]

  expect(changes).toEqual([{ rows: { a: 5, b: '{id}' } }, { world: value }, { rows: {} }])
  const difference = {
    path: ['save', 'second'],
    where: 'save.second',
    expected: 'a value at /annotations/1',
    got: 'nothing',
    inWords: true,
  }
  expect(results).toEqual([
    { request: null, response: null, differences: [difference] },
    { request: null, response: null, differences: [] },
    { request: null, response: null, differences: [] },
  ])
  expect(saved.get('first')).toBe(7)
})

test('a refused change is a difference, and any other error ends the replay', async () => {
  const failWith = (error: Error) =>
    applyChange(
      { advance: { days: 1 } },
      { ...createTarget().target, change: () => Promise.reject(error) },
      new Map(),
    )

  expect(await failWith(new UsageError('Not possible.'))).toEqual({
    request: null,
    response: null,
    differences: [
      {
        path: ['advance'],
        where: 'advance',
        expected: 'a valid change',
        got: 'Not possible.',
        inWords: true,
      },
    ],
  })
  await expect(failWith(new UnreachableError('Gone.'))).rejects.toThrow(UnreachableError)
  await expect(failWith(new TypeError('A defect'))).rejects.toThrow(TypeError)
})
