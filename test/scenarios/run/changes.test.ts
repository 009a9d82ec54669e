import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import {
  createSimulator,
  type RequestStep,
  type Scenario,
  scenarioReport,
  type WorldJson,
} from '../../../src/index.ts'

import { acme, annotationsPath as list } from '../../support/api/paths.ts'

const throttled = { operation: 'listAnnotations', effect: { error: 'throttled' } } as const

/** A read of the list, and its expected response. */
const reading = (expect: Required<RequestStep>['expect'], as = 'all'): RequestStep => {
  return { as, method: 'GET', path: list, expect }
}

/** The report of a replay in the world `empty`, without the lines of passed steps. */
async function differences(steps: Scenario['steps']): Promise<string[]> {
  const result = await createSimulator().run({ title: 'Changes', world: 'empty', steps })
  return scenarioReport(result)
    .split('\n')
    .filter((line) => /^ {2}[✗-]|expected|got/.test(line) && !line.includes('as expected'))
}

test('a world replaces all rows, and a reset restores it', async () => {
  const world: WorldJson = {
    ...defaultWorld,
    keys: [{ ...defaultWorld.keys[0], value: 'phx_other_world', label: 'other' }],
    annotations: [{ ...defaultWorld.annotations[0], id: 5, content: '{ "$saved": "as it is" }' }],
    plugins: defaultWorld.plugins.map((row) => ({ ...row, metrics: { $literal: 'sum' } })),
  } as WorldJson
  const five = { status: 200, body: { results: [{ id: 5, content: '{ "$saved": "as it is" }' }] } }
  const write = { as: 'other', method: 'POST', path: list, body: {}, expect: { status: 201 } }

  expect(
    await differences([
      reading({ body: { count: 0 } }),
      { world },
      reading(five, 'other'),
      {
        ...reading(
          { body: { results: [{ metrics: { $literal: { $literal: 'sum' } } }] } },
          'other',
        ),
        path: `/api/organizations/${acme}/plugins/?limit=1`,
      },
      write,
      { reset: true },
      reading(five, 'other'),
    ]),
  ).toEqual([])
})

test('a reset restores rows, and a list the parts that it names', async () => {
  const missing: RequestStep = { as: 'all', method: 'DELETE', path: `${list}1/` }

  expect(
    await differences([
      { rows: { annotations: [{ content: 'Launch' }] } },
      { settings: { 'annotations.delete.status': 404 } },
      { fault: { operation: 'createAnnotation', effect: { error: 'throttled' } } },
      { reset: true },
      reading({ body: { count: 0 } }),
      { ...missing, expect: { status: 404 } },
      { as: 'all', method: 'POST', path: list, body: {}, expect: { status: 429 } },
      { rows: { annotations: [{ content: 'Launch' }] } },
      { profile: 'live' },
      { ...missing, expect: { status: 405, text: '' } },
      { reset: ['settings', 'faults'] },
      { ...missing, expect: { status: 405 } },
      { as: 'all', method: 'POST', path: list, body: {}, expect: { status: 201 } },
      reading({ body: { count: 2 } }),
    ]),
  ).toEqual([])
})

test('faults are removed by id, or all together, and nothing else is reset', async () => {
  expect(
    await differences([
      { rows: { annotations: [{ content: 'Launch' }] } },
      { fault: throttled },
      { fault: throttled },
      { remove: 'fault-2' },
      reading({ status: 429 }),
      { remove: 'fault-1' },
      reading({ status: 200 }),
      { fault: throttled },
      { clear: 'faults' },
      reading({ status: 200 }),
      reading({ body: { count: 1 } }),
      { remove: 'fault-9' },
    ]),
  ).toEqual([
    '  ✗ 12 remove',
    '        expected a valid change',
    '        got      Failed to remove: expected the id of a fault, got "fault-9".',
  ])
})

test('rows are updated and deleted by ids, which can be saved values', async () => {
  const id = { $saved: 'id' }

  expect(
    await differences([
      { rows: { annotations: [{ content: 'Launch' }] }, save: { id: '/annotations/0' } },
      {
        update: {
          annotations: [{ id, content: 'Launch day' }] as never,
          projects: [{ id: 1, name: 'Docs' }],
        },
      },
      reading({ body: { results: [{ id, content: 'Launch day' }] } }),
      { delete: { annotations: [id] as never } },
      reading({ body: { count: 0 } }),
      { delete: { annotations: [id] as never } },
      { update: { annotations: [{ id, content: 'Not saved' }] as never } },
    ]),
  ).toEqual([
    '  ✗ 6 delete',
    '        expected a valid change',
    '        got      Failed to delete a row of annotations: expected an existing id, got 1.',
    '  ✗ 7 update',
    '        expected a valid change',
    expect.stringContaining('of annotations'),
  ])
})

test('a key is revoked by its label', async () => {
  expect(
    await differences([
      { revoke: 'all' },
      { rows: { keys: [{ label: 'all' }] } },
      { reset: true },
      reading({ status: 200 }, 'all'),
      { rows: { keys: [{ label: 'leaving' }, { value: 'phx_unlabelled' }] } },
      reading({ status: 200 }, 'leaving'),
      { revoke: 'leaving' },
      reading({ status: 401, body: { code: 'authentication_failed' } }, 'leaving'),
      { revoke: 'leaving' },
      reading({ status: 200 }, 'phx_unlabelled'),
    ]),
  ).toEqual([
    '  ✗ 9 revoke',
    '        expected a valid change',
    '        got      Failed to revoke a key: expected the label of a key, got "leaving".',
  ])
})

test('a text body is compared byte for byte at any base URL', async () => {
  const text = (count: number) => ({
    $saved: `{"count":${count},"next":"{base_url}${list}?limit=1&offset=1","previous":null,"results":[`,
  })
  const rows = { annotations: [{ content: 'One' }, { content: 'Two' }] }
  const first = { as: 'all', method: 'GET', path: `${list}?limit=1` }

  const result = await createSimulator().run({
    title: 'Bytes',
    world: 'empty',
    steps: [{ rows }, { ...first, expect: { text: text(2) } }],
  })

  const [difference] = result.steps[1]?.differences ?? []
  const { expected, got } = difference as { expected: string; got: string }
  expect(expected).toBe(
    `{"count":2,"next":"${result.base_url}${list}?limit=1&offset=1","previous":null,"results":[`,
  )
  expect(got.startsWith(expected)).toBe(true)
})

test('the setting that decides a step is found in the state that the steps before it made', async () => {
  const keys = [{ label: 'added', value: 'phx_added', scopes: ['*'] as const }]
  const annotations = [{ content: 'One', deleted: true }]
  const read = { as: 'added', method: 'GET', path: `${list}{id}/`, expect: { status: 200 } }

  const { steps } = await createSimulator().run({
    title: 'Decided',
    world: 'empty',
    steps: [
      { rows: { annotations, keys }, save: { id: '/annotations/0' } },
      { update: { annotations: [{ id: { $saved: 'id' }, content: 'Two' }] as never } },
      { fault: throttled },
      { fault: { when: { skip: 3 }, phase: 'after-commit', effect: { error: 'server_error' } } },
      { remove: 'fault-1' },
      reading({ body: { count: 0 } }),
      { profile: 'live' },
      { settings: { 'annotations.deleted.visibility': 'listed' } },
      { reset: ['settings'] },
      { update: { annotations: [{ id: { $saved: 'id' }, content: 'One' }] as never } },
      read,
      read,
      read,
    ],
  })

  const hidden = { id: 'annotations.deleted.visibility', value: 'hidden', alone: true }
  expect(steps.filter(({ outcome }) => outcome === 'failed')).toMatchObject([
    { step: 11, decided_by: [hidden, hidden] },
    { step: 12, decided_by: [hidden, hidden] },
    { step: 13, response: { status: 500 }, decided_by: [], undecided: { why: 'fails_anyway' } },
  ])
})
