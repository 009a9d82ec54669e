import { expect, test } from 'vitest'
import { recordSteps } from '../../support/scenarios/recordings.ts'
import { exampleOrigin } from '../../support/traffic.ts'

const list = '/api/projects/1/annotations/'
const create = { method: 'POST', status: 201, sent: { content: 'Launch' } }
const created = { $match: 'id' }
const saved = { $saved: 'annotation_id' }

test('the id of a created row has a name in every later path, row and link', () => {
  const [first, page, row, change, other] = recordSteps([
    { ...create, received: { id: 12, author: { id: 12 }, at: `${exampleOrigin}${list}12/` } },
    { received: { next: `${exampleOrigin}${list}12/?a={x}`, results: [{ id: 12 }, { id: 11 }] } },
    { url: `${list}12/`, received: { id: 12 } },
    { method: 'PATCH', url: `${list}12/`, sent: { of: 12 }, received: { id: 12, n: 12 } },
    { url: '/api/plugins/12/?id=12', received: { id: 12 } },
  ])

  expect(first).toMatchObject({
    save: { annotation_id: '/id' },
    expect: {
      exact_body: { id: created, author: { id: 12 }, at: { $text: `{base_url}${list}12/` } },
    },
  })
  expect(page?.expect?.exact_body).toEqual({
    next: { $text: `{base_url}${list}{annotation_id}/?a={{x}}` },
    results: [{ id: saved }, { id: 11 }],
  })
  expect(row?.expect?.exact_body).toEqual({ id: saved })
  expect(change).toMatchObject({
    path: `${list}{annotation_id}/`,
    body: { of: 12 },
    expect: { exact_body: { id: saved, n: 12 } },
  })
  expect(other).toMatchObject({
    path: '/api/plugins/12/?id=12',
    expect: { exact_body: { id: 12 } },
  })
})

test('the id of a created row that does not occur again has no name', () => {
  const [step] = recordSteps([{ ...create, received: { id: 12 } }, { url: `${list}11/` }])

  expect(step?.expect?.exact_body).toEqual({ id: created })
  expect(step).not.toHaveProperty('save')
})

test('several created rows have several names', () => {
  const steps = recordSteps([
    { ...create, received: { id: 12 } },
    { ...create, received: { id: 13 } },
    { ...create, received: { id: 14 } },
    { url: `${list}13/` },
    { url: `${list}12/` },
    { url: `${list}14/` },
  ])

  expect(steps.map(({ save, path }) => [save, path])).toEqual([
    [{ annotation_id_2: '/id' }, list],
    [{ annotation_id: '/id' }, list],
    [{ annotation_id_3: '/id' }, list],
    [undefined, `${list}{annotation_id}/`],
    [undefined, `${list}{annotation_id_2}/`],
    [undefined, `${list}{annotation_id_3}/`],
  ])
})

test.each([
  ['/api/organizations/1/plugins/12/upgrade/', { id: 12 }, { id: { $saved: 'plugin_id' } }],
  [
    '/api/organizations/1/plugins/12/check_for_updates/',
    { plugin: { id: 12 } },
    { plugin: { id: { $saved: 'plugin_id' } } },
  ],
  ['/api/organizations/1/plugins/activity/', { id: 12 }, { id: { $saved: 'plugin_id' } }],
])('the response to %s has the id of its row', (url, received, expected) => {
  const plugins = '/api/organizations/1/plugins/'
  const [, step] = recordSteps([
    { ...create, url: plugins, received: { id: 12 } },
    { method: 'POST', url, received },
  ])

  expect(step?.expect?.exact_body).toEqual(expected)
})

test.each<readonly [string, unknown, unknown]>([
  ['a time', { at: '2024-06-15T12:00:01Z' }, { at: { $match: 'time' } }],
  ['a time of the client', { at: '2024-06-15T12:00:00.0Z' }, { at: '2024-06-15T12:00:00.0Z' }],
  ['an address of a person', { email: 'ada@corp.test' }, { email: 'replaced-email-1@example.com' }],
  [
    'links',
    { note: `See {x} ${exampleOrigin}${list}13/?a={y} and ${exampleOrigin}/annotations/13` },
    { note: { $text: `See {{x}} {base_url}${list}13/?a={{y}} and {base_url}/annotations/13` } },
  ],
  ['a link of the client', { note: `${exampleOrigin}/a` }, { note: `${exampleOrigin}/a` }],
  ['the base URL alone', { note: `See ${exampleOrigin}` }, { note: `See ${exampleOrigin}` }],
  ['other values', { id: 9, b: true, c: 'x', n: null }, { id: 9, b: true, c: 'x', n: null }],
])('%s of a response is expected as in each replay', (_, received, expected) => {
  const steps = recordSteps([
    {
      method: 'PATCH',
      url: `${list}13/?after=2024-06-15T12:00:00Z`,
      sent: { content: 'ada@corp.test', note: `${exampleOrigin}/a` },
    },
    { received },
  ])

  expect(steps[1]?.expect?.exact_body).toEqual(expected)
})

const [early, late] = ['2024-06-15T11:59:00Z', '2024-06-15T12:01:00Z']

test.each<readonly [string, unknown, unknown]>([
  ['a minute earlier', early, { $now: early }],
  ['a minute later', late, { $now: late }],
  ['earlier', '2024-06-15T11:58:59.999Z', '2024-06-15T11:58:59.999Z'],
  ['later', '2024-06-15T12:01:00.001Z', '2024-06-15T12:01:00.001Z'],
  ['of a name that begins with $', { $at: late }, { $literal: { $at: late } }],
])('a time that a request sends at noon is the current one, or stays: %s', (_, at, expected) => {
  expect(recordSteps([{ method: 'POST', sent: { at } }])[0]?.body).toEqual({ at: expected })
})
