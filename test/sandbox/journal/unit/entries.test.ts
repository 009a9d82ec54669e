import { expect, test } from 'vitest'
import { annotationsPath } from '../../../support/api/paths.ts'
import { renderRequest, unlabelled } from './render-request.ts'

const list = annotationsPath
const fault = {
  effect: { error: 'throttled' },
  phase: 'before',
  operation: 'listAnnotations',
} as const

test.each<[effect: object, shown: object]>([
  [{ status: 503 }, { status: 503 }],
  [
    { status: 503, headers: { 'set-cookie': 'a=b', note: unlabelled }, body: { a: unlabelled } },
    { status: 503, headers: { 'set-cookie': '…', note: 'phx_…1234' }, body: { a: 'phx_…1234' } },
  ],
])('the effect %j of a fault is shown with masked keys', async (effect, shown) => {
  const { renderer, stored } = await renderRequest(['GET', list], ({ faults }) =>
    faults.add({ effect } as never),
  )

  expect(renderer.render(stored).fault).toEqual({
    id: 'fault-1',
    effect: shown,
    phase: 'before',
  })
})

const none = {
  key: 'all',
  operation: 'listAnnotations',
  fault: null,
  nearest: null,
  decidedBy: [],
  ignored: [],
  reason: null,
  status: 200,
}

test.each<[title: string, Parameters<typeof renderRequest>, summary: object]>([
  ['a success', [['GET', list]], { ...none, method: 'GET', target: list }],
  [
    'a key without a label',
    [['GET', list, { key: unlabelled }]],
    { ...none, method: 'GET', target: list, key: 'phx_…1234' },
  ],
  [
    'no key',
    [['GET', list, { key: null }]],
    {
      ...none,
      method: 'GET',
      target: list,
      key: null,
      status: 401,
      reason: '401: the request has no Authorization header',
      decidedBy: ['keys.missing.status'],
    },
  ],
  [
    'ignored input',
    [['GET', `${list}?serch=${unlabelled}`]],
    {
      ...none,
      method: 'GET',
      target: `${list}?serch=phx_%E2%80%A61234`,
      ignored: ['?serch, did you mean search?'],
    },
  ],
  [
    'a fault',
    [['GET', list], ({ faults }) => faults.add(fault)],
    {
      ...none,
      method: 'GET',
      target: list,
      status: 429,
      fault: 'fault-1',
      reason: '429: the fault `fault-1` was applied: the response is a 429 (throttled)',
    },
  ],
  [
    'an unknown path',
    [['GET', '/api/x/']],
    {
      ...none,
      method: 'GET',
      target: '/api/x/',
      operation: null,
      status: 404,
      reason: '404: no operation has the path `/api/x/`',
      nearest: expect.stringContaining('GET /api/'),
    },
  ],
])('a summary is the short form of an entry: %s', async (_title, request, expected) => {
  const { renderer, stored } = await renderRequest(...request)

  const { policies, reason, ignored, decidedBy, ...summary } = renderer.summarize(stored)

  const entry = renderer.render(stored)
  expect({
    ...summary,
    reason: reason(),
    ignored: ignored(),
    decidedBy: decidedBy().map(({ id }) => id),
  }).toEqual({ id: 1, ms: 1.235, ...expected })
  expect(policies()).toEqual(
    Object.fromEntries(entry.policies.map(({ id, setting }) => [id, setting])),
  )
  expect([reason(), ignored(), decidedBy()]).toEqual([
    entry.reason,
    entry.ignored,
    entry.decided_by ?? [],
  ])
})

test('a renderer knows keys by their values and labels, also those that are gone', async () => {
  const { renderer, stored } = await renderRequest(['GET', list], ({ keys }) => {
    keys.revoke('phx_none')
    keys.issue({ value: 'phx_named', label: `named ${unlabelled}` })
  })
  const names = ['all', 'phx_all', 'none', 'phx_none', unlabelled, 'al', `named ${unlabelled}`]

  expect(names.map((name) => renderer.knowsKey(name))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    true,
  ])
  expect(names.map((name) => renderer.hasKey(stored, name))).toEqual([
    true,
    true,
    ...Array(5).fill(false),
  ])
  expect(names.map((name) => renderer.displayKey(name))).toEqual([
    'all',
    'phx_…',
    'none',
    'phx_…',
    'phx_…1234',
    '…',
    'named phx_…1234',
  ])
  expect(renderer.labels).toContain('none')
  expect(renderer.labels).not.toContain(unlabelled)
  expect(new Set(renderer.labels).size).toBe(renderer.labels.length)
})
