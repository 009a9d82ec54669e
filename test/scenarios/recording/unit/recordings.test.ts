import { expect, test } from 'vitest'
import { recordingOf } from '../../../../src/index.ts'
import {
  exampleOrigin,
  recordExchanges,
  recordSteps,
} from '../../../support/scenarios/exchanges.ts'

test('a step repeats the request and expects the whole response', () => {
  const { scenario, warnings } = recordExchanges(
    [
      {
        method: 'POST',
        url: '/api/projects/1/annotations/?a={x}&limit=2',
        bearer: 'phx_mine_0123456',
        sent: { content: 'Launch', $odd: 1 },
        status: 201,
        received: { content: 'Launch', deleted: false },
        headers: {
          'x-shop': '{blue}',
          'user-agent': 'curl',
          accept: '*/*',
          host: 'api.example.com',
        },
      },
    ],
    { keys: { writer: 'phx_mine_0123456' } },
  )

  expect({ scenario, warnings }).toEqual({
    scenario: {
      $schema: './node_modules/understudy-api/scenarios/scenario.schema.json',
      format_version: 1,
      title: 'Recorded',
      steps: [
        {
          title: 'Create annotation',
          as: 'writer',
          method: 'POST',
          path: '/api/projects/1/annotations/',
          query: { a: '{{x}}', limit: 2 },
          headers: { 'x-shop': '{{blue}}' },
          body: { $literal: { content: 'Launch', $odd: 1 } },
          expect: { status: 201, exact_body: { content: 'Launch', deleted: false } },
        },
      ],
    },
    warnings: [],
  })
})

test('an id of a response is saved if a later request uses it', () => {
  const row = { id: 12, project_id: 1, content: 'Launch' }
  const steps = recordSteps([
    { received: { results: [{ ...row, id: 11 }, row] } },
    { url: '/api/projects/1/annotations/12/', received: row },
    { url: '/api/projects/1/annotations/13/', received: { ...row, id: 13 } },
  ])

  expect(steps).toEqual([
    {
      title: 'List annotations',
      method: 'GET',
      path: '/api/projects/1/annotations/',
      expect: {
        status: 200,
        exact_body: {
          results: [
            { id: { $match: 'id' }, project_id: 1, content: 'Launch' },
            { id: { $match: 'id' }, project_id: 1, content: 'Launch' },
          ],
        },
      },
      save: { annotation_id: '/results/1/id' },
    },
    {
      title: 'Retrieve annotation',
      method: 'GET',
      path: '/api/projects/1/annotations/{annotation_id}/',
      expect: {
        status: 200,
        exact_body: { id: { $saved: 'annotation_id' }, project_id: 1, content: 'Launch' },
      },
    },
    {
      title: 'Retrieve annotation',
      method: 'GET',
      path: '/api/projects/1/annotations/13/',
      expect: { status: 200, exact_body: { id: 13, project_id: 1, content: 'Launch' } },
    },
  ])
})

test('a link is saved if a later request follows it, and otherwise starts with the base URL', () => {
  const next = `${exampleOrigin}/api/projects/1/annotations/?limit=1&offset=1`
  const [first, second] = recordSteps([
    { url: '/api/projects/1/annotations/?limit=1', received: { next } },
    { url: '/api/projects/1/annotations/?limit=1&offset=1', received: { previous: next } },
  ])

  expect(first?.save).toEqual({ next: '/next' })
  expect(first?.expect?.exact_body).toEqual({
    next: { $text: '{base_url}/api/projects/1/annotations/?limit=1&offset=1' },
  })
  expect(second).toEqual({
    title: 'List annotations, page 2',
    method: 'GET',
    path: '{next}',
    expect: { status: 200, exact_body: { previous: { $saved: 'next' } } },
  })
})

test('times and UUIDs of responses become matchers, unless a request contained them', () => {
  const uuid = '0190c2a5-0000-7000-8000-000000000001'
  const [step] = recordSteps([
    {
      method: 'POST',
      url: '/api/organizations/0190c2a5-0000-7000-8000-00000000000a/plugins/',
      sent: { date_marker: '2024-06-20T09:00:00+02:00' },
      received: {
        date_marker: '2024-06-20T07:00:00Z',
        created_at: '2024-06-15T12:00:00Z',
        organization: '0190c2a5-0000-7000-8000-00000000000A',
        uuid,
      },
    },
  ])

  expect(step?.expect?.exact_body).toEqual({
    date_marker: '2024-06-20T07:00:00Z',
    created_at: { $match: 'time' },
    organization: '0190c2a5-0000-7000-8000-00000000000A',
    uuid: { $match: 'uuid' },
  })
})

test('a time of a query stays a literal value', () => {
  const [step] = recordSteps([
    {
      url: '/api/projects/1/annotations/?after=2024-06-20T07:00:00Z',
      received: { after: '2024-06-20T09:00:00+02:00', at: '2024-06-15T12:00:00Z' },
    },
  ])

  expect(step?.expect?.exact_body).toEqual({
    after: '2024-06-20T09:00:00+02:00',
    at: { $match: 'time' },
  })
})

test.each([
  ['categories', 'category_id'],
  ['status', 'status_id'],
  ['access', 'access_id'],
  ['plugins', 'plugin_id'],
])('the id of one of the %s is called %s', (list, name) => {
  const [first] = recordSteps([
    { url: `/api/projects/1/${list}/`, received: { results: [{ id: 7 }] } },
    { url: `/api/projects/1/${list}/7/`, received: {} },
  ])

  expect(first?.save).toEqual({ [name]: '/results/0/id' })
})

test('a broken connection is expected to break again', () => {
  expect(recordSteps([{ status: 0 }])[0]?.expect).toEqual({ broken: true })
})

test('a recording without requests is refused', () => {
  expect(() => recordingOf([])).toThrow(
    'Failed to record: there are no requests. Send at least one.',
  )
})

test('a URL whose host only begins like the base URL stays a text', () => {
  const [step] = recordSteps([{ received: { site: `${exampleOrigin}.test/api/` } }], {
    baseUrl: exampleOrigin,
  })

  expect(step?.expect?.exact_body).toEqual({ site: `${exampleOrigin}.test/api/` })
})
