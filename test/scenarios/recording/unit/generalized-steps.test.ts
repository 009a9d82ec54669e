import { expect, test } from 'vitest'
import type { RequestStep, Step } from '../../../../src/scenarios/format/scenario.ts'
import { GeneralizedSteps } from '../../../../src/scenarios/recording/generalized-steps.ts'

const baseUrl = 'https://api.example.com'
const uuid = '018f2b6e-0000-7000-8000-00000000000a'
const list = '/api/projects/1/annotations/'
const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }

const aliases = { isFromResponse: () => false, isSentByClient: () => false }

/** The steps of these requests, after the response of a first one with ids. */
function stepsAfterIds(...requests: readonly Partial<RequestStep>[]): Step[] {
  const steps = new GeneralizedSteps(aliases)
  const exact_body = {
    results: [{ id: 12, short_id: 'a&b', uuid, next: `${baseUrl}${list}?offset=1` }],
  }
  const first = { method: 'GET', path: list, expect: { status: 200, exact_body } }
  for (const request of [first, ...requests]) {
    const step: RequestStep = { method: 'POST', path: '/api/other/', ...request }
    const query = String(new URLSearchParams(step.query as Record<string, string>))
    steps.collectIds()
    steps.add(step, query === '' ? step.path : `${step.path}?${query}`, baseUrl)
  }
  return requests.map((_, index) => steps.step(index + 1))
}

test.each<readonly [string, Partial<RequestStep>, Partial<RequestStep>]>([
  ['a path', { path: `${list}12/` }, { path: `${list}{annotation_id}/` }],
  [
    'a query',
    { query: { annotation_id: 12, id: 12, search: `of ${uuid}`, limit: 12, next: true, a: 'b' } },
    {
      query: {
        annotation_id: '{annotation_id}',
        id: 12,
        search: 'of {annotation_id_2}',
        limit: 12,
        next: true,
        a: 'b',
      },
    },
  ],
  [
    'headers',
    { headers: { 'x-of': `of ${uuid}`, 'x-id': '12' } },
    { headers: { 'x-of': 'of {annotation_id}', 'x-id': '12' } },
  ],
  [
    'a JSON body',
    {
      body: {
        annotation_id: 12,
        texts: [`of ${uuid} and {x}`, uuid, 'in {x}', '12'],
        count: 12,
        annotations: [{ id: '12' }],
        none: null,
      },
    },
    {
      body: {
        annotation_id: { $saved: 'annotation_id' },
        texts: [
          { $text: 'of {annotation_id_2} and {{x}}' },
          { $saved: 'annotation_id_2' },
          'in {x}',
          '12',
        ],
        count: 12,
        annotations: [{ id: { $saved: 'annotation_id' } }],
        none: null,
      },
    },
  ],
  [
    'a text',
    { text: `of {x}, ${uuid} and 12` },
    { text: { $text: 'of {{x}}, {annotation_id} and 12' } },
  ],
  ['a text without values', { text: 'in {x}, 12' }, { text: 'in {x}, 12' }],
  [
    'a text that is no form',
    { headers: { 'content-type': 'text/plain' }, text: 'annotation_id=12' },
    { headers: { 'content-type': 'text/plain' }, text: 'annotation_id=12' },
  ],
  [
    'a form',
    {
      headers: form,
      text: `annotation_id=12&a={x}&uuid=${uuid}&annotation_id=%31%32&annotation_id`,
    },
    {
      headers: form,
      text: {
        $text:
          'annotation_id={annotation_id}&a={{x}}&uuid={annotation_id_2}&annotation_id={annotation_id}&annotation_id',
      },
    },
  ],
  [
    'a form without values',
    { headers: form, text: 'annotation_id=x12&&annotation_id=12x&id={x}&12&annotation_id=a%26b' },
    { headers: form, text: 'annotation_id=x12&&annotation_id=12x&id={x}&12&annotation_id=a%26b' },
  ],
  ['bytes', { base64: 'AAAA' }, { base64: 'AAAA' }],
])(
  '%s of a request names the ids of earlier responses, and nothing else',
  (_, request, expected) => {
    expect(stepsAfterIds(request)).toEqual([{ method: 'POST', path: '/api/other/', ...expected }])
  },
)

test('a request that follows a link has its name as the path, and no query', () => {
  const [followed, other] = stepsAfterIds(
    { method: 'GET', path: list, query: { offset: 1 } },
    { method: 'GET', path: list, query: { offset: 2 } },
  )

  expect([followed, other]).toEqual([
    { method: 'GET', path: '{next}' },
    { method: 'GET', path: list, query: { offset: 2 } },
  ])
  expect(Object.keys(followed as object)).toEqual(['method', 'path'])
})

test('a request that uses an id changes the earlier steps that contain it', () => {
  const steps = new GeneralizedSteps(aliases)
  const add = (path: string, exact_body?: unknown) => {
    steps.collectIds()
    const step = {
      method: 'GET',
      path,
      ...(exact_body !== undefined && { expect: { exact_body } }),
    }
    return steps.add(step, path, baseUrl)
  }

  const changed = [
    add(list, [{ id: 11 }, { id: 12 }]),
    add(list, [{ id: 12 }]),
    add('/api/other/', {}),
    add(`${list}12/`, { id: 12 }),
    add(`${list}12/`),
  ]

  expect(changed).toEqual([[0], [1], [2], [0, 1, 3], [4]])
  expect(steps.length).toBe(5)
  expect(Array.from({ length: 5 }, (_, index) => steps.step(index))).toEqual([
    {
      method: 'GET',
      path: list,
      expect: { exact_body: [{ id: { $match: 'id' } }, { id: { $match: 'id' } }] },
      save: { annotation_id: '/1/id' },
    },
    { method: 'GET', path: list, expect: { exact_body: [{ id: { $saved: 'annotation_id' } }] } },
    { method: 'GET', path: '/api/other/', expect: { exact_body: {} } },
    {
      method: 'GET',
      path: `${list}{annotation_id}/`,
      expect: { exact_body: { id: { $saved: 'annotation_id' } } },
    },
    { method: 'GET', path: `${list}{annotation_id}/` },
  ])
})

test('the ids of a step that was written are known without collecting them again', () => {
  const steps = new GeneralizedSteps(aliases)
  const exact_body = [{ id: 12 }]
  steps.add({ method: 'GET', path: list, expect: { exact_body } }, list, baseUrl)
  steps.step(0)
  exact_body.push({ id: 13 })
  steps.collectIds()

  const changed = [12, 13].map((id) =>
    steps.add({ method: 'GET', path: `${list}${id}/` }, `${list}${id}/`, baseUrl),
  )

  expect(changed).toEqual([[0, 1], [2]])
})

test('the ids of added rows are saved for later requests and changes', () => {
  const steps = new GeneralizedSteps(aliases)
  const rows = { annotations: [{ id: 11 }, { id: 12, content: 'A', project: 1 }] }
  steps.addChange({ rows } as never)
  steps.addChange({ delete: { annotations: [12] } })

  const changed = steps.add({ method: 'GET', path: `${list}12/` }, `${list}12/`, baseUrl)

  expect(changed).toEqual([0, 2])
  expect([0, 1, 2].map((index) => steps.step(index))).toEqual([
    {
      rows: { annotations: [{}, { content: 'A', project: 1 }] },
      save: { annotation_id: '/annotations/1' },
    },
    { delete: { annotations: [{ $saved: 'annotation_id' }] } },
    { method: 'GET', path: `${list}{annotation_id}/` },
  ])
})

test('steps are stored in packed form', () => {
  const packed: string[] = []
  const pack = (step: Step) => packed.push(JSON.stringify(step)) - 1
  const unpack = (index: unknown) => JSON.parse(packed[index as number] as string) as Step
  const steps = new GeneralizedSteps(aliases, { pack, unpack })

  steps.addChange({ rows: { annotations: [{ id: 12 }] } } as never)
  steps.add({ method: 'GET', path: `${list}12/` }, `${list}12/`, baseUrl)

  expect(packed).toEqual([
    '{"rows":{"annotations":[{"id":12}]}}',
    `{"method":"GET","path":"${list}12/"}`,
  ])
  expect([0, 1].map((index) => steps.step(index))).toEqual([
    { rows: { annotations: [{}] }, save: { annotation_id: '/annotations/0' } },
    { method: 'GET', path: `${list}{annotation_id}/` },
  ])
})
